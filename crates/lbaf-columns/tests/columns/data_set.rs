// SPDX-License-Identifier: MIT OR Apache-2.0
//! Data sets, and their tables in memory.

use std::path::{Path, PathBuf};

use lbaf_columns::{Format, Options, Tables, Written};
use lbaf_reader::{Recorded, Request};
use tempfile::TempDir;

/// Documents of two ranks with every kind of content of a record. Phase 1 repeats phase 0.
pub(crate) const EVERYTHING: [&str; 2] = [
    r#"{
  "metadata" : { "rank" : 0 , "type" : "LBDatafile" , "rank_alpha" : 0.5 , "attributes" : { "host" : "n, \"0\"" } ,
    "shared_node" : { "id" : 3 , "size" : 2 , "rank" : 0 , "num_nodes" : 1 } , "version" : 2 ,
    "phases" : { "count" : 2 , "identical_to_previous" : { "list" : [ 1 ] , "range" : [] } } } ,
  "phases" : [ { "id" : 0 , "user_defined" : { "step" : 7 } , "lb_iterations" : [] ,
    "tasks" : [
      { "entity" : { "type" : "object" , "id" : 18446744073709551615 , "home" : 0 , "migratable" : true ,
          "collection_id" : 7 , "index" : [ 0 , -1 ] } ,
        "node" : 0 , "resource" : "cpu" , "time" : 1.5 ,
        "subphases" : [ { "id" : 0 , "time" : 1.0 } , { "id" : 1 , "time" : 0.5 , "name" : "x, y" } ] ,
        "user_defined" : { "task_footprint_bytes" : 10 , "task_working_bytes" : 5.5 , "task_serialized_bytes" : 7e3 ,
          "shared_id" : 3 , "shared_bytes" : 100.0 , "home_rank" : 1 , "rank_working_bytes" : 1000 ,
          "colour" : "red, \"dark\"" , "size" : 1.50 } ,
        "attributes" : { "name" : "a, b" , "tags" : [ 1 , 2 ] } , "new" : { "deep" : [ ] } } ,
      { "entity" : { "type" : "object" , "id" : 0 , "home" : 0 , "migratable" : false } ,
        "node" : 0 , "resource" : "" , "time" : 0 } ,
      { "entity" : { "type" : "object" , "seq_id" : 4 , "home" : -1 , "migratable" : true , "collection_id" : 7 ,
          "index" : [] , "kind" : "x" } ,
        "node" : 1 , "time" : 0.25 , "user_defined" : { "shared_id" : -1 , "home_rank" : -1 } , "attributes" : null }
    ] ,
    "communications" : [
      { "type" : "SendRecv" , "bytes" : 64.0 , "messages" : 2 ,
        "from" : { "type" : "object" , "id" : 18446744073709551615 , "home" : 0 , "migratable" : true ,
          "collection_id" : 7 , "index" : [ 0 , -1 ] } ,
        "to" : { "type" : "object" , "id" : 262151 , "home" : 1 , "migratable" : true , "collection_id" : 7 } } ,
      { "type" : "SendRecv" , "bytes" : 0.5 , "messages" : 1 ,
        "from" : { "type" : "object" , "seq_id" : 4 , "migratable" : true , "collection_id" : 7 } ,
        "to" : { "type" : "object" , "id" : 16 , "home" : 1 , "migratable" : false , "objgroup_id" : 2 } } ,
      { "type" : "CollectionToNode" , "bytes" : 8.0 , "messages" : 1 ,
        "from" : { "type" : "object" , "id" : 0 } , "to" : { "type" : "node" , "id" : 1 } } ,
      { "type" : "NodeToCollection" , "bytes" : 8 , "messages" : 1 ,
        "from" : { "type" : "node" , "id" : 0 } , "to" : { "id" : 0 } } ,
      { "type" : "Broadcast" , "bytes" : 4.0 ,
        "from" : { "type" : "object" , "id" : 262151 } , "to" : { "type" : "object" , "id" : 0 } } ,
      { "type" : "CollectionToNodeBcast" , "bytes" : 2.0 , "messages" : 1 ,
        "from" : { "type" : "object" , "id" : 262151 } , "to" : { "type" : "node" , "id" : 0 } }
    ] } ]
}"#,
    r#"{"metadata":{"phases":{"identical_to_previous":{"list":[],"range":[[1,1]]}}},
"phases":[{"id":0,"tasks":[
{"entity":{"home":1,"id":262151,"index":[2],"type":"object"},"node":1,"resource":"cpu","time":2.0},
{"entity":{"home":1,"id":16,"migratable":false,"objgroup_id":2,"type":"object"},"node":1,"resource":"gpu, \"1\"","time":0.125,"user_defined":{"shared_block_id":3,"shared_bytes":100.0},"subphases":"none"}],
"communications":[
{"type":"NodeToCollectionBcast","bytes":1.0,"messages":1,"from":{"type":"node","id":0},"to":{"type":"object","id":262151}},
{"type":"CollectiveToCollectionBcast","bytes":1.0,"messages":1,"from":{"type":"node","id":1},"to":{"type":"object","id":16,"home":1,"unit":"x"}},
{"type":"ReadOnlyShared","bytes":100.0,"messages":1,"from":{"type":"shared_id","id":3},"to":{"type":"node","id":1}},
{"type":"WriteShared","bytes":100.0,"messages":1,"from":{"type":"shared_id","id":3},"to":{"type":"node","id":0}},
{"type":"SomethingNew","bytes":1e-7,"messages":1,"from":{"type":"something, new","id":1},"to":{"type":"object","id":16},"why":"?"}
]}]}"#,
];

/// Writes one file for each rank, with the stem `d`.
pub(crate) fn files(documents: &[&str]) -> TempDir {
    let directory = TempDir::new().unwrap();
    for (rank, document) in documents.iter().enumerate() {
        std::fs::write(directory.path().join(format!("d.{rank}.json")), document).unwrap();
    }
    directory
}

/// Reads a data set with its records.
pub(crate) fn read(stem: &Path) -> Recorded {
    read_as(stem, &Request { records: true, ..Request::default() })
}

pub(crate) fn read_as(stem: &Path, request: &Request<'_>) -> Recorded {
    let located = lbaf_reader::locate(stem, None).unwrap();
    lbaf_reader::read(&located.files, request, &|_| {}).unwrap()
}

pub(crate) fn everything() -> Recorded {
    read(&files(&EVERYTHING).path().join("d"))
}

/// Returns the tables of a data set.
pub(crate) fn write(recorded: &Recorded, options: Options) -> (Tables<Vec<u8>>, Written) {
    let mut sinks = Tables::<Vec<u8>>::default();
    let written = lbaf_columns::write(recorded, options, &mut sinks).unwrap();
    (sinks, written)
}

/// Returns the tables as text.
pub(crate) fn csv(recorded: &Recorded) -> (Tables<String>, Written) {
    let (tables, written) = write(recorded, Options::new(Format::Csv));
    (tables.try_map(String::from_utf8).unwrap(), written)
}

/// Returns the stems of the data sets in `examples/`.
pub(crate) fn examples() -> [PathBuf; 2] {
    ["machine", "quartet"].map(|name| root().join("examples").join(name).join("data"))
}

/// Returns the root directory of the project.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[allow(clippy::print_stderr, reason = "a skipped test must print the reason")]
pub(crate) fn skip(reason: &str) {
    eprintln!("skipped: {reason}");
}
