// SPDX-License-Identifier: MIT OR Apache-2.0
//! A reader of Thrift's compact protocol, which the metadata of Parquet are in.

use std::collections::BTreeMap;

pub(crate) type Fields = BTreeMap<i16, Value>;

#[derive(Debug, PartialEq)]
pub(crate) enum Value {
    Flag(bool),
    Number(i64),
    Bytes(Vec<u8>),
    List(Vec<Value>),
    Fields(Fields),
}

impl Value {
    pub(crate) fn number(&self) -> i64 {
        if let Value::Number(number) = self { *number } else { panic!("{self:?}") }
    }

    pub(crate) fn size(&self) -> usize {
        usize::try_from(self.number()).unwrap()
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        if let Value::Bytes(bytes) = self { bytes } else { panic!("{self:?}") }
    }

    pub(crate) fn list(&self) -> &[Value] {
        if let Value::List(items) = self { items } else { panic!("{self:?}") }
    }

    pub(crate) fn fields(&self) -> &Fields {
        if let Value::Fields(fields) = self { fields } else { panic!("{self:?}") }
    }
}

/// Bytes in Thrift's compact protocol.
pub(crate) struct Thrift<'a>(pub(crate) &'a [u8]);

impl Thrift<'_> {
    pub(crate) fn structure(&mut self) -> Fields {
        let (mut fields, mut last) = (Fields::new(), 0);
        loop {
            let [header] = take(&mut self.0);
            if header == 0 {
                return fields;
            }
            assert!(header >> 4 > 0, "numbers of fields are near each other");
            last += i16::from(header >> 4);
            let value = self.value(header & 15);
            fields.insert(last, value);
        }
    }

    fn value(&mut self, kind: u8) -> Value {
        match kind {
            1 => Value::Flag(true),
            2 => Value::Flag(false),
            3 => {
                let [byte] = take(&mut self.0);
                Value::Number(i8::from_le_bytes([byte]).into())
            }
            5 | 6 => {
                let folded = self.varint();
                Value::Number((folded >> 1).cast_signed() ^ -(folded & 1).cast_signed())
            }
            8 => {
                let length = self.varint() as usize;
                let (bytes, rest) = self.0.split_at(length);
                self.0 = rest;
                Value::Bytes(bytes.to_vec())
            }
            9 => {
                let [header] = take(&mut self.0);
                let length = if header >> 4 == 15 { self.varint() } else { u64::from(header >> 4) };
                Value::List((0..length).map(|_| self.value(header & 15)).collect())
            }
            12 => Value::Fields(self.structure()),
            other => panic!("type {other}"),
        }
    }

    pub(crate) fn varint(&mut self) -> u64 {
        let mut value = 0;
        for shift in (0..).step_by(7) {
            let [byte] = take(&mut self.0);
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
        }
        value
    }
}

/// Takes so many bytes from the front.
pub(crate) fn take<const N: usize>(bytes: &mut &[u8]) -> [u8; N] {
    let (taken, rest) = bytes.split_first_chunk().unwrap();
    *bytes = rest;
    *taken
}
