//! The whole messages: the requests, responses and notifications of a side.
//!
//! The reference decodes a message without its method: it takes the first payload type that fits, so it reads
//! `session/close` as `logout`. It decodes a message correctly only if the payload's type is known. So this test gives
//! the method to both codecs. Both must name the same method and write the same payload.

use acp_codec_tests::Messages;
use serde_json::Value;

use super::instances::{Coverage, Random, Schema};
use super::{Case, INSTANCES, Outcome, Report};

/// The two codecs of messages.
pub(crate) struct Envelope {
    pub(super) ours: Messages,
    pub(super) theirs: TheirMessages,
}

/// The reference's codec of messages.
pub(crate) struct TheirMessages {
    pub(super) name: &'static str,
    /// Decodes the payload of this definition, and encodes the message with its method.
    pub(super) decode: fn(&str, &Value) -> Option<Outcome>,
    /// The payloads, in the order of the schema.
    pub(super) payloads: &'static [&'static str],
}

macro_rules! envelope {
    (@method response $message:ident) => { String::new() };
    (@method $kind:ident $message:ident) => { $message.method().to_owned() };
    ($kind:ident $envelope:ident { $($payload:ident),* }) => {
        Envelope {
            name: stringify!($envelope),
            decode: |definition, payload| match definition {
                $(stringify!($payload) => {
                    let payload = theirs::$payload::deserialize(payload).map_err(|error| error.to_string());
                    Some(payload.and_then(|payload| {
                        let message = theirs::$envelope::$payload(payload.into());
                        let payload = serde_json::to_value(&message).map_err(|error| error.to_string())?;
                        Ok(write(envelope!(@method $kind message), payload))
                    }))
                })*
                _ => None,
            },
            payloads: &[$(stringify!($payload)),*],
        }
    };
}

impl Envelope {
    pub(super) fn name(&self) -> &'static str {
        self.ours.name
    }

    fn ours(&self, method: &str, payload: &Value) -> Option<Outcome> {
        let decoded = (self.ours.decode)(method, payload)?;
        Some(decoded.map(|(method, payload)| write(method, payload)).map_err(|error| error.to_string()))
    }
}

/// The method and the payload, side by side.
pub(super) fn write(method: String, payload: Value) -> Value {
    Value::from(vec![Value::from(method), payload])
}

pub(super) fn compare(
    schema: &Schema,
    envelope: &Envelope,
    random: &mut Random,
    coverage: &mut Coverage,
    report: &mut Report,
) {
    let name = envelope.name();
    for definition in envelope.theirs.payloads {
        let method = schema.definition(definition)["x-method"].as_str().unwrap();
        for _ in 0..INSTANCES / 10 {
            let input = schema.instance(definition, random, coverage);
            let ours = envelope.ours(method, &input).expect("the method is known");
            let theirs = (envelope.theirs.decode)(definition, &input).expect("the definition is listed");
            report.take(Case {
                definition: format!("{name} {definition}"),
                origin: "valid",
                stable: false,
                drafted: false,
                input,
                ours,
                theirs,
            });
        }
    }
    assert!(envelope.ours("nobody/knows", &Value::Null).is_none(), "{name} takes an unknown method");
    if name.starts_with("Proxy") {
        // The methods of a proxy's messages are different, and extensions have no payload type.
        return;
    }
    let extension = serde_json::json!({ "any": ["thing", 1.5, null] });
    match envelope.ours("_vendor/thing", &extension) {
        Some(Ok(written)) => assert_eq!(written[1], extension, "{name} changes what an extension carries"),
        other => panic!("{name} does not take an extension: {other:?}"),
    }
}
