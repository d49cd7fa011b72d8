// SPDX-License-Identifier: MIT OR Apache-2.0
//! Points and lines with arrays, in VTK's XML format for `vtkPolyData`.

use std::fmt::Write;

use super::vtk_array::{Values, VtkArray};
use crate::PictureError;

/// Points, lines between pairs of them, and arrays of both.
pub(super) struct PolyData {
    /// Three coordinates for each point.
    pub(super) points: Vec<f32>,
    /// Arrays of points. Viewers show the first one by default.
    pub(super) point_data: Vec<VtkArray>,
    /// Numbers of the two points of each line, from 0.
    pub(super) lines: Vec<i64>,
    pub(super) cell_data: Vec<VtkArray>,
}

/// Elements of a document, and their appended data.
#[derive(Default)]
struct Document {
    elements: String,
    appended: String,
}

impl PolyData {
    /// Returns the bytes of a file that any XML parser can read.
    pub(super) fn into_bytes(self) -> Result<Vec<u8>, PictureError> {
        let PolyData { points, point_data, lines, cell_data } = self;
        let (n_points, n_lines) = (points.len() / 3, lines.len() / 2);
        let ends = (1..).take(n_lines).map(|line| 2 * line).collect();
        let array = |name: &str, values| VtkArray { name: name.to_owned(), values };
        let mut document = Document::default();
        document.section("PointData", &scalars(&point_data), point_data)?;
        document.section("CellData", &scalars(&cell_data), cell_data)?;
        document.section("Points", "", vec![array("Points", Values::Vectors(points))])?;
        let lines = [("connectivity", lines), ("offsets", ends)];
        let lines = lines.map(|(name, values)| array(name, Values::Integers(values)));
        document.section("Lines", "", lines.into())?;
        let Document { elements, appended } = document;
        let head = format!(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" \
             header_type=\"UInt32\" compressor=\"vtkZLibDataCompressor\">\n<PolyData>\n<Piece \
             NumberOfPoints=\"{n_points}\" NumberOfVerts=\"0\" NumberOfLines=\"{n_lines}\" NumberOfStrips=\"0\" \
             NumberOfPolys=\"0\">\n"
        );
        let middle = "</Piece>\n</PolyData>\n<AppendedData encoding=\"base64\">\n_";
        let tail = "\n</AppendedData>\n</VTKFile>\n";
        // The appended data are the largest part. The other parts are inserted before them, so that no second copy
        // takes memory.
        let mut text = appended;
        text.insert_str(0, &[&head, &elements, middle].concat());
        text.push_str(tail);
        Ok(text.into_bytes())
    }
}

/// Returns the XML attribute that names the array shown by default.
fn scalars(data: &[VtkArray]) -> String {
    data.first().map(|array| format!(" Scalars=\"{}\"", escaped(&array.name))).unwrap_or_default()
}

impl Document {
    fn section(&mut self, name: &str, attributes: &str, arrays: Vec<VtkArray>) -> Result<(), PictureError> {
        let _ = writeln!(self.elements, "<{name}{attributes}>");
        for VtkArray { name, values } in arrays {
            let _ = writeln!(
                self.elements,
                "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" offset=\"{}\"/>",
                values.type_name(),
                escaped(&name),
                values.n_components(),
                self.appended.len()
            );
            values.append(&mut self.appended)?;
        }
        let _ = writeln!(self.elements, "</{name}>");
        Ok(())
    }
}

/// Escapes a name for an attribute. Control characters and noncharacters are invalid in XML and become spaces.
fn escaped(name: &str) -> String {
    let is_invalid = |c: char| c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}');
    let name: String = name.chars().map(|c| if is_invalid(c) { ' ' } else { c }).collect();
    name.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped() {
        assert_eq!(escaped("a<b & \"c\"\n"), "a&lt;b &amp; &quot;c&quot; ");
    }

    #[test]
    fn noncharacters_in_names_do_not_make_the_file_invalid() {
        assert_eq!(escaped("a\u{fffe}b\u{ffff}"), "a b ");
    }
}
