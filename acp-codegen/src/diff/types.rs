//! The types of two surfaces in one table, for comparison. Each type has a number, and aliases are resolved.
//!
//! A chain of aliases may be as long as a schema. So each alias is resolved once, and no function follows a chain by
//! recursion.

use std::collections::{HashMap, HashSet};

use super::surface::{Form, Surface};
use super::ty::{Ty, last};

/// The number of a type. Equal types of both surfaces have equal numbers.
pub(super) type Id = usize;

/// The surface that a name belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Side {
    Old,
    New,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Node {
    Nothing,
    Named(String),
    Fields(String),
    Other(String),
    Of(String, Vec<Id>),
}

/// All types that have got a number.
pub(super) struct Types {
    nodes: Vec<Node>,
    ids: HashMap<Node, Id>,
    /// The targets of aliases.
    targets: HashMap<Side, HashMap<String, Id>>,
}

impl Types {
    pub(super) fn of(old: &Surface, new: &Surface) -> Self {
        let mut out = Self { nodes: Vec::new(), ids: HashMap::new(), targets: HashMap::new() };
        out.resolve_all(Side::Old, old);
        out.resolve_all(Side::New, new);
        out
    }

    /// Resolves each alias after its targets.
    fn resolve_all(&mut self, side: Side, surface: &Surface) {
        self.targets.insert(side, HashMap::new());
        let target = |name: &str| match &surface.types.get(name)?.form {
            Form::Alias(target) => Some(target),
            _ => None,
        };
        let mut met: HashSet<&str> = HashSet::new();
        for name in surface.types.keys() {
            let mut way: Vec<&str> = vec![name];
            while let Some(name) = way.last().copied() {
                let Some(leads_to) = target(name) else {
                    way.pop();
                    continue;
                };
                if met.insert(name) {
                    leads_to.each_name(&mut |next| way.extend(Some(next).filter(|next| !met.contains(next))));
                } else {
                    way.pop();
                    let id = self.id(side, leads_to);
                    self.targets.entry(side).or_default().insert(name.to_owned(), id);
                }
            }
        }
    }

    pub(super) fn id(&mut self, side: Side, ty: &Ty) -> Id {
        let node = match ty {
            Ty::Nothing => Node::Nothing,
            Ty::Named(name) => match self.targets.get(&side).and_then(|targets| targets.get(name)) {
                Some(id) => return *id,
                None => Node::Named(name.clone()),
            },
            Ty::Fields(name) => Node::Fields(name.clone()),
            Ty::Other(path) if last(path) == "Meta" => {
                let text = self.number(Node::Other("::std::string::String".to_owned()));
                let value = self.number(Node::Other("::serde_json::Value".to_owned()));
                Node::Of("::serde_json::Map".to_owned(), vec![text, value])
            }
            Ty::Other(path) => Node::Other(path.clone()),
            Ty::Of(path, inner) => {
                let inner = inner.iter().map(|inner| self.id(side, inner)).collect();
                Node::Of(path.clone(), inner)
            }
        };
        self.number(node)
    }

    fn number(&mut self, node: Node) -> Id {
        let next = self.nodes.len();
        let id = *self.ids.entry(node.clone()).or_insert(next);
        if id == next {
            self.nodes.push(node);
        }
        id
    }

    /// Whether `id` accepts every value of `other` and also other values. For two named types, this is not known, and
    /// the result is false.
    pub(super) fn is_wider(&self, mut id: Id, mut other: Id) -> bool {
        loop {
            match (&self.nodes[id], &self.nodes[other]) {
                (Node::Other(wide), narrow) if last(wide) == "Value" => return self.nodes[id] != *narrow,
                (Node::Other(wide), Node::Other(narrow)) => return wide != narrow && contains(wide, narrow),
                (Node::Of(wide, inside), Node::Of(narrow, inside_other)) => {
                    let maps = |path: &String| ["Map", "BTreeMap"].contains(&last(path));
                    if wide != narrow && !(maps(wide) && maps(narrow)) {
                        return false;
                    }
                    match (inside.last(), inside_other.last()) {
                        (Some(next), Some(next_other)) => (id, other) = (*next, *next_other),
                        _ => return false,
                    }
                }
                _ => return false,
            }
        }
    }
}

fn range(name: &str) -> Option<(i128, i128)> {
    Some(match name {
        "i8" => (i8::MIN.into(), i8::MAX.into()),
        "i16" => (i16::MIN.into(), i16::MAX.into()),
        "i32" => (i32::MIN.into(), i32::MAX.into()),
        "i64" => (i64::MIN.into(), i64::MAX.into()),
        "u8" => (0, u8::MAX.into()),
        "u16" => (0, u16::MAX.into()),
        "u32" => (0, u32::MAX.into()),
        "u64" => (0, u64::MAX.into()),
        _ => return None,
    })
}

/// Whether a number type reads all values of another: integers by their range, and `f64` reads all integers.
fn contains(wide: &str, narrow: &str) -> bool {
    match (range(wide), range(narrow)) {
        (Some(wide), Some(narrow)) => wide.0 <= narrow.0 && narrow.1 <= wide.1,
        (None, Some(_)) => wide == "f64",
        _ => false,
    }
}
