//! The drafts of the protocol, as data: the capabilities that handlers and words imply, and what is refused without them. The
//! generator writes `table` from the overlays of the schemas. So no code of the runtime names a draft, and none breaks when a
//! draft changes.
//!
//! An agent without drafts gets the refusals only.

mod refusals;
mod table;

use acp_handlers::each;
use serde_json::{
    Map,
    value::{RawValue, to_raw_value},
};

pub(super) use self::refusals::check;
use self::table::ALL;
use crate::{
    agent::model::{Block, Handlers, Part},
    constant::{Text, contains, same},
    dialect::Dialect,
    wire::Result,
};

/// A method, a word of `capabilities(..)`, or a part.
struct Draft {
    by: By,
    /// One for each version that has it.
    capabilities: &'static [Capability],
    /// The methods that such an agent must handle, too.
    needs: &'static [&'static str],
    refusals: &'static [Refusal],
}

/// What the author writes for it.
#[derive(Clone, Copy)]
enum By {
    /// The handler of this method.
    Method(&'static str),
    Word(&'static str),
    /// The part with this word.
    Part(&'static str),
}

struct Capability {
    version: u16,
    /// The place in the answer to `initialize`.
    path: &'static [&'static str],
    /// Whether it is a boolean, and no object.
    is_flag: bool,
}

/// A part of the params that an agent without the draft refuses.
struct Refusal {
    /// The methods.
    of: &'static [&'static str],
    /// The place in the params. `[]` stands behind the name of a list, for each of its values.
    at: &'static [&'static str],
    value: Value,
}

/// The values of such a part.
#[derive(Clone, Copy, PartialEq)]
enum Value {
    Any,
    One(&'static str),
    /// Beside those of other refusals of this place, all other values are refused.
    Only(&'static str),
}

impl Draft {
    /// Whether the agent has it. A word implies those whose capabilities contain its own.
    const fn is_of<A: Handlers>(&self) -> bool {
        match self.by {
            By::Method(name) => Block::handle(A::BLOCKS, name),
            By::Part(word) => A::Parts::WORDS.has(word),
            By::Word(word) => {
                each!(stated in A::IDENTITY.stated_drafts(), {
                    if same(stated, word) || is_inside(self, find(stated)) {
                        return true;
                    }
                });
                false
            }
        }
    }
}

const fn find(word: &str) -> Option<&'static Draft> {
    each!(draft in ALL, {
        if let By::Word(other) = draft.by
            && same(word, other)
        {
            return Some(draft);
        }
    });
    None
}

/// Whether a capability of `inner` stands inside that of `outer`.
const fn is_inside(outer: &Draft, inner: Option<&Draft>) -> bool {
    let Some(inner) = inner else { return false };
    let ([outer, ..], [inner, ..]) = (outer.capabilities, inner.capabilities) else { return false };
    outer.path.len() < inner.path.len() && begins_alike(outer.path, inner.path)
}

const fn begins_alike(one: &[&str], other: &[&str]) -> bool {
    let (mut one, mut other) = (one, other);
    while let ([first, rest @ ..], [second, others @ ..]) = (one, other) {
        if !same(first, second) {
            return false;
        }
        (one, other) = (rest, others);
    }
    true
}

/// Whether the agent has a draft that `initialize` tells of.
const fn has_some<A: Handlers>() -> bool {
    each!(draft in ALL, {
        if !draft.capabilities.is_empty() && draft.is_of::<A>() {
            return true;
        }
    });
    false
}

/// The answer to `initialize` with the capabilities of the agent's drafts.
pub(super) fn advertised<A: Handlers>(dialect: &dyn Dialect, answer: Box<RawValue>) -> Result<Box<RawValue>> {
    if !const { has_some::<A>() } {
        return Ok(answer);
    }
    let mut object: Map<String, serde_json::Value> = serde_json::from_str(answer.get())?;
    for draft in ALL.iter().filter(|draft| draft.is_of::<A>()) {
        let of_version = draft.capabilities.iter().find(|capability| capability.version == dialect.version());
        if let Some(Capability { path: [outer @ .., last], is_flag, .. }) = of_version {
            let all = outer.iter().try_fold(&mut object, |inside, key| {
                inside.entry(*key).or_insert_with(|| Map::new().into()).as_object_mut()
            });
            let value: serde_json::Value = if *is_flag { true.into() } else { Map::new().into() };
            all.into_iter().for_each(|all| match all.get_mut(*last) {
                Some(there) if there.is_object() => {}
                _ => drop(all.insert((*last).to_owned(), value.clone())),
            });
        }
    }
    Ok(to_raw_value(&object)?)
}

/// Fails to compile when an agent has a part of what a capability stands for, and lacks the rest.
pub(super) const fn complete<A: Handlers>() {
    if !Block::are_sound(A::BLOCKS) {
        return;
    }
    each!(draft in ALL, {
        if draft.is_of::<A>()
            && let By::Method(name) = draft.by
        {
            each!(needed in draft.needs, {
                if !Block::handle(A::BLOCKS, needed) && !A::Parts::SERVES.has(needed) {
                    panic!("{}", lacks(name, needed, "an agent with the one has the other, too").as_str());
                }
            });
            if let [capability, ..] = draft.capabilities {
                each!(other in ALL, {
                    if let (By::Method(missing), [same_one, ..]) = (other.by, other.capabilities)
                        && same_one.path.len() == capability.path.len()
                        && begins_alike(same_one.path, capability.path)
                        && !other.is_of::<A>()
                    {
                        panic!("{}", lacks(name, missing, "one capability tells clients of both").as_str());
                    }
                });
            }
        }
    });
}

const fn lacks(name: &str, missing: &str, why: &str) -> Text {
    let text = Text::EMPTY.push("there is a handler of `").push(name).push("`, and none of `").push(missing);
    text.push("`\nhelp: add it, or remove the other\nnote: ").push(why)
}

/// Whether the agent has what the word or the method of a refusal says.
fn has<A: Handlers>(draft: &Draft) -> bool {
    draft.is_of::<A>()
}

/// The methods that a refusal is about.
fn concerns(refusal: &Refusal, method: &str) -> bool {
    contains(refusal.of, method)
}
