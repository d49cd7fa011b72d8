// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compact encoding of many numbers.

use serde::Serialize;

use crate::error::PageError;
use crate::page::base64::encode;

/// Numbers of all ranks or objects, in a form that a browser reads without parsing each number.
///
/// If all floating-point numbers of a list are equal, their value is stored once. All other lists are stored in base64
/// as little-endian bytes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PackedNumbers(Form);

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Form {
    Constant { n: usize, value: f64 },
    F32 { n: usize, data: String },
    U8 { n: usize, data: String },
    U16 { n: usize, data: String },
    U32 { n: usize, data: String },
    U64 { n: usize, data: String },
}

impl PackedNumbers {
    /// Packs numbers in single precision, with about seven digits. If all numbers are equal, the value is exact.
    /// Numbers beyond the range of single precision are clamped.
    ///
    /// # Errors
    /// If a number is not finite. The error contains the name `what`.
    pub fn of_floats(numbers: &[f64], what: &str) -> Result<Self, PageError> {
        if let Some((at, &value)) = numbers.iter().enumerate().find(|(_, number)| !number.is_finite()) {
            return Err(PageError::NotFinite { what: format!("{what}, number {at}"), value });
        }
        if let Some(constant) = constant(numbers) {
            return Ok(PackedNumbers(constant));
        }
        let single = |&number: &f64| number.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32;
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| single(number).to_le_bytes()).collect();
        Ok(PackedNumbers(Form::F32 { n: numbers.len(), data: encode(&bytes) }))
    }

    /// Packs integers exactly, each in 1, 2, 4 or 8 bytes, depending on the largest.
    pub fn of_integers(numbers: &[u64]) -> Self {
        let n = numbers.len();
        let largest = numbers.iter().copied().max().unwrap_or(0);
        let width = match largest {
            0..=0xff => 1,
            0x100..=0xffff => 2,
            0x1_0000..=0xffff_ffff => 4,
            _ => 8,
        };
        let bytes: Vec<u8> =
            numbers.iter().flat_map(|number| number.to_le_bytes().into_iter().take(width)).collect();
        let data = encode(&bytes);
        PackedNumbers(match width {
            1 => Form::U8 { n, data },
            2 => Form::U16 { n, data },
            4 => Form::U32 { n, data },
            _ => Form::U64 { n, data },
        })
    }

    /// Returns the approximate size in the page, in bytes.
    pub fn size(&self) -> usize {
        match &self.0 {
            Form::Constant { .. } => 50,
            Form::F32 { data, .. }
            | Form::U8 { data, .. }
            | Form::U16 { data, .. }
            | Form::U32 { data, .. }
            | Form::U64 { data, .. } => data.len() + 40,
        }
    }
}

fn constant(numbers: &[f64]) -> Option<Form> {
    let (&value, rest) = numbers.split_first()?;
    rest.iter().all(|&number| number == value).then_some(Form::Constant { n: numbers.len(), value })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(column: &PackedNumbers) -> String {
        serde_json::to_string(column).unwrap()
    }

    #[test]
    fn equal_numbers_are_stored_once() {
        let column = PackedNumbers::of_floats(&[0.1; 1000], "load").unwrap();
        assert_eq!(json(&column), r#"{"type":"constant","n":1000,"value":0.1}"#);
    }

    #[test]
    fn floats_are_four_bytes_with_the_lowest_first() {
        // 1.0 is 0x3f800000 and -2.0 is 0xc0000000.
        let column = PackedNumbers::of_floats(&[1.0, -2.0], "load").unwrap();
        assert_eq!(
            json(&column),
            format!(r#"{{"type":"f32","n":2,"data":"{}"}}"#, encode(&[0, 0, 128, 63, 0, 0, 0, 192]))
        );
        assert_eq!(
            json(&PackedNumbers::of_floats(&[], "load").unwrap()),
            r#"{"type":"f32","n":0,"data":""}"#
        );
    }

    #[test]
    fn numbers_beyond_single_precision_are_clamped() {
        let column = PackedNumbers::of_floats(&[1e300, 0.0], "load").unwrap();
        let largest = encode(&[f32::MAX.to_le_bytes(), 0_f32.to_le_bytes()].concat());
        assert!(json(&column).contains(&largest));
    }

    #[test]
    fn integers_are_as_wide_as_the_largest() {
        for (largest, kind, length) in
            [(255, "u8", 4), (256, "u16", 8), (65_536, "u32", 12), (1 << 40, "u64", 24)]
        {
            let text = json(&PackedNumbers::of_integers(&[0, largest]));
            assert!(text.starts_with(&format!(r#"{{"type":"{kind}","n":2,"#)), "{text}");
            assert_eq!(text.split('"').rev().nth(1).unwrap().len(), length, "{text}");
        }
    }

    #[test]
    fn numbers_that_are_not_finite_are_rejected_by_name() {
        let error = PackedNumbers::of_floats(&[1.0, f64::NAN], "load before").unwrap_err();
        let said = error.to_string();
        assert!(said.starts_with("load before, number 1 is NaN"), "{said}");
    }
}
