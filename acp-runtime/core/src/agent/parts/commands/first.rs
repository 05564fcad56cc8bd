//! The way of a prompt that calls a command: to the function with `#[command]`, under a name that no method has. A session
//! announces its commands behind the answer that opens it.
//!
//! An agent without commands has no code of this, because the compiler knows that there are none.

use std::{borrow::Cow, fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{IgnoredAny, SeqAccess, Visitor},
};
use serde_json::value::RawValue;

use crate::{
    agent::model::{Connection, Handlers, Part},
    schema::command_in,
    wire::decode,
};

/// The arm of the command that the prompt calls, if its session offers the command.
pub(super) fn command<A: Handlers>(connection: &Connection<A>, params: Option<&RawValue>) -> Option<&'static str> {
    let Prompt::<A> { session_id, prompt: First { text, .. } } = decode::from_json(params?.get()).ok()?;
    let (name, _) = command_in(text.as_deref()?)?;
    connection.host.sessions.get(&session_id).ok()?.handle.output().command(name)
}

/// The parts of a prompt that tell its way. The rest is decoded once, for the handler.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", bound = "A: Handlers")]
struct Prompt<'p, A> {
    #[serde(borrow)]
    session_id: Cow<'p, str>,
    #[serde(borrow)]
    prompt: First<'p, A>,
}

/// The text of the first block, if it is a text. Blocks that the handler does not get do not count.
struct First<'p, A> {
    text: Option<Cow<'p, str>>,
    agent: PhantomData<A>,
}

impl<'de: 'p, 'p, A: Handlers> Deserialize<'de> for First<'p, A> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Blocks(PhantomData))
    }
}

struct Blocks<A>(PhantomData<A>);

impl<'de, A: Handlers> Visitor<'de> for Blocks<A> {
    type Value = First<'de, A>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of blocks")
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut blocks: S) -> Result<Self::Value, S::Error> {
        #[derive(Deserialize)]
        struct Block<'b> {
            #[serde(borrow, rename = "type")]
            kind: Cow<'b, str>,
            #[serde(borrow, default)]
            text: Option<Cow<'b, str>>,
        }
        let mut first: Option<Block<'de>> = blocks.next_element()?;
        while first.as_ref().is_some_and(|block| A::Parts::drops(&block.kind)) {
            first = blocks.next_element()?;
        }
        while blocks.next_element::<IgnoredAny>()?.is_some() {}
        let text = first.filter(|block| block.kind == "text").and_then(|block| block.text);
        Ok(First { text, agent: PhantomData })
    }
}
