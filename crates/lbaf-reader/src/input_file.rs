// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reading of regular files and, for some callers, of pipes passed to the process. Other files are refused: a device
//! may never end, and a named FIFO waits for its writer.

use std::fs::{self, File, FileType};
use std::io::{self, Read};
use std::path::Path;

use lbaf_vom::VomError;

use crate::ReadError;

/// Maximum content of a pipe in bytes, because a pipe may be endless.
const MOST_IN_A_PIPE: u64 = 64 << 20;
/// Paths of pipes of a process: standard input, and the paths that shells pass for `<(command)`.
const OF_THE_PROCESS: [&str; 3] = ["/dev/fd", "/dev/stdin", "/proc/self/fd"];

/// Reads a regular file, also through a link.
///
/// # Errors
/// If the file does not exist, is a directory, device, FIFO or socket, or cannot be read.
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let kind = fs::metadata(path)?.file_type();
    if kind.is_file() { fs::read(path) } else { Err(no_regular_file(kind)) }
}

/// Reads a regular file, or a pipe passed to this process: standard input or `<(command)` in a shell.
///
/// # Errors
/// Returns the errors of [`read_file`], and an error if the pipe holds more than 64 MiB.
pub fn read_file_or_pipe(path: &Path) -> io::Result<Vec<u8>> {
    if !is_pipe(path) {
        return read_file(path);
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(MOST_IN_A_PIPE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_IN_A_PIPE {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "the pipe holds more than 64 MiB; use a file",
        ));
    }
    Ok(bytes)
}

/// True for a pipe that was passed to this process.
pub fn is_pipe(path: &Path) -> bool {
    let is_of_the_process = OF_THE_PROCESS.iter().any(|start| path.starts_with(start));
    is_of_the_process && fs::metadata(path).is_ok_and(|found| name(found.file_type()) == FIFO)
}

/// True if the path exists and is not a directory. Devices, FIFOs and sockets count, although they cannot be read.
pub fn is_there(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_dir())
}

/// Reads a data file. Refuses files larger than the parser accepts.
pub(crate) fn read_data(path: &Path) -> Result<Vec<u8>, ReadError> {
    let failed = |source| ReadError::Io { path: path.into(), source };
    let found = fs::metadata(path).map_err(failed)?;
    if found.is_file() && found.len() > lbaf_vom::MAX_FILE_BYTES {
        return Err(ReadError::Content { path: path.into(), source: VomError::TooLarge });
    }
    read_file(path).map_err(failed)
}

fn no_regular_file(kind: FileType) -> io::Error {
    let error = match name(kind) {
        "directory" => return io::ErrorKind::IsADirectory.into(),
        name => format!("this is a {name}; only regular files are read"),
    };
    io::Error::new(io::ErrorKind::InvalidInput, error)
}

const FIFO: &str = "FIFO (named pipe)";

fn name(kind: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;

        if kind.is_fifo() {
            return FIFO;
        }
        if kind.is_socket() {
            return "socket";
        }
        if kind.is_char_device() || kind.is_block_device() {
            return "device";
        }
    }
    if kind.is_dir() { "directory" } else { "special file" }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn refusal(outcome: io::Result<Vec<u8>>) -> String {
        outcome.expect_err("it is refused").to_string()
    }

    #[test]
    fn devices_sockets_and_directories_are_refused_before_they_are_opened() {
        let directory = tempfile::tempdir().expect("a directory");
        let [link, socket] = ["link", "socket"].map(|name| directory.path().join(name));
        std::os::unix::fs::symlink("/dev/zero", &link).expect("a link");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).expect("a socket");
        for read in [read_file, read_file_or_pipe] {
            for device in [&link, Path::new("/dev/zero"), Path::new("/dev/null")] {
                assert_eq!(refusal(read(device)), "this is a device; only regular files are read");
            }
            assert_eq!(refusal(read(&socket)), "this is a socket; only regular files are read");
            assert_eq!(refusal(read(directory.path())), "is a directory");
        }
        assert!(is_there(&link) && !is_there(directory.path()) && !is_there(Path::new("/nothing")));
    }

    #[test]
    fn regular_files_and_links_to_them_are_read() {
        let directory = tempfile::tempdir().expect("a directory");
        let [file, link] = ["file", "link"].map(|name| directory.path().join(name));
        fs::write(&file, "text").expect("a file");
        std::os::unix::fs::symlink(&file, &link).expect("a link");
        for path in [&file, &link] {
            assert_eq!(read_file(path).expect("a file"), b"text");
            assert_eq!(read_file_or_pipe(path).expect("a file"), b"text");
        }
    }

    /// A sparse file of one terabyte.
    #[test]
    fn data_larger_than_the_parser_accepts_are_not_read() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("data.0.json");
        let made = File::create(&path).and_then(|file| file.set_len(1 << 40));
        made.expect("file systems for tests support sparse files");
        let error = read_data(&path).expect_err("it is refused");
        assert!(matches!(error, ReadError::Content { source: VomError::TooLarge, .. }), "{error}");
    }
}
