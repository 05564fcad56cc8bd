//! A client that follows a test's script, and keeps the agent's requests.

mod permission;
mod terminal;

use std::{
    collections::{BTreeMap, VecDeque},
    fmt,
    ops::RangeInclusive,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use acp_peer::Error;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

pub use self::{permission::Decision, terminal::Output};
use self::{permission::Permissions, terminal::Terminals};
use crate::{
    ConnectOptions,
    contract::{self, Call, Handlers},
    schema::Method,
    values::{
        ClientCapabilities, CreateElicitationRequest, CreateElicitationResponse, ElicitationAcceptAction,
        ElicitationAction, ElicitationCapabilities, ElicitationFormCapabilities, ReadTextFileRequest,
        ReadTextFileResponse, WriteTextFileRequest, WriteTextFileResponse, methods,
    },
};

/// The client's answers to its agent's requests: permissions, files, terminals, forms and extension methods.
///
/// The client offers the agent only the scripted features: files after a [`file`](Self::file), terminals after a
/// [`terminal`](Self::terminal), forms after a [`form`](Self::form). [`asked`](Self::asked) returns the agent's
/// requests. If the agent asks a question without a scripted answer, the test fails when the connection is
/// [finished](super::TestConnection::finish). The test also fails if the agent does not ask for all [permissions in
/// order](Self::permissions), [forms](Self::form) and [commands](Self::terminal) of the script.
///
/// Clones are the same script. Give one to [`connect_as`](super::connect_as), and keep another to read the requests.
///
/// ```
/// use acp_client::testing::{Decision, Output, Script};
///
/// let script = Script::new()
///     .permissions([Decision::AllowOnce, Decision::RejectOnce])
///     .file("/project/NOTES.md", "# Notes\n")
///     .terminal("cargo test", Output::new("1 failed\n").exit_code(101));
/// assert_eq!(script.file_text("/project/NOTES.md").as_deref(), Some("# Notes\n"));
/// assert!(script.asked().is_empty());
/// ```
#[derive(Clone, Default)]
pub struct Script(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    versions: Option<RangeInclusive<u16>>,
    capabilities: Option<ClientCapabilities>,
    permissions: Permissions,
    files: BTreeMap<PathBuf, String>,
    has_files: bool,
    writes: Vec<(PathBuf, String)>,
    terminals: Terminals,
    forms: VecDeque<Form>,
    has_forms: bool,
    extensions: BTreeMap<String, Value>,
    asked: Vec<Asked>,
    unanswered: Vec<String>,
}

/// A request or notification of an agent to its client. Updates of sessions are not included.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Asked {
    /// The method on the wire, for example `session/request_permission`.
    pub method: String,
    /// Its params.
    pub params: Value,
}

/// A user's reaction to a form.
///
/// ```
/// use acp_client::testing::{Form, Script};
/// use serde_json::json;
///
/// let script = Script::new().form(Form::accept(json!({ "name": "Ada" }))).form(Form::decline());
/// # let _ = script;
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Form(FormAction);

#[derive(Clone, Debug, PartialEq)]
enum FormAction {
    Accept(Value),
    Decline,
    Cancel,
}

impl Form {
    /// Fills the form in; `content` is an object of the form's fields.
    pub fn accept(content: Value) -> Self {
        Self(FormAction::Accept(content))
    }

    /// Declines the form.
    pub fn decline() -> Self {
        Self(FormAction::Decline)
    }

    /// Closes the form.
    pub fn cancel() -> Self {
        Self(FormAction::Cancel)
    }
}

impl Script {
    /// A client that offers nothing and has no scripted answers.
    pub fn new() -> Self {
        Self::default()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with(self, change: impl FnOnce(&mut State)) -> Self {
        change(&mut self.state());
        self
    }

    /// The versions of the protocol that the client speaks, as [`ConnectOptions::versions`](field@crate::ConnectOptions::versions)
    /// has them. Without this, it asks for the highest that is compiled. The test fails if the agent does not serve one of them.
    ///
    /// ```
    /// let script = acp_client::testing::Script::new().versions(1..=1);
    /// # let _ = script;
    /// ```
    #[must_use]
    pub fn versions(self, versions: RangeInclusive<u16>) -> Self {
        self.with(|state| state.versions = Some(versions))
    }

    /// The bounds of the script's connection.
    pub(super) fn connect_options(&self) -> ConnectOptions {
        let options = ConnectOptions::new();
        match self.state().versions.clone() {
            Some(versions) => options.versions(versions),
            None => options,
        }
    }

    /// Adds answers to permission requests. They are used one after the other, after earlier ones.
    #[must_use]
    pub fn permissions(self, decisions: impl IntoIterator<Item = Decision>) -> Self {
        self.with(|state| state.permissions.in_order.extend(decisions))
    }

    /// Answers every permission request for tool calls whose title contains `title`.
    #[must_use]
    pub fn permission_for(self, title: impl Into<String>, decision: Decision) -> Self {
        self.with(|state| state.permissions.by_title.push((title.into(), decision)))
    }

    /// Answers all other permission requests.
    #[must_use]
    pub fn permission_otherwise(self, decision: Decision) -> Self {
        self.with(|state| state.permissions.otherwise = Some(decision))
    }

    /// Adds a file to the client, which then offers to read and write files. [`file_text`](Self::file_text) and
    /// [`written`](Self::written) return the agent's writes. Version 2 has no files of the client.
    ///
    /// See [File system](https://agentclientprotocol.com/protocol/v1/file-system).
    #[must_use]
    pub fn file(self, path: impl Into<PathBuf>, text: impl Into<String>) -> Self {
        self.with(|state| {
            state.has_files = true;
            state.files.insert(path.into(), text.into());
        })
    }

    /// Lets the client offer to read and write files. There is no file at first.
    #[must_use]
    pub fn files(self) -> Self {
        self.with(|state| state.has_files = true)
    }

    /// Adds the output and the exit of a command in a terminal of the client. They belong to commands whose line begins
    /// with `line`; the line is `command` and `args` with spaces between. If you add several outputs for one line, they
    /// are used one after the other, and the last one repeatedly. Version 2 has no terminals of the client.
    ///
    /// See [Terminals](https://agentclientprotocol.com/protocol/v1/terminals).
    #[must_use]
    pub fn terminal(self, line: impl Into<String>, output: Output) -> Self {
        self.with(|state| state.terminals.script(line.into(), output))
    }

    /// Adds the user's reaction to the next form.
    ///
    /// See [Elicitation](https://agentclientprotocol.com/protocol/v1/elicitation).
    #[must_use]
    pub fn form(self, form: Form) -> Self {
        self.with(|state| {
            state.has_forms = true;
            state.forms.push_back(form);
        })
    }

    /// Adds the answer to every call of an extension method.
    #[must_use]
    pub fn ext(self, method: impl Into<String>, answer: Value) -> Self {
        self.with(|state| drop(state.extensions.insert(method.into(), answer)))
    }

    /// Changes the client's advertised capabilities. The function gets the capabilities that follow from the script.
    ///
    /// ```
    /// use acp_client::{testing::Script, values::FileSystemCapabilities};
    ///
    /// // A client that shows its files, and does not take any.
    /// let script = Script::new().file("/project/a.txt", "a").capabilities(|client| client.fs.write_text_file = false);
    /// # let _ = script;
    /// ```
    #[must_use]
    pub fn capabilities(self, change: impl FnOnce(&mut ClientCapabilities)) -> Self {
        let mut capabilities = self.advertised();
        change(&mut capabilities);
        self.with(|state| state.capabilities = Some(capabilities))
    }

    /// The agent's requests and notifications in order, without updates.
    pub fn asked(&self) -> Vec<Asked> {
        self.state().asked.clone()
    }

    /// The number of the agent's calls of a method.
    pub fn times_asked(&self, method: &str) -> usize {
        self.state().asked.iter().filter(|asked| asked.method == method).count()
    }

    /// The current text of a file.
    pub fn file_text(&self, path: impl AsRef<Path>) -> Option<String> {
        self.state().files.get(path.as_ref()).cloned()
    }

    /// The agent's writes, in order.
    pub fn written(&self) -> Vec<(PathBuf, String)> {
        self.state().writes.clone()
    }

    /// Questions without a scripted answer.
    pub fn unanswered(&self) -> Vec<String> {
        self.state().unanswered.clone()
    }

    fn advertised(&self) -> ClientCapabilities {
        let state = self.state();
        if let Some(capabilities) = &state.capabilities {
            return capabilities.clone();
        }
        let mut capabilities = contract::capabilities();
        capabilities.fs.read_text_file = state.has_files;
        capabilities.fs.write_text_file = state.has_files;
        capabilities.terminal = state.terminals.is_scripted();
        if state.has_forms {
            capabilities.elicitation = Some(ElicitationCapabilities::new().form(ElicitationFormCapabilities::new()));
        }
        capabilities
    }

    /// The answers that nobody asked for, of those that are used in order.
    pub(super) fn unused(&self) -> Vec<String> {
        let state = self.state();
        let decisions = state.permissions.in_order.iter().map(|decision| format!("the permission `{decision:?}`"));
        let forms = state.forms.iter().map(|Form(action)| format!("the form `{action:?}`"));
        let commands = state.terminals.unused().map(|line| format!("the command `{line}`"));
        decisions.chain(forms).chain(commands).collect()
    }

    fn no_answer(&self, what: String) -> Error {
        let error = Error::internal_error(format!("the test's script has no answer to {what}"));
        self.state().unanswered.push(what);
        error
    }

    async fn answer(&self, method: &str, params: Value) -> Result<Value, Error> {
        match method {
            methods::RequestPermission::NAME => {
                let request = read(params)?;
                let decision = self.state().permissions.next(&request);
                let Some(decision) = decision else {
                    let title = request.tool_call.title.as_deref().unwrap_or(request.tool_call.tool_call_id.as_ref());
                    return Err(self.no_answer(format!("the permission request for `{title}`")));
                };
                match decision.of(&request) {
                    Ok(Some(response)) => write(&response),
                    Ok(None) => std::future::pending().await,
                    Err(what) => Err(self.no_answer(what)),
                }
            }
            methods::ReadTextFile::NAME if self.state().has_files => write(&self.read_file(read(params)?)?),
            methods::WriteTextFile::NAME if self.state().has_files => write(&self.write_file(read(params)?)),
            methods::CreateElicitation::NAME if self.state().has_forms => write(&self.fill_in(read(params)?)?),
            method
                if contract::check::ALL_TERMINAL_METHODS.contains(&method) && self.state().terminals.is_scripted() =>
            {
                let answer = self.state().terminals.answer(method, params)?;
                match answer {
                    terminal::Answer::Now(value) => Ok(value),
                    terminal::Answer::AtExit(exit) => write(&terminal::exited(exit).await),
                    terminal::Answer::NotScripted(line) => Err(self.no_answer(format!("the command `{line}`"))),
                }
            }
            method => {
                let answer = self.state().extensions.get(method).cloned();
                answer.ok_or_else(|| Error::method_not_found(method))
            }
        }
    }

    fn read_file(&self, request: ReadTextFileRequest) -> Result<ReadTextFileResponse, Error> {
        let ReadTextFileRequest { path, line, limit, .. } = request;
        let text = self.file_text(&path).ok_or_else(|| Error::resource_not_found(path.display().to_string()))?;
        let first = line.map_or(0, |line| line.saturating_sub(1) as usize);
        let count = limit.map_or(usize::MAX, |limit| limit as usize);
        Ok(ReadTextFileResponse::new(text.split_inclusive('\n').skip(first).take(count).collect::<String>()))
    }

    fn write_file(&self, request: WriteTextFileRequest) -> WriteTextFileResponse {
        let WriteTextFileRequest { path, content, .. } = request;
        let mut state = self.state();
        state.writes.push((path.clone(), content.clone()));
        state.files.insert(path, content);
        WriteTextFileResponse::new()
    }

    fn fill_in(&self, request: CreateElicitationRequest) -> Result<CreateElicitationResponse, Error> {
        let form = self.state().forms.pop_front();
        let Some(Form(action)) = form else {
            return Err(self.no_answer(format!("the form `{}`", request.message)));
        };
        let action = match action {
            FormAction::Accept(content) => {
                let mut accept = ElicitationAcceptAction::new();
                accept.content = Some(read(content)?);
                ElicitationAction::Accept(accept)
            }
            FormAction::Decline => ElicitationAction::Decline,
            FormAction::Cancel => ElicitationAction::Cancel,
        };
        Ok(CreateElicitationResponse::new(action))
    }
}

fn read<T: DeserializeOwned>(params: Value) -> Result<T, Error> {
    serde_json::from_value(params).map_err(|error| Error::invalid_params(error.to_string()))
}

fn write(value: &impl Serialize) -> Result<Value, Error> {
    serde_json::to_value(value).map_err(|error| Error::internal_error(error.to_string()))
}

impl Handlers for Script {
    fn capabilities() -> ClientCapabilities {
        contract::capabilities()
    }

    fn advertised(&self) -> ClientCapabilities {
        Self::advertised(self)
    }

    fn call(call: Call<'_, Self>) {
        let method = call.method().to_owned();
        call.handle(move |script: Arc<Self>, params: Option<Value>| {
            let params = params.unwrap_or(Value::Object(Map::new()));
            let asked = Asked { method: method.clone(), params: params.clone() };
            // The request is recorded here and not in the future, to keep the order of arrival.
            script.state().asked.push(asked);
            async move { script.answer(&method, params).await }
        });
    }
}

impl fmt::Debug for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Script").field("asked", &self.state().asked).finish_non_exhaustive()
    }
}
