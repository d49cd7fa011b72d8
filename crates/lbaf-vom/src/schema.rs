// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a document must look like, as data: a small language, and the two documents written in it.
//!
//! It means what Python's `schema` library means on what Python's `json` reads, because that is what other
//! tools check with: 1 is no float and 1.0 no integer, a truth value is no integer, keys that are not named are
//! refused, and empty lists are fine.

mod data_file;
mod json_schema;
mod statistics_file;

use std::fmt;
use std::str::FromStr;

use simd_json::{Node, StaticNode};

pub use json_schema::json_schema;

/// The documents that have a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocumentType {
    /// What a rank recorded of its objects.
    LbDatafile,
    /// Statistics over ranks and objects before and after balancing.
    LbStatsfile,
}

impl DocumentType {
    /// Both of them.
    pub const ALL: [DocumentType; 2] = [DocumentType::LbDatafile, DocumentType::LbStatsfile];

    /// The `type` in files.
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
        found.ok_or_else(|| format!("there is no type `{name}`; known are LBDatafile and LBStatsfile"))
    }
}

/// What a value must be.
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
    /// An object of any content.
    Free,
    /// An array, possibly empty, of such values.
    List(&'static Schema),
    Object(&'static Object),
}

impl Schema {
    /// Whether a value is of the right kind; what is inside of arrays and objects aside.
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

    /// What is expected, with its article.
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

/// An object whose keys are known.
#[derive(Debug)]
pub(crate) struct Object {
    /// What it is, where it needs a name.
    pub(crate) name: &'static str,
    /// In the order in which vt writes them, which is that of the alphabet.
    pub(crate) members: &'static [Member],
    pub(crate) rules: &'static [Rule],
    /// A bit for each member, set if it must be there.
    pub(crate) required: u16,
}

/// A key of an object and what belongs to it.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) key: &'static str,
    pub(crate) required: bool,
    pub(crate) schema: Schema,
}

/// What the members of an object must be together.
#[derive(Debug)]
pub(crate) enum Rule {
    /// One of these keys must be there.
    AnyOf(&'static [&'static str]),
    /// Where `flag` is true and `with` is there, `needed` must be there too.
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
        assert!(members.len() <= 16, "one bit for each member");
        let (mut required, mut at) = (0, 0);
        while at < members.len() {
            required |= (members[at].required as u16) << at;
            at += 1;
        }
        Object { name, members, rules, required }
    }

    /// The position of a member, which is mostly `guess`.
    #[inline]
    pub(crate) fn position(&self, key: &str, guess: usize) -> Option<usize> {
        match self.members.get(guess) {
            Some(member) if member.key == key => Some(guess),
            _ => self.members.iter().position(|member| member.key == key),
        }
    }
}

impl Rule {
    /// Whether the rule is broken by the keys that are there and those whose value is true.
    #[inline]
    pub(crate) fn is_broken(&self, has: impl Fn(&str) -> bool, is_true: impl Fn(&str) -> bool) -> bool {
        match self {
            Rule::AnyOf(keys) => !keys.iter().any(|key| has(key)),
            Rule::NeededWith { flag, with, needed } => is_true(flag) && has(with) && !has(needed),
        }
    }
}
