// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions: groups of tasks that share a model, like the functions of a Chimbuko database.

use std::fmt;

use lbaf_model::{DataSet, ObjectIdx, ObjectKey};

/// Tasks that share a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Grouping {
    /// Tasks of an object: finds phases in which it took unusually long or short.
    #[default]
    Object,
    /// Tasks of a collection: finds objects that differ from their siblings, which is lasting heterogeneity rather
    /// than noise.
    Collection,
    /// Tasks of an index of a collection. An index is one object, unless objects are rebuilt under other ids.
    CollectionIndex,
}

impl Grouping {
    /// All groupings.
    pub const ALL: [Grouping; 3] = [Grouping::Object, Grouping::Collection, Grouping::CollectionIndex];

    /// Returns the name as users write it.
    pub fn name(self) -> &'static str {
        match self {
            Grouping::Object => "object",
            Grouping::Collection => "collection",
            Grouping::CollectionIndex => "collection-index",
        }
    }

    /// True if the grouping uses collections; data must then be read with coordinates.
    pub fn needs_coordinates(self) -> bool {
        self != Grouping::Object
    }
}

/// Identity of a function.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FunctionKey {
    /// A collection.
    Collection(u64),
    /// An element of a collection, or an index without a collection.
    Element(Option<u64>, Vec<i64>),
    /// An object; in groupings by collection, one without a collection.
    Object(ObjectKey),
}

impl fmt::Display for FunctionKey {
    /// Writes the name of the function in a database: `object 17`, `collection 7`, `collection 7 [0,3]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FunctionKey::Collection(collection) => write!(f, "collection {collection}"),
            FunctionKey::Element(collection, index) => {
                match collection {
                    Some(collection) => write!(f, "collection {collection} [")?,
                    None => f.write_str("index [")?,
                }
                for (at, number) in index.iter().enumerate() {
                    write!(f, "{}{number}", if at > 0 { "," } else { "" })?;
                }
                f.write_str("]")
            }
            FunctionKey::Object(key) => {
                let name = key.to_string();
                write!(f, "object {}", name.strip_prefix("id ").unwrap_or(&name))
            }
        }
    }
}

/// Functions of a data set, numbered in ascending order of their keys.
#[derive(Clone, Debug)]
pub struct Functions {
    keys: Vec<FunctionKey>,
    /// Function of each object; `None` if each object is a function with the same number.
    of_objects: Option<Vec<u32>>,
}

impl Functions {
    /// Groups the objects of a data set. O(objects × phases) at most, O(objects) if each object is a function.
    pub fn of(data: &DataSet, grouping: Grouping) -> Self {
        if grouping == Grouping::Object {
            let keys = data.keys().iter().map(|&key| FunctionKey::Object(key)).collect();
            return Functions { keys, of_objects: None };
        }
        let mut of_objects: Vec<Option<FunctionKey>> = vec![None; data.n_objects()];
        for phase in data.phases() {
            for slot in phase.slots() {
                let object = phase.object(slot);
                // The collection of an object never changes: the first phase that records it counts.
                if of_objects[object.index()].is_none() {
                    let coordinates = phase.coordinates();
                    let of_collection = || coordinates?.collection(slot).map(FunctionKey::Collection);
                    let element = || {
                        let (space, index) = coordinates?.of(slot)?;
                        let collection = coordinates?.spaces()[space].collection;
                        Some(FunctionKey::Element(collection, index.to_vec()))
                    };
                    of_objects[object.index()] = match grouping {
                        Grouping::CollectionIndex => element().or_else(of_collection),
                        _ => of_collection(),
                    };
                }
            }
        }
        let of_objects: Vec<FunctionKey> = of_objects
            .into_iter()
            .zip(data.keys())
            .map(|(function, &key)| function.unwrap_or(FunctionKey::Object(key)))
            .collect();
        let mut keys = of_objects.clone();
        keys.sort_unstable();
        keys.dedup();
        let number = |key: &FunctionKey| keys.partition_point(|other| other < key) as u32;
        let of_objects = of_objects.iter().map(number).collect();
        Functions { keys, of_objects: Some(of_objects) }
    }

    /// Number of functions.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// True if there are no functions.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Returns the keys by number of the function.
    pub fn keys(&self) -> &[FunctionKey] {
        &self.keys
    }

    /// Returns the function of an object.
    pub fn of_object(&self, object: ObjectIdx) -> usize {
        self.of_objects.as_ref().map_or(object.index(), |functions| functions[object.index()] as usize)
    }
}
