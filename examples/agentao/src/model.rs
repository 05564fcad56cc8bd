//! The language model behind a trait, and a script that stands in for one.

use std::{future::Future, pin::Pin, time::Duration};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::options::Credentials;

/// A part of a conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    /// The user.
    User(String),
    /// The model.
    Model(String),
    /// A call of a tool, and its result.
    Called(Call, String),
}

/// A call of a tool, as the model writes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// The tool.
    pub name: String,
    /// Its arguments.
    #[serde(default)]
    pub arguments: Value,
}

/// A piece of an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Piece {
    /// What the user reads.
    Text(String),
    /// What the model thinks.
    Thought(String),
    /// A call of a tool. The answer ends with its calls.
    Call(Call),
    /// The model fails, and says why.
    Error(String),
}

/// What a model answers to.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// The model, without its provider.
    pub model: &'a str,
    /// `None` for those of the process.
    pub credentials: Option<&'a Credentials>,
    /// What was said, up to the last result.
    pub conversation: &'a [Message],
}

/// The next piece of an answer; `None` at its end.
pub type Next<'a> = Pin<Box<dyn Future<Output = Option<Piece>> + Send + 'a>>;

/// A language model.
pub trait Model: Send + Sync + 'static {
    /// The piece of the answer behind `said` other ones.
    fn next<'a>(&'a self, ask: Ask<'a>, said: usize) -> Next<'a>;
}

/// A script: the first rule whose words are in the last prompt answers it.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Script(Vec<Rule>);

/// The answers to a prompt.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Rule {
    /// The words of the prompt; no words fit each prompt.
    #[serde(default)]
    when: String,
    /// The time before each piece.
    #[serde(default)]
    pace_ms: u64,
    /// The first answer, the answer to the results of its calls, and so on.
    answers: Vec<Vec<Piece>>,
}

impl Default for Script {
    fn default() -> Self {
        serde_json::from_str(include_str!("script.json")).expect("the script of the package is one")
    }
}

impl Script {
    /// The answer to a prompt and to so many results, with the time before each piece.
    pub fn answer(&self, prompt: &str, results: usize) -> (&[Piece], Duration) {
        let rule = self.0.iter().find(|rule| prompt.contains(&rule.when));
        let answer = rule.and_then(|rule| Some((rule.answers.get(results)?.as_slice(), rule.pace_ms)));
        let (pieces, pace) = answer.unwrap_or_default();
        (pieces, Duration::from_millis(pace))
    }
}

impl Model for Script {
    fn next<'a>(&'a self, ask: Ask<'a>, said: usize) -> Next<'a> {
        let last = ask.conversation.iter().rposition(|message| matches!(message, Message::User(_)));
        let turn = last.map_or(ask.conversation, |at| &ask.conversation[at..]);
        let prompt = match turn.first() {
            Some(Message::User(text)) => text,
            _ => "",
        };
        // The calls of one answer have one step together.
        let results = turn.iter().filter(|message| matches!(message, Message::Called(..))).count();
        let (pieces, pace) = self.answer(prompt, results);
        Box::pin(async move {
            tokio::time::sleep(pace).await;
            pieces.get(said).cloned()
        })
    }
}
