//! The language model behind a trait, and a script that stands in for one.

use std::{future::Future, pin::Pin, sync::LazyLock, time::Duration};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Providers;

/// A piece of a conversation.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Piece {
    /// What the user says.
    User(String),
    /// What the model says to the user.
    Text(String),
    /// What the model thinks.
    Thought(String),
    /// A tool that the model calls, and its arguments.
    Call(String, Value),
    /// The result of the call before.
    Result(String),
    /// The model fails, and says why.
    Error(String),
}

/// The next piece of a conversation; `None` at the end of the turn.
pub type Next<'a> = Pin<Box<dyn Future<Output = Option<Piece>> + Send + 'a>>;

/// A language model.
pub trait Model: Send + Sync + 'static {
    /// Goes on with a conversation. `model` is `provider/model`, and `providers` has the credentials.
    fn next<'a>(&'a self, model: &'a str, providers: &'a Providers, said: &'a [Piece]) -> Next<'a>;
}

/// A script: the first rule whose words (`when`) are in the last prompt answers it. A rule has the `answers` to the prompt, to the
/// result of the first call, and so on, and the time before each piece (`pace_ms`).
pub struct Script;

static RULES: LazyLock<Vec<Value>> =
    LazyLock::new(|| serde_json::from_str(include_str!("script.json")).expect("rules"));

impl Model for Script {
    fn next<'a>(&'a self, _: &'a str, _: &'a Providers, said: &'a [Piece]) -> Next<'a> {
        let (mut prompt, mut results, mut at) = ("", 0, 0);
        for piece in said {
            match piece {
                Piece::User(text) => (prompt, results, at) = (text, 0, 0),
                Piece::Result(_) => (results, at) = (results + 1, 0),
                _ => at += 1,
            }
        }
        Box::pin(async move {
            let rule = RULES.iter().find(|rule| prompt.contains(rule["when"].as_str().unwrap_or_default()))?;
            tokio::time::sleep(Duration::from_millis(rule["pace_ms"].as_u64().unwrap_or_default())).await;
            serde_json::from_value(rule["answers"][results][at].clone()).ok()
        })
    }
}
