// SPDX-License-Identifier: MIT OR Apache-2.0
//! Schemas of the documents as data: a small schema language, and two schemas in it.
//!
//! The semantics are those of Python's `schema` library on documents read by Python's `json`, with which other tools
//! validate: 1 is not a float, 1.0 is not an integer, a Boolean is not an integer, unknown keys are rejected, and
//! empty lists are valid.

mod data_file;
mod json_schema;
mod statistics_file;

use std::fmt;
use std::str::FromStr;

use simd_json::{Node, StaticNode};

pub use json_schema::json_schema;

/// Document types that have a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocumentType {
    /// Records of one rank about its objects.
    LbDatafile,
    /// Statistics over ranks and objects before and after balancing.
    LbStatsfile,
}

impl DocumentType {
    /// All document types.
    pub const ALL: [DocumentType; 2] = [DocumentType::LbDatafile, DocumentType::LbStatsfile];

    /// Returns the `type` in files.
    pub fn name(self) -> &'static str {
        match self {
            DocumentType::LbDatafile => "LBDatafile",
            DocumentType::LbStatsfile => "LBStatsfile",
        }
    }

    pub(crate) fn schema(self) -> &'static Schema {
        match self {
            DocumentType::LbDatafile => &data_file::DATA_FILE,
            DocumentType::LbStatsfile => &statistics_file::STATISTICS_FILE,
        }
    }
}

impl fmt::Display for DocumentType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for DocumentType {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|document| document.name() == name);
        found.ok_or_else(|| format!("unknown type `{name}`; the known types are LBDatafile and LBStatsfile"))
    }
}

/// Schema of a value.
#[derive(Debug)]
pub(crate) enum Schema {
    /// A number without fraction and exponent.
    Integer,
    /// A number with a fraction or an exponent.
    Float,
    Boolean,
    String,
    /// One of these strings.
    OneOf(&'static [&'static str]),
    /// An object with arbitrary content.
    Free,
    /// An array, possibly empty, of values of this schema.
    List(&'static Schema),
    Object(&'static Object),
}

impl Schema {
    /// True if the value matches by itself. The content of an array or object is not checked.
    #[inline]
    pub(crate) fn admits(&self, value: Node<'_>) -> bool {
        match (self, value) {
            (Schema::Integer, Node::Static(StaticNode::I64(_) | StaticNode::U64(_)))
            | (Schema::Float, Node::Static(StaticNode::F64(_)))
            | (Schema::Boolean, Node::Static(StaticNode::Bool(_)))
            | (Schema::String, Node::String(_))
            | (Schema::List(_), Node::Array { .. })
            | (Schema::Free | Schema::Object(_), Node::Object { .. }) => true,
            (Schema::OneOf(words), Node::String(word)) => words.contains(&word),
            _ => false,
        }
    }

    /// Returns a description of the expected value, with an article if it has one.
    pub(crate) fn noun(&self) -> String {
        match self {
            Schema::Integer => "an integer".to_owned(),
            Schema::Float => "a float".to_owned(),
            Schema::Boolean => "true or false".to_owned(),
            Schema::String => "a string".to_owned(),
            Schema::OneOf(words) => {
                words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(" or ")
            }
            Schema::List(_) => "an array".to_owned(),
            Schema::Free | Schema::Object(_) => "an object".to_owned(),
        }
    }
}

/// Schema of an object with known keys.
#[derive(Debug)]
pub(crate) struct Object {
    /// Name of the object in the JSON Schema.
    pub(crate) name: &'static str,
    /// Members in the order of vt, which is alphabetical.
    pub(crate) members: &'static [Member],
    pub(crate) rules: &'static [Rule],
    /// Bit mask of the required members.
    pub(crate) required: u16,
}

/// Key of an object and the schema of its value.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) key: &'static str,
    pub(crate) required: bool,
    pub(crate) schema: Schema,
}

/// Constraint on several members of an object.
#[derive(Debug)]
pub(crate) enum Rule {
    /// At least one of these keys is required.
    AnyOf(&'static [&'static str]),
    /// If `flag` is true and `with` is present, `needed` is required.
    NeededWith { flag: &'static str, with: &'static str, needed: &'static str },
}

const fn required(key: &'static str, schema: Schema) -> Member {
    Member { key, required: true, schema }
}

const fn optional(key: &'static str, schema: Schema) -> Member {
    Member { key, required: false, schema }
}

impl Object {
    const fn new(name: &'static str, members: &'static [Member], rules: &'static [Rule]) -> Self {
        assert!(members.len() <= 16, "invariant: the bit mask has 16 bits, one for each member");
        let (mut required, mut at) = (0, 0);
        while at < members.len() {
            required |= (members[at].required as u16) << at;
            at += 1;
        }
        Object { name, members, rules, required }
    }

    /// Returns the position of the member with this key, or `None` if the schema lacks it. `guess` is tried first.
    #[inline]
    pub(crate) fn position(&self, key: &str, guess: usize) -> Option<usize> {
        match self.members.get(guess) {
            Some(member) if member.key == key => Some(guess),
            _ => self.members.iter().position(|member| member.key == key),
        }
    }
}

impl Rule {
    /// True if the rule is violated, given the present keys and those whose value is true.
    #[inline]
    pub(crate) fn is_broken(&self, has: impl Fn(&str) -> bool, is_true: impl Fn(&str) -> bool) -> bool {
        match self {
            Rule::AnyOf(keys) => !keys.iter().any(|key| has(key)),
            Rule::NeededWith { flag, with, needed } => is_true(flag) && has(with) && !has(needed),
        }
    }
}
