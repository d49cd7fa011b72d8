// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random data sets in every JSON form: blocks with and without a home, memory of ranks, communication of every
//! type, non-migratable objects that share a number, empty ranks, repeated phases.

use serde_json::{Map, Value, json};

use super::draw::Draw;
use super::settings::Strategy;
use crate::workspace::Workspace;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Form {
    NodeStats,
    Packed,
    Sequence,
}

/// Frequency with which a fact is stated.
#[derive(Clone, Copy, PartialEq)]
enum Stated {
    Never,
    Sometimes,
    Always,
    /// Always, with contradicting values.
    Differently,
}

const STATED: [Stated; 4] = [Stated::Never, Stated::Sometimes, Stated::Always, Stated::Differently];

/// Completeness of the entities of tasks and endpoints.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Entities {
    /// All keys that vt needs.
    ForVt,
    /// Some entities lack optional keys.
    Short,
    /// As `Short`, and endpoints may state another home than their objects.
    Stale,
}

struct Object {
    number: u64,
    home: u64,
    migratable: bool,
    block: Option<u64>,
}

/// A data set and the properties that settings of a run depend on.
pub(super) struct Data {
    pub(super) form: Form,
    pub(super) n_ranks: u64,
    /// Phases that have an entry or repeat one.
    pub(super) phases: Vec<u64>,
    /// Numbers of the migratable objects. A phase may lack some of them.
    pub(super) migratable: Vec<u64>,
    objects: Vec<Object>,
    pub(super) entities: Entities,
    /// True if all objects are in all phases.
    is_whole: bool,
    homes: Stated,
    rank_bytes: Stated,
    has_memory: bool,
}

impl Data {
    /// Draws a data set that meets the requirements of the strategy and, on request, of vt. Writes it as
    /// `data.<rank>.json`.
    pub(super) fn write(
        draw: &mut Draw,
        strategy: &Strategy,
        is_for_vt: bool,
        workspace: &Workspace,
    ) -> Self {
        let Strategy { needs_small_data: is_small, needs_whole_phases: is_whole, .. } = *strategy;
        let forms =
            [Form::Packed, Form::Packed, Form::Packed, Form::Sequence, Form::Sequence, Form::NodeStats];
        // The oldest form does not state which objects are migratable.
        let form = draw.of(&forms[..forms.len() - usize::from(is_for_vt)]);
        let n_ranks = if is_small { 2 + draw.below(2) } else { 1 + draw.below(6) };
        let objects = objects(draw, form, is_for_vt, n_ranks, if is_small { 5 } else { 16 });
        let mut data = Data {
            form,
            n_ranks,
            phases: Vec::new(),
            migratable: objects
                .iter()
                .filter(|object| object.migratable)
                .map(|object| object.number)
                .collect(),
            objects,
            entities: if is_for_vt {
                Entities::ForVt
            } else {
                draw.of(&[Entities::Short, Entities::Short, Entities::Stale])
            },
            is_whole,
            homes: draw.of(&STATED),
            rank_bytes: draw.of(&STATED),
            has_memory: !draw.once_in(6),
        };
        let mut files: Vec<Value> = (0..n_ranks).map(|rank| data.file(draw, rank)).collect();
        let mut id = draw.below(3);
        for _ in 0..=draw.below(3) + u64::from(is_whole) {
            data.phase(draw, id, &mut files);
            data.phases.push(id);
            id += 1;
            if form != Form::NodeStats && draw.once_in(4) {
                for file in &mut files {
                    let repeated = &mut file["metadata"]["phases"]["identical_to_previous"]["list"];
                    repeated.as_array_mut().expect("a list").push(json!(id));
                }
                data.phases.push(id);
                id += 1;
            }
            // vt applies no migration across a skipped phase.
            id += u64::from(draw.once_in(5) && !is_whole && !is_for_vt);
        }
        for (rank, file) in files.iter().enumerate() {
            let text = if draw.once_in(3) {
                serde_json::to_string_pretty(file)
            } else {
                serde_json::to_string(file)
            };
            workspace.write(&format!("data.{rank}.json"), text.expect("values can be printed"));
        }
        data
    }

    fn file(&self, draw: &mut Draw, rank: u64) -> Value {
        if self.form == Form::NodeStats {
            return json!({"phases": []});
        }
        let nothing = || json!({"list": [], "range": []});
        let mut metadata = json!({
            "type": "LBDatafile",
            "rank": rank,
            "phases": {"skipped": nothing(), "identical_to_previous": nothing()},
        });
        if draw.once_in(3) {
            metadata["rank_alpha"] = draw.of(&[json!(1.0), json!(2.5), json!(0.75)]);
        }
        if draw.once_in(3) {
            metadata["attributes"] = json!({"Hostname": format!("n{}", rank / 2), "other": [1, {"a": 2}]});
        }
        if draw.once_in(3) {
            metadata["shared_node"] = json!({"id": rank / 2, "size": 2, "rank": rank % 2, "num_nodes": 3});
        }
        json!({"metadata": metadata, "phases": []})
    }

    /// Adds a phase to all files.
    fn phase(&self, draw: &mut Draw, id: u64, files: &mut [Value]) {
        let spread = 1 + draw.below(self.n_ranks);
        let rank_bytes: Vec<Value> = (0..self.n_ranks).map(|_| draw.amount(1.0)).collect();
        let sizes: Vec<Value> = (0..8).map(|_| draw.amount(1.0)).collect();
        let mut tasks: Vec<Vec<Value>> = vec![Vec::new(); files.len()];
        let mut communications: Vec<Vec<Value>> = vec![Vec::new(); files.len()];
        let mut owners = Vec::new();
        for object in &self.objects {
            let ranks = match object.migratable {
                _ if draw.once_in(8) && !self.is_whole => Vec::new(),
                true => vec![draw.below(spread)],
                false => (0..self.n_ranks).filter(|_| draw.once_in(2)).collect(),
            };
            for &rank in &ranks {
                let task = self.task(draw, object, rank, &rank_bytes, &sizes);
                tasks[rank as usize].push(task);
            }
            owners.push(ranks);
        }
        for _ in 0..draw.below(3 * self.objects.len() as u64) {
            let (entry, rank) = self.communication(draw, &owners);
            communications[rank as usize].push(entry);
        }
        for ((file, tasks), communications) in files.iter_mut().zip(tasks).zip(communications) {
            let mut phase = json!({"id": id, "tasks": tasks});
            if !communications.is_empty() {
                phase["communications"] = json!(communications);
            }
            file["phases"].as_array_mut().expect("a list").push(phase);
        }
    }

    fn task(
        &self,
        draw: &mut Draw,
        object: &Object,
        rank: u64,
        rank_bytes: &[Value],
        sizes: &[Value],
    ) -> Value {
        let mut task = json!({
            "entity": self.entity(object),
            "node": rank,
            "resource": "cpu",
            "time": draw.amount(0.125),
        });
        if draw.once_in(5) && self.entities != Entities::ForVt {
            task.as_object_mut().expect("an object").remove("node");
        }
        let mut facts = Map::new();
        if draw.once_in(3) {
            facts.insert("other \\ \"key\"".to_owned(), json!({"a": [1, "b"]}));
        }
        if self.has_memory {
            for key in ["task_footprint_bytes", "task_working_bytes", "task_serialized_bytes"] {
                if !draw.once_in(3) {
                    facts.insert(key.to_owned(), draw.amount(1.0));
                }
            }
            let bytes = match self.rank_bytes {
                Stated::Never => None,
                Stated::Sometimes => draw.once_in(3).then(|| rank_bytes[rank as usize].clone()),
                Stated::Always => Some(rank_bytes[rank as usize].clone()),
                Stated::Differently => Some(draw.of(rank_bytes)),
            };
            facts.extend(bytes.map(|bytes| ("rank_working_bytes".to_owned(), bytes)));
            if let Some(block) = object.block {
                self.add_block(draw, block, sizes, &mut facts);
            }
        }
        if !facts.is_empty() || draw.once_in(3) {
            task["user_defined"] = Value::Object(facts);
        }
        task
    }

    fn add_block(&self, draw: &mut Draw, block: u64, sizes: &[Value], facts: &mut Map<String, Value>) {
        let key = if draw.once_in(5) { "shared_block_id" } else { "shared_id" };
        facts.insert(key.to_owned(), json!(block));
        let size = if draw.once_in(12) { draw.of(sizes) } else { sizes[block as usize].clone() };
        facts.insert("shared_bytes".to_owned(), size);
        let home = match self.homes {
            Stated::Never => None,
            Stated::Sometimes => {
                (block.is_multiple_of(2) && !draw.once_in(3)).then_some(json!(block % self.n_ranks))
            }
            Stated::Always => Some(json!(block % self.n_ranks)),
            Stated::Differently if draw.once_in(3) => Some(json!(-1)),
            Stated::Differently => Some(json!(draw.below(self.n_ranks))),
        };
        facts.extend(home.map(|home| ("home_rank".to_owned(), home)));
    }

    fn entity(&self, object: &Object) -> Value {
        let mut entity = json!({"type": "object", "home": object.home});
        match self.form {
            Form::Sequence => {
                entity["seq_id"] = json!(object.number);
                entity["collection_id"] = json!(7);
            }
            Form::NodeStats if !object.migratable => entity["id"] = json!(object.number),
            _ => {
                entity["id"] = json!(object.number);
                entity["collection_id"] = json!(7);
            }
        }
        if self.form != Form::NodeStats {
            entity["migratable"] = json!(object.migratable);
        }
        if object.migratable {
            entity["index"] = json!([object.number >> 18, object.number % 5]);
        }
        entity
    }

    /// Returns an endpoint of a communication, with all or some of the keys of its task.
    fn end(&self, draw: &mut Draw, object: &Object) -> Value {
        let mut end = self.entity(object);
        let members = end.as_object_mut().expect("an object");
        members.remove("index");
        for key in ["home", "migratable", "collection_id"] {
            if draw.once_in(4) && self.entities != Entities::ForVt {
                members.remove(key);
            }
        }
        if self.entities == Entities::Stale && draw.once_in(4) {
            end["home"] = json!(draw.below(self.n_ranks));
        }
        end
    }

    /// Returns an entry and the rank that logs the entry: rank of the sender, rank of the receiver, or another rank.
    fn communication(&self, draw: &mut Draw, owners: &[Vec<u64>]) -> (Value, u64) {
        let kind = draw.of(&[
            "SendRecv",
            "SendRecv",
            "SendRecv",
            "Broadcast",
            "CollectionToNode",
            "NodeToCollection",
            "ReadOnlyShared",
            "WriteShared",
        ]);
        let [first, second] = [0; 2].map(|_| draw.below(self.objects.len() as u64) as usize);
        let [from, to] = [first, second].map(|at| self.end(draw, &self.objects[at]));
        let node = json!({"type": "node", "id": draw.below(self.n_ranks)});
        let block = json!({"type": "shared_id", "id": draw.below(6)});
        let (from, to) = match kind {
            "CollectionToNode" => (from, node),
            "NodeToCollection" => (node, to),
            "ReadOnlyShared" | "WriteShared" => (block, node),
            _ => (from, to),
        };
        let candidates = [&owners[first][..], &owners[second], &[draw.below(self.n_ranks)]].concat();
        let entry = json!({"type": kind, "from": from, "to": to, "messages": 1 + draw.below(3), "bytes": draw.amount(100.0)});
        (entry, draw.of(&candidates))
    }
}

fn objects(draw: &mut Draw, form: Form, is_for_vt: bool, n_ranks: u64, most: u64) -> Vec<Object> {
    let n_migratable = 1 + draw.below(most);
    let n_blocks = 1 + draw.below(6);
    let has_blocks = !draw.once_in(5);
    let block = |draw: &mut Draw| (has_blocks && !draw.once_in(4)).then(|| draw.below(n_blocks));
    let mut objects: Vec<Object> = (1..=n_migratable)
        .map(|sequence| {
            let home = draw.below(n_ranks);
            Object { number: number(form, sequence, home, true), home, migratable: true, block: block(draw) }
        })
        .collect();
    for sequence in 0..draw.below(3) {
        let home = draw.below(n_ranks);
        // The initial task of vt has the number 0 on every rank.
        let number = if sequence == 0 { 0 } else { number(form, 100 + sequence, home, false) };
        objects.push(Object { number, home, migratable: false, block: block(draw) });
    }
    // A non-migratable object with the number of a migratable one.
    if form == Form::Sequence && draw.once_in(4) && !is_for_vt {
        objects.push(Object { number: 1, home: draw.below(n_ranks), migratable: false, block: None });
    }
    objects
}

fn number(form: Form, sequence: u64, home: u64, migratable: bool) -> u64 {
    match form {
        Form::NodeStats => (sequence << 32) | home,
        Form::Packed => (sequence << 18) | (home << 2) | if migratable { 3 } else { 2 },
        Form::Sequence => sequence,
    }
}
