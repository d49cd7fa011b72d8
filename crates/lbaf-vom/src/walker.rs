// SPDX-License-Identifier: MIT OR Apache-2.0
//! Traversal of a parsed document with the byte offset of every value.
//!
//! simd-json produces a tape of values without offsets, and the offsets of all structural characters without values
//! (one for each bracket, brace, colon and comma, and one for the start of each string or other scalar). Reading both
//! in lockstep yields typed values and their offsets in one pass, without a tree and without allocation.

use simd_json::{Node, StaticNode};

use crate::Span;
use crate::error::{Mismatch, Step};

pub(crate) type Walked<T> = Result<T, Mismatch>;

/// Cursor at a value. Copy it to look ahead.
///
/// Following the structural characters costs a fifth of the traversal time. A traversal without offsets (`PLACED =
/// false`) does not follow these characters. Its errors have no offset, so it is repeated with offsets after an error.
#[derive(Clone, Copy)]
pub(crate) struct Walker<'a, const PLACED: bool> {
    nodes: &'a [Node<'a>],
    structurals: &'a [u32],
    node: usize,
    structural: usize,
}

impl<'a, const PLACED: bool> Walker<'a, PLACED> {
    pub(crate) fn new(nodes: &'a [Node<'a>], structurals: &'a [u32]) -> Self {
        Walker { nodes, structurals, node: 0, structural: 0 }
    }

    /// Returns a cursor at the same value that does not track offsets.
    pub(crate) fn unplaced(self) -> Walker<'a, false> {
        Walker {
            nodes: self.nodes,
            structurals: self.structurals,
            node: self.node,
            structural: self.structural,
        }
    }

    /// Returns the byte offset of the current value, or 0 if offsets are not tracked.
    #[inline]
    pub(crate) fn offset(&self) -> u32 {
        if PLACED { self.structurals[self.structural] } else { 0 }
    }

    #[inline]
    fn step(&mut self) {
        self.node += 1;
        self.pass(1);
    }

    /// Skips structural characters.
    #[inline]
    fn pass(&mut self, structurals: usize) {
        if PLACED {
            self.structural += structurals;
        }
    }

    /// Returns the current value; for containers, without the content.
    #[inline]
    pub(crate) fn ahead(&self) -> Node<'a> {
        self.nodes[self.node]
    }

    /// Reads an object: `each` is called at every value and must consume it. Returns the span of the object.
    #[inline]
    pub(crate) fn object(&mut self, mut each: impl FnMut(&mut Self, &'a str) -> Walked<()>) -> Walked<Span> {
        let start = self.offset();
        let Node::Object { len, .. } = self.nodes[self.node] else {
            return Err(self.mismatch("an object"));
        };
        self.step();
        for member in 0..len {
            let key = self.key(member);
            each(self, key).map_err(|error| error.inside(Step::Key(key.to_owned())))?;
        }
        Ok(self.close(start))
    }

    /// Reads an array: `each` is called at every element and must consume it. Returns the span of the array.
    #[inline]
    pub(crate) fn array(&mut self, mut each: impl FnMut(&mut Self, usize) -> Walked<()>) -> Walked<Span> {
        let start = self.offset();
        let Node::Array { len, .. } = self.nodes[self.node] else {
            return Err(self.mismatch("an array"));
        };
        self.step();
        for index in 0..len {
            self.pass(usize::from(index > 0));
            each(self, index).map_err(|error| error.inside(Step::Index(index)))?;
        }
        Ok(self.close(start))
    }

    /// Calls `found` for the members of the current object until it returns true. `found` may leave the value unread.
    /// Consumes the walker, whose position is undefined afterwards.
    pub(crate) fn find(mut self, mut found: impl FnMut(Self, &'a str) -> Walked<bool>) -> Walked<()> {
        let Node::Object { len, .. } = self.nodes[self.node] else {
            return Err(self.mismatch("an object"));
        };
        self.step();
        for member in 0..len {
            let key = self.key(member);
            if found(self, key).map_err(|error| error.inside(Step::Key(key.to_owned())))? {
                return Ok(());
            }
            self.skip();
        }
        Ok(())
    }

    /// Returns a walker at the last value of a key, or `None` without such a key or if the current value is not an
    /// object.
    pub(crate) fn member(self, wanted: &str) -> Option<Self> {
        let mut value = None;
        let looked = self.find(|walker, key| {
            if key == wanted {
                value = Some(walker);
            }
            Ok(false)
        });
        looked.ok().and(value)
    }

    /// Reads the key of a member. Skips the colon after it and, except for the first member, the comma before it.
    #[inline]
    fn key(&mut self, member: usize) -> &'a str {
        self.pass(usize::from(member > 0));
        let Node::String(key) = self.nodes[self.node] else {
            unreachable!("invariant: the tape of an object alternates keys and values")
        };
        self.node += 1;
        self.pass(2);
        key
    }

    /// Skips the closing bracket of a container that began at `start`. Returns the container's span.
    fn close(&mut self, start: u32) -> Span {
        let end = self.offset() + u32::from(PLACED);
        self.pass(1);
        Span { start, end }
    }

    /// Returns the number of elements or members of the current container, or 0 for scalars.
    pub(crate) fn len(&self) -> usize {
        match self.nodes[self.node] {
            Node::Array { len, .. } | Node::Object { len, .. } => len,
            Node::String(_) | Node::Static(_) => 0,
        }
    }

    /// Skips a value.
    #[inline]
    pub(crate) fn skip(&mut self) {
        let end = match self.nodes[self.node] {
            Node::String(_) | Node::Static(_) => return self.step(),
            Node::Array { count, .. } | Node::Object { count, .. } => self.node + 1 + count,
        };
        if !PLACED {
            self.node = end;
            return;
        }
        // Each node has one structural character. A container adds its closing bracket and commas, an object also its
        // colons.
        let mut structurals = end - self.node;
        for node in &self.nodes[self.node..end] {
            structurals += match node {
                Node::Object { len, .. } => 1 + len + len.saturating_sub(1),
                Node::Array { len, .. } => 1 + len.saturating_sub(1),
                Node::String(_) | Node::Static(_) => 0,
            };
        }
        self.node = end;
        self.structural += structurals;
    }

    /// Skips a value within a container and returns its span, which is empty if offsets are not tracked. The span of a
    /// string or other scalar includes the white space after it, because the next known offset is that of the following
    /// comma or bracket.
    #[inline]
    pub(crate) fn skip_spanned(&mut self) -> Span {
        let start = self.offset();
        let container = matches!(self.nodes[self.node], Node::Array { .. } | Node::Object { .. });
        self.skip();
        if !PLACED {
            return Span::default();
        }
        let end = if container {
            self.structurals[self.structural - 1] + 1
        } else {
            self.structurals[self.structural]
        };
        Span { start, end }
    }

    #[inline]
    pub(crate) fn string(&mut self) -> Walked<&'a str> {
        let Node::String(string) = self.nodes[self.node] else {
            return Err(self.mismatch("a string"));
        };
        self.step();
        Ok(string)
    }

    /// Reads a non-negative number: a time, size or number of bytes.
    #[inline]
    pub(crate) fn magnitude(&mut self) -> Walked<f64> {
        let number = self.number_ahead()?;
        if number >= 0.0 {
            self.step();
            Ok(number)
        } else {
            Err(self.mismatch("a non-negative number"))
        }
    }

    /// Returns the current number as a float; integers are rounded as by `as`.
    #[inline]
    pub(crate) fn number_ahead(&self) -> Walked<f64> {
        match self.nodes[self.node] {
            Node::Static(StaticNode::F64(float)) => Ok(float),
            Node::Static(StaticNode::I64(integer)) => Ok(integer as f64),
            Node::Static(StaticNode::U64(integer)) => Ok(integer as f64),
            _ => Err(self.mismatch("a number")),
        }
    }

    /// Reads an exact integer from 0 to 2^64 - 1.
    #[inline]
    pub(crate) fn unsigned(&mut self) -> Walked<u64> {
        let unsigned = match self.nodes[self.node] {
            Node::Static(StaticNode::U64(integer)) => integer,
            Node::Static(StaticNode::I64(integer)) if integer >= 0 => integer.cast_unsigned(),
            _ => return Err(self.mismatch("a whole number from 0 to 2^64 - 1")),
        };
        self.step();
        Ok(unsigned)
    }

    /// Reads an integer of either sign, for fields in which -1 means "none".
    #[inline]
    pub(crate) fn integer(&mut self) -> Walked<i64> {
        let integer = match self.nodes[self.node] {
            Node::Static(StaticNode::I64(integer)) => integer,
            Node::Static(StaticNode::U64(integer)) if i64::try_from(integer).is_ok() => integer.cast_signed(),
            _ => return Err(self.mismatch("a whole number")),
        };
        self.step();
        Ok(integer)
    }

    #[inline]
    pub(crate) fn boolean(&mut self) -> Walked<bool> {
        let Node::Static(StaticNode::Bool(boolean)) = self.nodes[self.node] else {
            return Err(self.mismatch("true or false"));
        };
        self.step();
        Ok(boolean)
    }

    /// Returns the error that the current value is not `expected`.
    #[cold]
    pub(crate) fn mismatch(&self, expected: &str) -> Mismatch {
        let found = match self.nodes[self.node] {
            Node::String(string) if string.chars().count() > 40 => "a long string".to_owned(),
            Node::String(string) => format!("the string {string:?}"),
            Node::Object { .. } => "an object".to_owned(),
            Node::Array { .. } => "an array".to_owned(),
            Node::Static(value) => value.to_string(),
        };
        self.complain(format!("expected {expected}, found {found}"))
    }

    /// Returns an error at the current value.
    #[cold]
    pub(crate) fn complain(&self, message: String) -> Mismatch {
        Mismatch::new(self.offset(), message)
    }
}
