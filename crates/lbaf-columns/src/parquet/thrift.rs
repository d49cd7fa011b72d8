// SPDX-License-Identifier: MIT OR Apache-2.0
//! The compact protocol of Thrift, as far as the metadata of Parquet need it.

const TRUE: u8 = 1;
const FALSE: u8 = 2;
const I8: u8 = 3;
const I32: u8 = 5;
const I64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

/// A structure whose fields are being written, in ascending order of their numbers.
pub(crate) struct Fields<'o> {
    out: &'o mut Vec<u8>,
    last: u8,
}

/// Writes a structure.
pub(crate) fn structure(out: &mut Vec<u8>, fields: impl FnOnce(&mut Fields<'_>)) {
    fields(&mut Fields { out: &mut *out, last: 0 });
    out.push(0);
}

impl Fields<'_> {
    /// A byte.
    pub(crate) fn byte(&mut self, field: u8, value: u8) {
        self.begin(field, I8);
        self.out.push(value);
    }

    /// True or false.
    pub(crate) fn flag(&mut self, field: u8, value: bool) {
        self.begin(field, if value { TRUE } else { FALSE });
    }

    /// A number of 32 bits, or of an enumeration.
    pub(crate) fn i32(&mut self, field: u8, value: i32) {
        self.begin(field, I32);
        push_signed(self.out, value.into());
    }

    /// A number of 64 bits.
    pub(crate) fn i64(&mut self, field: u8, value: i64) {
        self.begin(field, I64);
        push_signed(self.out, value);
    }

    /// Text or bytes.
    pub(crate) fn bytes(&mut self, field: u8, value: &[u8]) {
        self.begin(field, BINARY);
        push_bytes(self.out, value);
    }

    /// A structure within.
    pub(crate) fn structure(&mut self, field: u8, fields: impl FnOnce(&mut Fields<'_>)) {
        self.begin(field, STRUCT);
        structure(self.out, fields);
    }

    /// A list of numbers of 32 bits.
    pub(crate) fn i32s(&mut self, field: u8, values: &[i32]) {
        self.list(field, I32, values.len());
        for &value in values {
            push_signed(self.out, value.into());
        }
    }

    /// A list of texts.
    pub(crate) fn texts(&mut self, field: u8, values: &[&str]) {
        self.list(field, BINARY, values.len());
        for value in values {
            push_bytes(self.out, value.as_bytes());
        }
    }

    /// A list of structures.
    pub(crate) fn structures<T>(
        &mut self,
        field: u8,
        items: &[T],
        mut fields: impl FnMut(&mut Fields<'_>, &T),
    ) {
        self.list(field, STRUCT, items.len());
        for item in items {
            structure(self.out, |inner| fields(inner, item));
        }
    }

    fn begin(&mut self, field: u8, kind: u8) {
        let step = field - self.last;
        debug_assert!((1..16).contains(&step), "fields ascend without wide gaps");
        self.out.push(step << 4 | kind);
        self.last = field;
    }

    fn list(&mut self, field: u8, kind: u8, length: usize) {
        self.begin(field, LIST);
        if length < 15 {
            self.out.push((length as u8) << 4 | kind);
        } else {
            self.out.push(0xf0 | kind);
            push_varint(self.out, length as u64);
        }
    }
}

/// A number in groups of seven bits, the lowest first; all but the last have their highest bit set.
pub(crate) fn push_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Numbers near zero of either sign are short.
fn push_signed(out: &mut Vec<u8>, value: i64) {
    push_varint(out, (value << 1 ^ value >> 63).cast_unsigned());
}

fn push_bytes(out: &mut Vec<u8>, value: &[u8]) {
    push_varint(out, value.len() as u64);
    out.extend_from_slice(value);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of the protocol's document, and of the article on variable-length numbers it refers to.
    #[test]
    fn numbers_are_those_of_the_document() {
        let varint = |value| {
            let mut out = Vec::new();
            push_varint(&mut out, value);
            out
        };
        assert_eq!(varint(50399), [0xdf, 0x89, 0x03]);
        assert_eq!(varint(150), [0x96, 0x01]);
        let signed = |value| {
            let mut out = Vec::new();
            push_signed(&mut out, value);
            out
        };
        assert_eq!([0, -1, 1, -2].map(signed), [[0], [1], [2], [3]]);
        assert_eq!(signed(i64::MIN), varint(u64::MAX));
    }

    #[test]
    fn fields_say_how_far_they_are_from_the_last() {
        let mut out = Vec::new();
        structure(&mut out, |fields| {
            fields.i32(1, 3);
            fields.flag(4, true);
            fields.structure(5, |inner| inner.bytes(1, b"ab"));
            fields.i32s(6, &[0; 15]);
            fields.texts(7, &["c"]);
        });
        let mut expected = vec![0x15, 6, 0x31, 0x1c, 0x18, 2, b'a', b'b', 0, 0x19, 0xf5, 15];
        expected.extend([0; 15]);
        expected.extend([0x19, 0x18, 1, b'c', 0]);
        assert_eq!(out, expected);
    }
}
