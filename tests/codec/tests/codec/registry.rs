//! Our type and the reference's type for every definition of every schema. `build.rs` writes the lists.

use acp_codec_tests::{Codec, Schema};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::envelopes::{Envelope, TheirMessages};
use super::{Case, Outcome};

/// The two codecs of a definition.
#[derive(Clone, Copy)]
pub(crate) struct Pair {
    pub(super) ours: Codec,
    pub(super) theirs: Theirs,
}

/// The reference's codec of a definition.
#[derive(Clone, Copy)]
pub(crate) enum Theirs {
    Codec(fn(&Value) -> Outcome),
    /// `lacking.rs` says that the reference lacks the definition. `exists` says whether it has it all the same.
    #[allow(dead_code, reason = "the reference crate may have all definitions")]
    Lacking {
        exists: bool,
    },
}

impl Pair {
    /// The comparison of the two codecs. If there is only our codec, it must accept the input.
    pub(super) fn case(self, definition: &str, origin: &'static str, input: Value) -> Case {
        let ours = ours_through(self.ours, &input);
        let theirs = match self.theirs {
            Theirs::Codec(theirs) => theirs(&input),
            Theirs::Lacking { .. } => Ok(ours.clone().unwrap_or_else(|_| input.clone())),
        };
        Case { definition: definition.to_owned(), origin, stable: false, drafted: false, input, ours, theirs }
    }
}

/// Decodes a text with the reference's type, and encodes the value again.
pub(super) fn through<T: Serialize + DeserializeOwned>(input: &Value) -> Outcome {
    let value: T = serde_json::from_str(&input.to_string()).map_err(|error| error.to_string())?;
    serde_json::to_value(value).map_err(|error| error.to_string())
}

/// Reads our type from text and from a `Value`. The two inputs take different paths through the lenient readers and the
/// unions.
fn ours_through(codec: Codec, input: &Value) -> Outcome {
    let from_text = (codec.of_text)(&input.to_string()).map_err(|error| error.to_string());
    let from_value = (codec.of_value)(input.clone());
    match (&from_text, &from_value) {
        (Ok(text), Ok(value)) => assert_eq!(text, value, "text and value differ for {input}"),
        (Err(_), Err(_)) => {}
        _ => panic!("text gives {from_text:?}, a value {from_value:?} for {input}"),
    }
    from_text
}

macro_rules! pair {
    ($name:ident) => {
        (stringify!($name), registry::Theirs::Codec(registry::through::<theirs::$name>))
    };
    ($name:ident as $ours:ident) => {
        pair!($name)
    };
}

/// As `pair!`, for a definition that `lacking.rs` lists.
#[allow(unused_macros, reason = "the reference crate may have all definitions")]
macro_rules! alone {
    ($name:ident) => {
        (stringify!($name), registry::Theirs::Lacking { exists: exists!($name) })
    };
    ($name:ident as $ours:ident) => {
        alone!($name)
    };
}

/// Whether the module `theirs` has a type with this name.
macro_rules! exists {
    ($name:ident) => {{
        struct $name;
        let own = std::any::TypeId::of::<$name>();
        // In this block, the name means the type of `theirs` if there is one, and the type above if not.
        let found = {
            #[allow(unused_imports, reason = "there may be no such type")]
            use theirs::*;
            std::any::TypeId::of::<$name>()
        };
        own != found
    }};
}

#[test]
fn a_definition_that_the_reference_has_is_found() {
    use agent_client_protocol_schema::v1 as theirs;
    assert!(exists!(Implementation));
    assert!(!exists!(NoSuchDefinition));
}

/// A schema: its types, the reference's, and the list of its definitions.
pub(super) struct Published {
    pub(super) file: &'static str,
    pub(super) pairs: Vec<(&'static str, Pair)>,
    pub(super) envelopes: Vec<Envelope>,
}

impl Published {
    fn of(file: &'static str, ours: Schema, pairs: Vec<(&'static str, Theirs)>, messages: Vec<TheirMessages>) -> Self {
        assert_eq!((ours.codecs.len(), ours.messages.len()), (pairs.len(), messages.len()), "of the same list");
        let pairs = ours.codecs.into_iter().zip(pairs).map(|((ours_name, ours), (name, theirs))| {
            assert_eq!(ours_name, name);
            (name, Pair { ours, theirs })
        });
        let envelopes = ours.messages.into_iter().zip(messages).map(|(ours, theirs)| {
            assert_eq!(ours.name, theirs.name);
            Envelope { ours, theirs }
        });
        Self { file, pairs: pairs.collect(), envelopes: envelopes.collect() }
    }
}

macro_rules! published {
    ($module:ident, $file:literal, $list:literal, $reference:ident $(, $own:ident = $foreign:ty)*) => {
        mod $module {
            use super::super::envelopes::{TheirMessages as Envelope, write};
            use super::super::registry::{self, Theirs as Pair};
            mod theirs {
                pub(super) use agent_client_protocol_schema::ProtocolVersion;
                pub(super) use agent_client_protocol_schema::$reference::*;
                $(pub(super) type $own = $foreign;)*
            }
            use serde::Deserialize;

            include!(concat!(env!("OUT_DIR"), "/", $list));
        }

        pub(super) fn $module() -> Published {
            Published::of($file, acp_codec_tests::$module(), $module::pairs(), $module::envelopes())
        }
    };
}

published!(v1, "v1/schema.json", "v1_list.rs", v1);
published!(v1_unstable, "v1/schema.unstable.json", "v1_unstable_list.rs", v1);
published!(v2, "v2/schema.json", "v2_list.rs", v2, ErrorData = serde_json::Value);
published!(v2_unstable, "v2/schema.unstable.json", "v2_unstable_list.rs", v2, ErrorData = serde_json::Value);
