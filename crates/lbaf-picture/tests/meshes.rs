// SPDX-License-Identifier: MIT OR Apache-2.0
//! Meshes as read by VTK, if Python has the module `vtk`, and their structure without VTK.
#![allow(clippy::unwrap_used, reason = "shared functions of tests may panic")]

use std::path::Path;
use std::process::Command;

use lbaf_picture::{
    Attribute, ColourQuantity, Edge, Frame, Grid, Moment, Objects, Scene, object_mesh, rank_mesh,
};

/// Python program that prints counts, arrays and values of a mesh.
const READER: &str = r#"
import sys, vtk
reader = vtk.vtkXMLPolyDataReader()
reader.SetFileName(sys.argv[1])
reader.Update()
mesh = reader.GetOutput()
show = lambda values: " ".join(f"{value:g}" for value in values)
print("points", mesh.GetNumberOfPoints(), "lines", mesh.GetNumberOfLines(), "error", reader.GetErrorCode())
for kind, data in (("point", mesh.GetPointData()), ("cell", mesh.GetCellData())):
    for i in range(data.GetNumberOfArrays()):
        array = data.GetArray(i)
        print(kind, array.GetName(), show(array.GetTuple1(j) for j in range(array.GetNumberOfTuples())))
    print(kind, "scalars", data.GetScalars().GetName() if data.GetScalars() else "none")
for i in range(mesh.GetNumberOfPoints()):
    print("at", show(round(x, 3) for x in mesh.GetPoint(i)))
for i in range(mesh.GetNumberOfCells()):
    print("line", *(mesh.GetCell(i).GetPointId(j) for j in range(mesh.GetCell(i).GetNumberOfPoints())))
"#;

#[allow(clippy::print_stderr, reason = "a skipped test must print the reason")]
fn skip(reason: &str) {
    eprintln!("skipped: {reason}");
}

/// Returns a summary of a file as read by VTK; `None` if the module `vtk` is missing. `LBAF_PYTHON` may name an
/// interpreter with the module.
fn read(mesh: &[u8]) -> Option<String> {
    let python = std::env::var("LBAF_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has_vtk =
        Command::new(&python).args(["-c", "import vtk"]).output().is_ok_and(|done| done.status.success());
    if !has_vtk {
        skip("Python has no module vtk");
        return None;
    }
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("mesh.vtp");
    std::fs::write(&file, mesh).unwrap();
    let done = Command::new(&python).args([Path::new("-c"), Path::new(READER), &file]).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert!(done.stderr.is_empty(), "{}", String::from_utf8_lossy(&done.stderr));
    Some(String::from_utf8(done.stdout).unwrap())
}

fn scene(axes: [u32; 3]) -> Scene {
    let quantity = |name: &str| ColourQuantity { name: name.to_owned(), unit: String::new() };
    Scene {
        grid: Grid { axes },
        jitter: 0.0,
        seed: 0,
        rank_qoi: quantity("work"),
        object_qoi: quantity("shared_id"),
        force_continuous: true,
        palette: lbaf_plot::Palette::Colour,
    }
}

/// Returns the objects 30 and 10 and the sentinel 20 on rank 0, and the object 40 on rank 2.
fn objects() -> Objects {
    Objects {
        number: vec![30, 20, 10, 40],
        load: vec![1.0, 2.0, 3.0, 4.0],
        migratable: vec![true, false, true, true],
        anomalous: Vec::new(),
        attributes: vec![Attribute { name: "heat".to_owned(), values: vec![0.5, f64::NAN, 1.5, 2.5] }],
        edges: vec![Edge { ends: [0, 3], bytes: 8.0 }, Edge { ends: [1, 2], bytes: 5.0 }],
    }
}

fn frame<'a>(objects: &'a Objects, rank_attributes: &'a [Attribute]) -> Frame<'a> {
    Frame {
        phase: 0,
        moment: Moment::Start,
        load_imbalance: 0.0,
        rank_qoi: vec![6.0, 0.0, 4.0],
        rank_attributes,
        objects,
        rank_of: vec![0, 0, 0, 2],
        object_qoi: vec![7.0, 8.0, 9.0, f64::NAN],
    }
}

#[test]
fn vtk_reads_objects() {
    let objects = objects();
    let Some(found) = read(&object_mesh(&scene([2, 2, 1]), &frame(&objects, &[])).unwrap()) else { return };
    // On rank 0, the sentinel comes first, then the other objects by number, at thirds of the tile: two in the lower
    // row and one in the upper row.
    let expected = "points 4 lines 2 error 0
point shared_id 8 9 7 nan
point migratable 0 1 1 1
point load 2 3 1 4
point heat nan 1.5 0.5 2.5
point id 20 10 30 40
point rank_id 0 0 0 2
point scalars shared_id
cell bytes 8 5
cell scalars bytes
at -0.167 -0.167 0
at 0.167 -0.167 0
at -0.167 0.167 0
at 0 1 0
line 2 3
line 0 1
";
    assert_eq!(found, expected);
}

#[test]
fn vtk_reads_ranks() {
    let objects = objects();
    let attributes = [Attribute { name: "temperature".to_owned(), values: vec![20.0, 30.0, 40.0] }];
    let mesh = rank_mesh(&scene([2, 1, 2]), &frame(&objects, &attributes)).unwrap();
    let Some(found) = read(&mesh) else { return };
    let expected = "points 3 lines 0 error 0
point work 6 0 4
point temperature 20 30 40
point rank_id 0 1 2
point scalars work
cell scalars none
at 0 0 0
at 1 0 0
at 0 0 1
";
    assert_eq!(found, expected);
}

#[test]
fn vtk_reads_empty_and_large_meshes() {
    let none = Objects::default();
    let empty = Frame { rank_of: Vec::new(), object_qoi: Vec::new(), ..frame(&none, &[]) };
    if let Some(found) = read(&object_mesh(&scene([3, 1, 1]), &empty).unwrap()) {
        assert!(found.starts_with("points 0 lines 0 error 0\n"), "{found}");
    }
    // Every array except `migratable` has more than one block of compressed bytes.
    let n = 30_000;
    let many = Objects {
        number: (0..u64::from(n)).collect(),
        load: (0..n).map(f64::from).collect(),
        migratable: vec![true; n as usize],
        edges: (1..n).map(|end| Edge { ends: [0, end], bytes: f64::from(end) }).collect(),
        ..Objects::default()
    };
    let on_one = vec![1; n as usize];
    let full = Frame { rank_of: on_one, object_qoi: many.load.clone(), ..frame(&many, &[]) };
    if let Some(found) = read(&object_mesh(&scene([3, 1, 1]), &full).unwrap()) {
        assert!(found.starts_with("points 30000 lines 29999 error 0\n"));
        let loads: Vec<f64> = found
            .lines()
            .find_map(|line| line.strip_prefix("point load "))
            .map(|values| values.split(' ').map(|value| value.parse().unwrap()).collect())
            .unwrap();
        assert_eq!(loads, many.load);
    }
}

/// Checks structure and well-formedness without VTK.
#[test]
fn meshes_are_xml() {
    let objects = objects();
    let mesh = object_mesh(&scene([2, 2, 1]), &frame(&objects, &[])).unwrap();
    let text = String::from_utf8(mesh).unwrap();
    let names: Vec<&str> = text.split("Name=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let expected = [
        "shared_id",
        "migratable",
        "load",
        "heat",
        "id",
        "rank_id",
        "bytes",
        "Points",
        "connectivity",
        "offsets",
    ];
    assert_eq!(names, expected);
    assert!(text.contains("NumberOfPoints=\"4\" NumberOfVerts=\"0\" NumberOfLines=\"2\""));
    let tags: Vec<&str> = text.split('<').skip(2).filter_map(|rest| rest.split('>').next()).collect();
    let mut open = Vec::new();
    for tag in tags {
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name)),
            None if tag.ends_with('/') => {}
            None => open.push(tag.split(' ').next().unwrap_or_default()),
        }
    }
    assert!(open.is_empty());
}
