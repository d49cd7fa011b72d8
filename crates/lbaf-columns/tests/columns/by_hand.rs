// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables of a small data set, worked out by hand.

use lbaf_columns::Tables;

use crate::data_set::{csv, everything, files, read};

/// Returns a table with the rows of phase 0 and its repetition, phase 1, which differ only in the first cell.
fn both_phases(header: &str, rows: &str) -> String {
    assert!(rows.lines().all(|row| row.starts_with("0,")), "each row is on a line of its own");
    let repeated = rows.lines().map(|row| row.replacen('0', "1", 1) + "\n");
    format!("{header}\n{rows}{}", repeated.collect::<String>())
}

#[test]
fn tasks_have_the_values_of_their_records() {
    let header = "phase,rank,id,seq_id,home,migratable,collection_id,objgroup_id,index,node,resource,time_s,\
        n_subphases,task_footprint_bytes,task_working_bytes,task_serialized_bytes,shared_id,shared_bytes,home_rank,\
        rank_working_bytes,user_defined,attributes,other";
    let rows = r#"0,0,18446744073709551615,,0,true,7,,"0,-1",0,cpu,1.5,2,10.0,5.5,7000.0,3,100.0,1,1000.0,"{""colour"":""red, \""dark\"""",""size"":1.50}","{""name"":""a, b"",""tags"":[1,2]}","{""new"":{""deep"":[]}}"
0,0,0,,0,false,,,,0,"",0.0,0,,,,,,,,,,
0,0,,4,,true,7,,"",1,,0.25,0,,,,,,,,,,"{""entity"":{""kind"":""x""}}"
0,1,262151,,1,true,,,2,1,cpu,2.0,0,,,,,,,,,,
0,1,16,,1,false,,2,,1,"gpu, ""1""",0.125,0,,,,3,100.0,,,,,"{""subphases"":""none""}"
"#;
    assert_eq!(csv(&everything()).0.tasks, both_phases(header, rows));
}

#[test]
fn subphases_name_their_object() {
    let header = "phase,rank,id,seq_id,migratable,subphase,time_s,other";
    let rows = r#"0,0,18446744073709551615,,true,0,1.0,
0,0,18446744073709551615,,true,1,0.5,"{""name"":""x, y""}"
"#;
    assert_eq!(csv(&everything()).0.subphases, both_phases(header, rows));
}

#[test]
fn communication_of_every_type_has_its_row() {
    let header = "phase,rank,type,bytes,messages,from_type,from_id,from_seq_id,from_home,from_migratable,\
        from_collection_id,from_objgroup_id,from_index,to_type,to_id,to_seq_id,to_home,to_migratable,\
        to_collection_id,to_objgroup_id,to_index,other";
    let rows = r#"0,0,SendRecv,64.0,2,object,18446744073709551615,,0,true,7,,"0,-1",object,262151,,1,true,7,,,
0,0,SendRecv,0.5,1,object,,4,,true,7,,,object,16,,1,false,,2,,
0,0,CollectionToNode,8.0,1,object,0,,,,,,,node,1,,,,,,,
0,0,NodeToCollection,8.0,1,node,0,,,,,,,object,0,,,,,,,
0,0,Broadcast,4.0,,object,262151,,,,,,,object,0,,,,,,,
0,0,CollectionToNodeBcast,2.0,1,object,262151,,,,,,,node,0,,,,,,,
0,1,NodeToCollectionBcast,1.0,1,node,0,,,,,,,object,262151,,,,,,,
0,1,CollectiveToCollectionBcast,1.0,1,node,1,,,,,,,object,16,,1,,,,,"{""to"":{""unit"":""x""}}"
0,1,ReadOnlyShared,100.0,1,shared_id,3,,,,,,,node,1,,,,,,,
0,1,WriteShared,100.0,1,shared_id,3,,,,,,,node,0,,,,,,,
0,1,SomethingNew,1e-7,1,"something, new",1,,,,,,,object,16,,,,,,,"{""why"":""?""}"
"#;
    assert_eq!(csv(&everything()).0.communications, both_phases(header, rows));
}

/// Rank 0 sends 64 + 0.5 bytes of type `SendRecv` to rank 1. The memory of rank 0 consists of 1000 bytes of its own
/// working memory, 100 bytes of the block, and the footprint (10 bytes) and working memory (5.5 bytes) of an object.
/// Rank 1 has only the block.
#[test]
fn ranks_have_the_totals_of_their_objects() {
    let header = "phase,rank,node_id,node_size,node_rank,n_nodes,rank_alpha,n_objects,n_sentinels,load_s,sent_bytes,\
        received_bytes,memory_bytes,user_defined,attributes";
    let rows = r#"0,0,3,2,0,1,0.5,3,1,1.75,64.5,0.0,1115.5,"{""step"":7}","{""host"":""n, \""0\""""}"
0,1,,,,,,2,1,2.125,0.0,64.5,100.0,,
"#;
    assert_eq!(csv(&everything()).0.ranks, both_phases(header, rows));
}

#[test]
fn keys_that_are_in_no_table_are_counted() {
    let (_, written) = csv(&everything());
    assert_eq!(written.rows, Tables { tasks: 10, subphases: 4, communications: 22, ranks: 4 });
    assert_eq!(
        written.left_out,
        [
            "`metadata.version` is not in any table (number of files with it: 1)",
            "`phases.lb_iterations` is not in any table (number of phase entries with it: 1)"
        ]
    );
}

#[test]
fn tables_without_phases_have_only_a_header() {
    let directory = files(&[r#"{"phases":[]}"#]);
    let (tables, written) = csv(&read(&directory.path().join("d")));
    assert!(
        tables
            .into_array()
            .iter()
            .all(|table| table.starts_with("phase,rank,") && table.lines().count() == 1)
    );
    assert_eq!(written.rows, Tables::default());
}
