// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arrays in VTK's XML files: blocks compressed by zlib, in base64.

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::ZlibEncoder;

use crate::PictureError;

/// Number of bytes compressed together.
const BLOCK: usize = 1 << 16;
/// Compression level: nearly as small as with the default of zlib, in a third of the time.
const LEVEL: u32 = 3;

/// Named array.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct VtkArray {
    pub(super) name: String,
    pub(super) values: Values,
}

/// Numbers of an array.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Values {
    /// One number for each point or cell.
    Floats(Vec<f64>),
    /// Three numbers for each point.
    Vectors(Vec<f32>),
    Bytes(Vec<u8>),
    /// Ids.
    Numbers(Vec<u64>),
    Integers(Vec<i64>),
}

impl Values {
    /// Returns VTK's name of the type.
    pub(super) fn type_name(&self) -> &'static str {
        match self {
            Values::Floats(_) => "Float64",
            Values::Vectors(_) => "Float32",
            Values::Bytes(_) => "UInt8",
            Values::Numbers(_) => "UInt64",
            Values::Integers(_) => "Int64",
        }
    }

    /// Returns the number of components of each element.
    pub(super) fn n_components(&self) -> usize {
        if matches!(self, Values::Vectors(_)) { 3 } else { 1 }
    }

    fn into_bytes(self) -> Vec<u8> {
        match self {
            Values::Floats(values) => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
            Values::Vectors(values) => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
            Values::Bytes(values) => values,
            Values::Numbers(values) => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
            Values::Integers(values) => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
        }
    }

    /// Appends the array: a header of 32-bit counts (number of blocks, size of a block, size of the last block or 0 if
    /// full, compressed sizes), then the compressed blocks. The header is one base64 text, and all blocks together
    /// another.
    pub(super) fn append(self, text: &mut String) -> Result<(), PictureError> {
        let bytes = self.into_bytes();
        let blocks: Vec<&[u8]> = bytes.chunks(BLOCK).collect();
        let mut header = vec![blocks.len() as u32, BLOCK as u32, (bytes.len() % BLOCK) as u32];
        let mut compressed = Vec::new();
        for block in blocks {
            let before = compressed.len();
            let mut encoder = ZlibEncoder::new(&mut compressed, Compression::new(LEVEL));
            encoder.write_all(block)?;
            encoder.finish()?;
            header.push((compressed.len() - before) as u32);
        }
        let header: Vec<u8> = header.iter().flat_map(|count| count.to_le_bytes()).collect();
        STANDARD.encode_string(header, text);
        STANDARD.encode_string(compressed, text);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::ZlibDecoder;

    use super::*;

    /// Decodes an appended array.
    fn read_back(text: &str) -> Vec<u8> {
        let count = |bytes: &[u8]| u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
        // Eight digits encode six bytes; the first four are the number of blocks.
        let n = count(&STANDARD.decode(&text[..8]).unwrap());
        let header_digits = (4 * (3 + n)).div_ceil(3) * 4;
        let header = STANDARD.decode(&text[..header_digits]).unwrap();
        let data = STANDARD.decode(&text[header_digits..]).unwrap();
        let (mut at, mut bytes) = (0, Vec::new());
        for block in 0..n {
            let size = count(&header[4 * (3 + block)..]);
            ZlibDecoder::new(&data[at..at + size]).read_to_end(&mut bytes).unwrap();
            at += size;
        }
        assert_eq!(at, data.len());
        bytes
    }

    #[test]
    fn arrays_are_read_back_exactly() {
        for n in [1, 100, BLOCK / 8, BLOCK / 8 + 1, BLOCK] {
            let values: Vec<i64> = (0..).map(|i| i * i).take(n).collect();
            let mut text = String::new();
            Values::Integers(values.clone()).append(&mut text).unwrap();
            let expected: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
            assert_eq!(read_back(&text), expected, "{n}");
        }
    }

    #[test]
    fn an_empty_array_has_no_blocks() {
        let mut text = String::new();
        Values::Bytes(Vec::new()).append(&mut text).unwrap();
        assert_eq!(STANDARD.decode(text).unwrap(), [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0]);
    }
}
