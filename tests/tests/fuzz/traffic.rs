//! Valid traffic. All inputs of the fuzz test start from it.

use crate::mutate::{Random, mutate};

/// The valid traffic of one version of the protocol.
pub(crate) struct Corpus {
    /// The first messages of a connection.
    pub(crate) opening: &'static str,
    /// The messages, one on each line. `@` stands for a fresh id, `~` for the marker.
    pub(crate) messages: &'static [&'static str],
}

/// Version 1.
pub(crate) const VERSION_1: Corpus = Corpus { opening: OPENING, messages: MESSAGES };

/// A text that is longer than any part of the input that an error may repeat.
pub(crate) const MARK: &str =
    "tell-nobody-0123456789-tell-nobody-0123456789-tell-nobody-0123456789-tell-nobody-0123456789-tell-nobody";

/// The first messages of a connection. The client knows the id of `stored`.
const OPENING: &str = concat!(
    r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{"session":{"configOptions":{"boolean":{}}}}}}"#,
    "\n",
    r#"{"jsonrpc":"2.0","id":1,"method":"session/load","params":{"sessionId":"stored","cwd":"/","mcpServers":[]}}"#,
    "\n"
);

const MESSAGES: &[&str] = &[
    r#"{"jsonrpc":"2.0","id":@,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{"fs":{"readTextFile":true},"terminal":true},"clientInfo":{"name":"~","version":"1"}}}"#,
    r#"{"jsonrpc":"2.0","id":@,"method":"session/new","params":{"cwd":"/tmp/~","mcpServers":[{"name":"~","command":"/bin/x","args":["~"],"env":[{"name":"A","value":"~"}]},{"type":"http","name":"h","url":"https://~","headers":[]}],"additionalDirectories":["/a"]}}"#,
    r#"{"jsonrpc":"2.0","id":@,"method":"session/load","params":{"sessionId":"stored","cwd":"/~","mcpServers":[]}}"#,
    r#"{"jsonrpc":"2.0","id":@,"method":"session/resume","params":{"sessionId":"stored","cwd":"/","_meta":{"~":[1,2.5,{"a":null}]}}}"#,
    r#"{"jsonrpc":"2.0","id":@,"method":"session/list","params":{"cwd":"/","cursor":"~"}}"#,
    r#"{"jsonrpc":"2.0","id":@,"method":"session/list"}"#,
    r#"{"jsonrpc":"2.0","id":@,"method":"session/prompt","params":{"sessionId":"stored","prompt":[{"type":"text","text":"~ \u00fc\ud83d\ude00\\\""},{"type":"resource_link","uri":"file:///~","name":"~"}]}}"#,
    r#"{"jsonrpc":"2.0","id":@,"method":"session/prompt","params":{"sessionId":"stored","prompt":[{"type":"image","data":"~","mimeType":"image/png"},{"type":"resource","resource":{"uri":"file:///a","text":"~"}}]}}"#,
    r#"{"jsonrpc":"2.0","id":@,"method":"session/set_config_option","params":{"sessionId":"stored","configId":"talk","type":"boolean","value":true}}"#,
    r#"{"jsonrpc":"2.0","id":@,"method":"session/set_config_option","params":{"sessionId":"stored","configId":"style","value":"fancy","more":"~"}}"#,
    r#"{"jsonrpc":"2.0","id":@,"method":"session/set_mode","params":{"sessionId":"stored","modeId":"plain"}}"#,
    r#"{"jsonrpc":"2.0","id":@,"method":"authenticate","params":{"methodId":"key"}}"#,
    r#"{"jsonrpc":"2.0","id":@,"method":"logout","params":null}"#,
    r#"{"jsonrpc":"2.0","id":@,"method":"session/delete","params":{"sessionId":"~"}}"#,
    r#"{"jsonrpc":"2.0","id":@,"method":"session/close","params":{"sessionId":"~"}}"#,
    r#"{"jsonrpc":"2.0","id":@,"method":"_fuzz.dev/echo","params":{"~":[true,false,null,1e5,"~"],"_meta":{"a":{}}}}"#,
    r#"{"jsonrpc":"2.0","id":@,"method":"_unknown","params":[1,"~"]}"#,
    r#"{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"stored"}}"#,
    r#"{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":5}}"#,
    r#"{"jsonrpc":"2.0","method":"_fuzz.dev/note","params":{"a":"~"}}"#,
    r#"{"jsonrpc":"2.0","method":"$/unknown","params":{}}"#,
    r#"{"jsonrpc":"2.0","id":3,"result":{"outcome":{"outcome":"selected","optionId":"allow"}}}"#,
    r#"{"jsonrpc":"2.0","id":"3","error":{"code":-32603,"message":"~","data":{"a":"~"}}}"#,
    "",
    "\r",
];

/// One input.
pub(crate) struct Batch {
    pub(crate) bytes: Vec<u8>,
    /// The ids that the agent must answer exactly once. `None` if the bytes were mutated, because then the ids are
    /// unknown.
    pub(crate) answers: Vec<String>,
}

impl Batch {
    /// Makes an input. Every fourth input is only cut into pieces, and not changed.
    pub(crate) fn new(messages: &[&str], random: &mut Random, number: u64) -> Self {
        let mut answers = Vec::new();
        let mut bytes = Vec::new();
        for index in 0..=random.below(5) {
            let message = random.of(messages);
            if message.contains('@') {
                answers.push((1000 * number + index as u64 + 10).to_string());
            }
            let id = answers.last().map_or("", String::as_str);
            bytes.extend_from_slice(message.replace('@', id).replace('~', MARK).as_bytes());
            bytes.extend_from_slice(if random.below(5) == 0 { b"\r\n" } else { b"\n" });
        }
        if number.is_multiple_of(4) {
            return Self { bytes, answers };
        }
        let other = random.of(messages).replace('@', "77").replace('~', MARK);
        mutate(&mut bytes, other.as_bytes(), random);
        Self { bytes, answers: Vec::new() }
    }
}
