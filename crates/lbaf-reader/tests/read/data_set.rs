// SPDX-License-Identifier: MIT OR Apache-2.0
//! Data sets of files in a temporary directory.

use std::path::PathBuf;

use lbaf_model::{Assignment, ObjectKey, Phase, PhaseId, Vertex};
use lbaf_reader::{Located, ReadError, Recorded, Request, locate, read, visit};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Data set with the stem `d`, one document for each rank.
pub(crate) struct DataSet {
    pub(crate) directory: TempDir,
}

impl DataSet {
    pub(crate) fn new(documents: &[Value]) -> Self {
        let directory = TempDir::new().unwrap();
        for (rank, document) in documents.iter().enumerate() {
            let path = directory.path().join(format!("d.{rank}.json"));
            std::fs::write(path, document.to_string()).unwrap();
        }
        DataSet { directory }
    }

    /// Creates a data set with phase 0 from (tasks, communications) of each rank.
    pub(crate) fn of_phase(ranks: &[(Value, Value)]) -> Self {
        let document = |(tasks, communications): &(Value, Value)| json!({"phases": [{"id": 0, "tasks": tasks, "communications": communications}]});
        DataSet::new(&ranks.iter().map(document).collect::<Vec<_>>())
    }

    pub(crate) fn located(&self) -> Located {
        locate(&self.directory.path().join("d"), None).unwrap()
    }

    pub(crate) fn file(&self, rank: usize) -> PathBuf {
        self.located().files[rank].clone()
    }

    /// Reads the data set. Checks that a visit and another reading have the same result, with rows in memory or in a
    /// temporary file.
    pub(crate) fn read_as(&self, request: &Request<'_>) -> Result<Recorded, ReadError> {
        let recorded = read(&self.located().files, request, &|_| {});
        for row_memory_bytes in [0, usize::MAX] {
            self.check_visit(&recorded, &Request { row_memory_bytes, ..*request });
            self.check_read(&recorded, &Request { row_memory_bytes, ..*request });
        }
        recorded
    }

    fn check_read(&self, recorded: &Result<Recorded, ReadError>, request: &Request<'_>) {
        match (recorded, read(&self.located().files, request, &|_| {})) {
            (Ok(recorded), Ok(again)) => {
                assert_eq!(seen(&again.data), seen(&recorded.data));
                assert_eq!(format!("{:?}", again.findings), format!("{:?}", recorded.findings));
            }
            (recorded, again) => {
                let found = again.map(|_| ()).unwrap_err().to_string();
                assert_eq!(found, recorded.as_ref().map(|_| ()).unwrap_err().to_string());
            }
        }
    }

    fn check_visit(&self, recorded: &Result<Recorded, ReadError>, request: &Request<'_>) {
        let visited = visit(&self.located().files, request, &|_| {}, &|data, findings| {
            let seen = seen(data);
            assert_eq!(seen.iter().map(|phase| phase.0).collect::<Vec<_>>(), [findings.id]);
            seen
        });
        match (recorded, visited) {
            (Ok(Recorded { data, findings, .. }), Ok(visited)) => {
                assert_eq!(visited.results.concat(), seen(data));
                assert_eq!((visited.n_ranks, visited.n_objects), (data.n_ranks(), data.n_objects()));
                assert_eq!(format!("{:?}", visited.findings), format!("{findings:?}"));
            }
            (recorded, visited) => {
                let found = visited.map(|_| ()).unwrap_err().to_string();
                assert_eq!(found, recorded.as_ref().map(|_| ()).unwrap_err().to_string());
            }
        }
    }

    pub(crate) fn read(&self) -> Recorded {
        self.read_as(&Request::default()).unwrap()
    }

    /// Returns the error of an invalid data set, with file names but without the directory.
    pub(crate) fn error(&self) -> String {
        let message = self.read_as(&Request::default()).unwrap_err().to_string();
        let directory = format!("{}/", self.directory.path().display());
        message.replace(&directory, "")
    }
}

/// Returns number, digest, objects and recorded placement of every phase.
fn seen(data: &lbaf_model::DataSet) -> Vec<(PhaseId, u64, Vec<ObjectKey>, Assignment)> {
    let key = |phase: &Phase, slot| data.key(phase.object(slot));
    let keys = |phase: &Phase| phase.slots().map(|slot| key(phase, slot)).collect::<Vec<_>>();
    let facts =
        |phase: &Phase| (phase.id(), phase.digest(), keys(phase), phase.recorded_assignment().clone());
    data.phases().iter().map(facts).collect()
}

/// Returns a task of a migratable object.
pub(crate) fn task(id: u64, time: f64) -> Value {
    json!({"entity": {"id": id, "type": "object", "migratable": true}, "node": 0, "time": time})
}

/// Returns a task of a non-migratable object.
pub(crate) fn sentinel(id: u64, time: f64) -> Value {
    json!({"entity": {"id": id, "type": "object", "migratable": false}, "node": 0, "time": time})
}

/// Returns a communication between objects.
pub(crate) fn send(from: &Value, to: &Value, bytes: f64) -> Value {
    json!({"type": "SendRecv", "from": from, "to": to, "bytes": bytes, "messages": 2})
}

/// Returns an endpoint that consists only of a number.
pub(crate) fn id(id: u64) -> Value {
    json!({"type": "object", "id": id})
}

/// Returns the edges of phase 0: objects as (number, recorded rank), ranks as (none, rank).
pub(crate) fn edges(recorded: &Recorded) -> Vec<[(Option<u64>, u32); 2]> {
    let phase = recorded.data.phase(PhaseId(0)).unwrap();
    let place = |vertex| match vertex {
        Vertex::Object(slot) => {
            let number = recorded.data.key(phase.object(slot)).number;
            (Some(number), phase.recorded_assignment().rank_of(slot).0)
        }
        Vertex::Rank(rank) => (None, rank.0),
    };
    phase.communication().edges().map(|(from, to, _)| [place(from), place(to)]).collect()
}
