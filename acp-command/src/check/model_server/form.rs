//! What the APIs of models share: a request as the script sees it, and the parts of an answer.

use axum::body::Bytes;
use serde_json::Value;

/// The name of the model, and the key of the server.
pub(super) const MODEL: &str = "acp-check";

/// A part of the prompts for the scripted model, in front of the word.
pub(super) const MARK: &str = "model:";

/// A tool that the agent offers to the model.
#[derive(Clone, Debug)]
pub(super) struct Tool {
    pub(super) name: String,
    /// The JSON schema of its arguments.
    pub(super) schema: Value,
}

/// What an agent asks of the model.
#[derive(Debug, Default)]
pub(super) struct Asked {
    /// Whether the answer comes in pieces.
    pub(super) is_streamed: bool,
    /// Whether a stream ends with the count of its tokens, which one API leaves to the request.
    pub(super) counts: bool,
    pub(super) tools: Vec<Tool>,
    /// The texts of the user since the model's last answer.
    pub(super) said: String,
    /// Whether a tool has given its result since then.
    pub(super) has_result: bool,
}

/// A call of a tool, with its arguments as JSON.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Call {
    pub(super) name: String,
    pub(super) arguments: String,
}

/// A whole answer of the model.
#[derive(Debug)]
pub(super) struct Reply {
    /// A number that no other answer has.
    pub(super) number: usize,
    /// The text; its pieces make it.
    pub(super) text: String,
    pub(super) call: Option<Call>,
}

/// An event of a stream.
pub(super) struct Event {
    pub(super) name: Option<String>,
    pub(super) data: String,
}

impl Asked {
    /// The model has answered: what was said before is done.
    pub(super) fn is_answered(&mut self) {
        (self.said, self.has_result) = (String::new(), false);
    }

    /// The user says something, or the agent in the user's name. A word for the model begins something new, also behind the result of a tool
    /// that was cancelled.
    pub(super) fn hears(&mut self, text: &str) {
        self.has_result &= !text.contains(MARK);
        self.said.push_str(text);
    }
}

impl Event {
    /// An event without a name.
    pub(super) fn data(data: &Value) -> Self {
        Self { name: None, data: data.to_string() }
    }

    /// An event that has its type as its name.
    pub(super) fn typed(data: &Value) -> Self {
        Self { name: data["type"].as_str().map(str::to_owned), data: data.to_string() }
    }

    /// The event as it is sent.
    pub(super) fn bytes(&self) -> Bytes {
        let name = self.name.as_ref().map(|name| format!("event: {name}\n")).unwrap_or_default();
        format!("{name}data: {}\n\n", self.data).into()
    }
}

/// An API of models.
pub(super) trait Form {
    /// Reads a request.
    fn asked(body: &Value) -> Asked;

    /// The first events of a stream. A text follows.
    fn begin(reply: &Reply) -> Vec<Event>;

    /// A piece of the text.
    fn piece(reply: &Reply, text: &str) -> Event;

    /// The last events of a stream: the end of the text, the call, and the end.
    fn end(reply: &Reply, asked: &Asked) -> Vec<Event>;

    /// The answer in one piece.
    fn whole(reply: &Reply) -> Value;

    /// An error.
    fn error(kind: &str, text: &str) -> Value;
}

/// The texts of a content: a string, or blocks.
pub(super) fn texts(content: &Value) -> String {
    let blocks = content.as_array().into_iter().flatten().filter_map(|block| block["text"].as_str());
    content.as_str().into_iter().chain(blocks).map(|text| format!("{text}\n")).collect()
}

/// The tools of a request. Some are in groups.
pub(super) fn tools(list: &Value, read: impl Fn(&Value) -> Option<Tool> + Copy) -> Vec<Tool> {
    let mut all = Vec::new();
    for entry in list.as_array().into_iter().flatten() {
        all.extend(read(entry));
        all.extend(tools(&entry["tools"], read));
    }
    all
}
