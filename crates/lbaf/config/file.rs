// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bytes of the files that users write.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// No configuration, specification or map is larger; a device such as `/dev/zero` never ends.
const MOST_BYTES: u64 = 1 << 30;

/// The content of a file. Pipes are read too, so that a shell can make one: `lbaf run <(..)`.
///
/// # Errors
/// If it cannot be read, or goes on after [`MOST_BYTES`].
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    read_up_to(path, MOST_BYTES)
}

fn read_up_to(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let message = format!("it has more than {most} bytes; is it the right file?");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_goes_on_is_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), [b'x'; 100]).unwrap();
        assert_eq!(read_up_to(file.path(), 100).unwrap().len(), 100);
        assert_eq!(read_up_to(file.path(), 99).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_device_without_end_is_refused() {
        assert_eq!(
            read_up_to(Path::new("/dev/zero"), 1 << 20).unwrap_err().kind(),
            io::ErrorKind::FileTooLarge
        );
    }
}
