//! The client of the chat API. Each failure is an error that says what the user can do.

use std::{fmt, path::PathBuf, time::Duration};

use acp_runtime::{config::ChoiceValue, prelude::*};
use anyhow::{Context, Result, bail, ensure};
use reqwest::{Client as Http, RequestBuilder, StatusCode, header::RETRY_AFTER};
use rmcp::model::JsonObject;
use serde_json::{Value, json};

use crate::Config;
use crate::key::KeyFile;
use crate::reply::{CUT, LIMIT, LONG, Reply};

const VENDOR: &str = "https://api.openai.com/v1";
const NO_ADDRESS: &str =
    "does not begin with `http://` or `https://`: write `OPENAI_BASE_URL` like `http://localhost:11434/v1`";
const NO_LIST: &str = "the server does not list its models as the chat API does: correct `OPENAI_BASE_URL`";
/// The list of the models comes from memory, so a server that takes longer does not answer at all.
const LIST: Duration = Duration::from_secs(20);
const WRONG_KEY: &str = "the server refuses the API key: correct `OPENAI_API_KEY`, or run `llm --login`";

pub(crate) struct Server {
    address: String,
    /// The key of the environment. Servers at home need none. An empty one counts as none.
    key: Option<String>,
    /// The key that `--login` keeps.
    key_file: KeyFile,
    http: Http,
}

/// What a model can do. `None` if the server does not say it.
pub(crate) struct Model {
    /// The most tokens of a conversation.
    pub(crate) context: Option<u64>,
    pub(crate) calls_tools: Option<bool>,
}

impl Server {
    pub(crate) fn new(address: Option<String>, key: Option<String>, sessions: PathBuf) -> Result<Self> {
        let address = address.as_deref().unwrap_or(VENDOR).trim_end_matches('/').to_owned();
        let key_file = KeyFile::new(&address, &sessions);
        // It fails if the program has a provider already, which then serves as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
        // A large model at home reads a long prompt for minutes before its first word.
        let http = Http::builder().connect_timeout(Duration::from_secs(10)).read_timeout(Duration::from_secs(300));
        Ok(Self { address, key, key_file, http: http.build()? })
    }

    fn key(&self) -> Option<String> {
        let keys = [self.key.clone(), self.key_file.read()];
        keys.into_iter().flatten().map(|key| key.trim().to_owned()).find(|key| !key.is_empty())
    }

    /// Whether sessions may be opened. Only the vendor needs a key for certain; others refuse the first prompt.
    pub(crate) fn has_credentials(&self) -> bool {
        self.address != VENDOR || self.key().is_some()
    }

    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    pub(crate) fn key_file(&self) -> &KeyFile {
        &self.key_file
    }

    /// Asks the server for its models with this key.
    pub(crate) async fn accepts(&self, key: &str) -> Result<()> {
        list(self.send("models", None, Some(key.to_owned())).await?).await.map(drop)
    }

    pub(crate) async fn models(&self) -> Result<Vec<ChoiceValue<Model>>> {
        list(self.ask("models", None).await?).await
    }

    /// Sends a request, with the body if it has one.
    pub(crate) async fn ask(&self, path: &str, body: Option<&Value>) -> Result<Reply> {
        self.send(path, body, self.key()).await
    }

    async fn send(&self, path: &str, body: Option<&Value>, key: Option<String>) -> Result<Reply> {
        let url = format!("{}/{path}", self.address);
        ensure!(url.starts_with("http://") || url.starts_with("https://"), "`{}` {NO_ADDRESS}", self.address);
        let request = body.map_or_else(|| self.http.get(&url).timeout(LIST), |body| self.http.post(&url).json(body));
        let request = key.iter().fold(request, RequestBuilder::bearer_auth);
        let help = "start it, or correct `OPENAI_BASE_URL` in the settings of the editor";
        let response = request.send().await.with_context(|| format!("no server answers at {url}: {help}"))?;
        let status = response.status();
        let wait = response.headers().get(RETRY_AFTER).and_then(|wait| wait.to_str().ok()).unwrap_or("some").to_owned();
        let mut reply = Reply::new(response, key);
        if status.is_success() {
            return Ok(reply);
        }
        let (said, wait) = (reply.error().await, reply.words(&wait));
        match status {
            StatusCode::UNAUTHORIZED => bail!(Error::new(Error::AUTH_REQUIRED, format!("{WRONG_KEY} ({said})"))),
            StatusCode::TOO_MANY_REQUESTS => bail!("the server is busy: try again in {wait} seconds ({said})"),
            _ => {
                let text = format!("the server answers {status} at {url}: {said}");
                Err(anyhow::Error::new(Answered(status)).context(text))
            }
        }
    }
}

/// The server runs, and answers with this status.
#[derive(Debug)]
struct Answered(StatusCode);

impl fmt::Display for Answered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "status {}", self.0)
    }
}

impl std::error::Error for Answered {}

/// Whether a server that runs, and takes the key, has failed to list its models. It may have the model that the user has named.
pub(crate) fn has_no_list(error: &anyhow::Error) -> bool {
    error.is::<Answered>() || error.is::<serde_json::Error>()
}

async fn list(mut reply: Reply) -> Result<Vec<ChoiceValue<Model>>> {
    let list: Value = serde_json::from_slice(&reply.whole().await?).context(NO_LIST)?;
    Ok(list["data"].as_array().into_iter().flatten().filter_map(model).collect())
}

/// A model in the words of vLLM, Groq, Mistral, OpenRouter or llama.cpp. Others say only its id.
fn model(said: &Value) -> Option<ChoiceValue<Model>> {
    let context = ["max_model_len", "context_window", "max_context_length", "context_length"].map(|name| &said[name]);
    let lists_tools = || Some(said["supported_parameters"].as_array()?.iter().any(|listed| listed == "tools"));
    let id = said["id"].as_str()?;
    Some(ChoiceValue::new(id, id).with_data(Model {
        context: context.into_iter().chain([&said["meta"]["n_ctx_train"]]).find_map(Value::as_u64),
        calls_tools: said["capabilities"]["function_calling"].as_bool().or_else(lists_tools),
    }))
}

/// An answer of the model, as far as it has arrived.
#[derive(Default)]
pub(crate) struct Answer {
    text: String,
    pub(crate) calls: Vec<Call>,
    /// Why the model has ended.
    finish: Option<String>,
    /// The tokens of the conversation, with this answer.
    pub(crate) tokens: Option<u64>,
    /// The bytes of the calls.
    call_bytes: usize,
}

/// A call that the model asks for. The arguments should be a JSON object.
pub(crate) struct Call {
    id: String,
    pub(crate) name: String,
    pub(crate) arguments: String,
}

impl Answer {
    /// Shows the user the answer while it arrives.
    pub(crate) async fn show(&mut self, mut reply: Reply, turn: &Turn<Config>) -> Result<()> {
        while let Some(line) = reply.line().await? {
            match line.strip_prefix("data:").map(str::trim) {
                Some("[DONE]") => return Ok(()),
                Some(event) => self.take(event, &mut reply, turn).await?,
                None => {}
            }
        }
        // Some servers do not say that it was all.
        ensure!(self.finish.is_some(), CUT);
        Ok(())
    }

    async fn take(&mut self, event: &str, reply: &mut Reply, turn: &Turn<Config>) -> Result<()> {
        let said: Value = serde_json::from_str(event).context("the server's answer is not of the chat API")?;
        ensure!(said["error"].is_null(), "the server failed in the middle of its answer: {}", reply.words(event));
        self.tokens = said["usage"]["total_tokens"].as_u64().or(self.tokens);
        let (delta, finish) = (&said["choices"][0]["delta"], &said["choices"][0]["finish_reason"]);
        self.finish = finish.as_str().map(str::to_owned).or(self.finish.take());
        let text = |name: &str| delta[name].as_str().filter(|text| !text.is_empty());
        if let Some(thought) = text("reasoning_content").or(text("reasoning")) {
            turn.thought(thought).await?;
        }
        if let Some(text) = text("content") {
            self.text.push_str(text);
            turn.message(text).await?;
        }
        for part in delta["tool_calls"].as_array().into_iter().flatten() {
            // Some servers number the calls; the others send each as a whole.
            let at = part["index"].as_u64().map_or(self.calls.len(), |index| self.calls.len().min(index as usize));
            if at == self.calls.len() {
                let id = part["id"].as_str().map_or_else(|| format!("call_{at}"), str::to_owned);
                self.calls.push(Call { id, name: String::new(), arguments: String::new() });
            }
            let said = |name: &str| part["function"][name].as_str().unwrap_or_default();
            self.calls[at].name.push_str(said("name"));
            self.calls[at].arguments.push_str(said("arguments"));
            self.call_bytes += size_of::<Call>() + said("name").len() + said("arguments").len();
        }
        ensure!(((self.text.len() + self.call_bytes) as u64) < LIMIT, LONG);
        Ok(())
    }

    pub(crate) fn end(&self) -> StopReason {
        match self.finish.as_deref() {
            Some("length") => StopReason::MaxTokens,
            Some("content_filter") => StopReason::Refusal,
            _ => StopReason::EndTurn,
        }
    }

    /// The answer as a message of the conversation. `None` if nothing has arrived.
    pub(crate) fn message(&self) -> Option<Value> {
        let mut message = json!({ "role": "assistant", "content": self.text });
        if !self.calls.is_empty() {
            message["tool_calls"] = self.calls.iter().map(Call::asked).collect();
        }
        (!self.calls.is_empty() || !self.text.is_empty()).then_some(message)
    }
}

impl Call {
    fn asked(&self) -> Value {
        // Some servers read the arguments again, and refuse the conversation if they are no JSON.
        let arguments = serde_json::from_str::<JsonObject>(&self.arguments).map_or("{}", |_| &self.arguments);
        json!({ "id": self.id, "type": "function", "function": { "name": self.name, "arguments": arguments } })
    }

    /// Its result as a message of the conversation.
    pub(crate) fn result(&self, result: &str) -> Value {
        json!({ "role": "tool", "tool_call_id": self.id, "content": result })
    }
}
