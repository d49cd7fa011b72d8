// SPDX-License-Identifier: MIT OR Apache-2.0
//! Meshes as VTK itself reads them, through its Python module.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::peers::skip;

/// Prints every mesh of a directory as JSON, by name: its numbers of points and lines, and its arrays with their
/// values.
const READER: &str = r#"
import glob, json, os, sys, vtk
from vtk.util.numpy_support import vtk_to_numpy
def arrays(data):
    found = (data.GetArray(at) for at in range(data.GetNumberOfArrays()))
    return {array.GetName(): vtk_to_numpy(array).tolist() for array in found}
meshes = {}
for name in glob.glob(os.path.join(sys.argv[1], "*.vtp")):
    reader = vtk.vtkXMLPolyDataReader()
    reader.SetFileName(name)
    reader.Update()
    assert reader.GetErrorCode() == 0, name
    mesh = reader.GetOutput()
    meshes[os.path.basename(name)] = {
        "points": mesh.GetNumberOfPoints(), "lines": mesh.GetNumberOfLines(),
        "of_points": arrays(mesh.GetPointData()), "of_lines": arrays(mesh.GetCellData()),
    }
print(json.dumps(meshes).replace("NaN", "null"))
"#;

/// Returns the meshes of a directory by name; `None`, with a message, without VTK.
/// `LBAF_PYTHON` names an interpreter that has VTK.
pub(crate) fn read(directory: &Path) -> Option<Value> {
    let python = std::env::var("LBAF_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let run = |script: &str| Command::new(&python).args(["-c", script]).arg(directory).output();
    if !run("import vtk, numpy").is_ok_and(|done| done.status.success()) {
        skip("Python has no modules vtk and numpy");
        return None;
    }
    let done = run(READER).expect("it ran before");
    let complaint = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success() && complaint.is_empty(), "{complaint}");
    Some(serde_json::from_slice(&done.stdout).expect("it is JSON"))
}
