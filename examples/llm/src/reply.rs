//! What the server sends: within bounds, and without the key, which some servers repeat in their errors.

use std::{io, pin::Pin};

use anyhow::{Context, Result, ensure};
use futures_util::TryStreamExt;
use reqwest::Response;
use serde_json::Value;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt};
use tokio_util::io::StreamReader;

/// The most bytes of a line of a stream, of what a stream says in all, and of an answer that is no stream. No model comes near it.
pub(crate) const LIMIT: u64 = 16 * 1024 * 1024;
/// So much is read of an error, and its first characters are shown.
const ERROR: u64 = 64 * 1024;
pub(crate) const LONG: &str =
    "the server sent more than 16 MiB at once: is `OPENAI_BASE_URL` the address of a chat API?";
pub(crate) const CUT: &str =
    "the server ended its answer in the middle: say \"go on\", or look into the log of the server";

/// The body of an answer.
pub(crate) struct Reply {
    body: Pin<Box<dyn AsyncBufRead + Send>>,
    key: Option<String>,
}

impl Reply {
    pub(crate) fn new(response: Response, key: Option<String>) -> Self {
        Self { body: Box::pin(StreamReader::new(response.bytes_stream().map_err(io::Error::other))), key }
    }

    /// The next line of a stream, with its end. `None` if the stream has ended.
    pub(crate) async fn line(&mut self) -> Result<Option<String>> {
        let mut line = String::new();
        (&mut self.body).take(LIMIT).read_line(&mut line).await.context(CUT)?;
        ensure!(line.ends_with('\n') || (line.len() as u64) < LIMIT, LONG);
        Ok(Some(line).filter(|line| !line.is_empty()))
    }

    /// A body that is no stream.
    pub(crate) async fn whole(&mut self) -> Result<Vec<u8>> {
        let mut body = Vec::new();
        (&mut self.body)
            .take(LIMIT)
            .read_to_end(&mut body)
            .await
            .context("the server ended its answer in the middle")?;
        ensure!((body.len() as u64) < LIMIT, LONG);
        Ok(body)
    }

    /// The words of a body that is an error, as far as it arrives.
    pub(crate) async fn error(&mut self) -> String {
        let mut body = Vec::new();
        let _ = (&mut self.body).take(ERROR).read_to_end(&mut body).await;
        self.words(&String::from_utf8_lossy(&body))
    }

    /// The words of an error, which each server puts into another place of its JSON.
    pub(crate) fn words(&self, error: &str) -> String {
        let json: Value = serde_json::from_str(error).unwrap_or_default();
        let said = ["/error/message", "/message", "/error"].iter().find_map(|path| json.pointer(path)?.as_str());
        let said = said.unwrap_or(error);
        let mut hidden = said.to_owned();
        for key in self.key.iter().flat_map(|key| [key.clone(), escaped(key)]) {
            hidden = hidden.replace(&key, "(the API key)");
        }
        hidden.chars().take(300).collect()
    }
}

/// A text as it stands in JSON, without its quotes.
fn escaped(text: &str) -> String {
    let json = Value::from(text).to_string();
    json[1..json.len() - 1].to_owned()
}
