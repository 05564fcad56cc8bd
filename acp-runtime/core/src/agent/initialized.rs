//! What a handler of `initialize` adds to the answer.

use std::fmt;

use serde_json::Value;

use super::beyond::Beyond;
use crate::{
    client::{Credentials, CredentialsCheck},
    schema::Member,
    values::{AuthMethod, AuthMethodAgent, Implementation, Meta},
    wire::Result,
};

/// The answer of a handler of `initialize`, beyond what the declaration says.
///
/// The agent's capabilities and the version of the protocol are not here: they follow from the declaration and from the
/// client. What the handler leaves out is answered as declared.
///
/// See [Initialization](https://agentclientprotocol.com/protocol/v1/initialization).
///
/// ```
/// use acp_runtime::{prelude::*, values::AuthMethodAgent};
///
/// #[acp_agent]
/// #[derive(Clone)]
/// struct Coder;
///
/// #[acp_agent]
/// impl Coder {
///     async fn initialize(&self, _request: InitializeRequest) -> Result<Initialized> {
///         let key = std::env::var("CODER_KEY").is_ok();
///         let way = AuthMethodAgent::new("account", "Sign in");
///         Ok(Initialized::new().auth_method(way).meta("example.com/build", "nightly").authenticated(key))
///     }
///
///     async fn authenticate(&self, request: AuthenticateRequest) -> Result<()> {
///         let _ = request.method_id;
///         Ok(())
///     }
///
///     async fn prompt(&self) -> StopReason {
///         StopReason::EndTurn
///     }
/// }
/// ```
#[must_use]
#[derive(Default)]
pub struct Initialized {
    pub(super) name: Option<String>,
    pub(super) title: Option<String>,
    pub(super) version: Option<String>,
    pub(super) auth_methods: Vec<AuthMethod>,
    pub(super) meta: Meta,
    pub(super) authenticated: Option<bool>,
    pub(super) credentials: Option<Credentials>,
    pub(super) credentials_check: Option<CredentialsCheck>,
    pub(super) beyond: Option<Beyond>,
}

impl fmt::Debug for Initialized {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Initialized")
            .field("name", &self.name)
            .field("auth_methods", &self.auth_methods.len())
            .field("authenticated", &self.authenticated)
            .finish_non_exhaustive()
    }
}

impl Initialized {
    /// An answer that adds nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// `agentInfo.name`, instead of the declared name.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// `agentInfo.title`, instead of the declared title.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// `agentInfo.version`, instead of the declared version.
    pub fn version(mut self, version: impl Into<String>) -> Self {
        self.version = Some(version.into());
        self
    }

    /// Offers a way to authenticate behind the ways that `auth(..)` declares. A way with the id of an earlier way takes its
    /// place. A way through a terminal is offered only to a client that can follow it.
    ///
    /// A way that the agent carries out needs the handler `authenticate`; without it, `initialize` is answered with an error.
    pub fn auth_method(mut self, method: impl Into<AuthMethod>) -> Self {
        self.auth_methods.push(method.into());
        self
    }

    /// Offers several ways, as [`auth_method`](Self::auth_method) does.
    pub fn auth_methods<M: Into<AuthMethod>>(mut self, methods: impl IntoIterator<Item = M>) -> Self {
        self.auth_methods.extend(methods.into_iter().map(Into::into));
        self
    }

    /// Offers a way with members that the schema lacks, for clients that know them. Otherwise as
    /// [`auth_method`](Self::auth_method): `authenticate` gets its id.
    ///
    /// ```
    /// use acp_runtime::{agent::Initialized, schema::Member, values::AuthMethodAgent};
    /// use serde_json::json;
    ///
    /// /// The kind of a way, and the variables that a way of the kind `env_var` needs.
    /// const TYPE: Member = Member::new("type");
    /// const VARS: Member = Member::new("vars");
    ///
    /// let way = AuthMethodAgent::new("openai-key", "Use OPENAI_API_KEY");
    /// let members = [(TYPE, json!("env_var")), (VARS, json!([{ "name": "OPENAI_API_KEY" }]))];
    /// let answer = Initialized::new().auth_method_with(way, members);
    /// # drop(answer);
    /// ```
    pub fn auth_method_with<V: Into<Value>>(
        mut self,
        method: AuthMethodAgent,
        members: impl IntoIterator<Item = (Member, V)>,
    ) -> Self {
        let members = members.into_iter().map(|(member, value)| (member, value.into())).collect();
        let beyond = Beyond::of(&mut self.beyond);
        beyond.of_ways.retain(|(id, _)| *id != method.id);
        beyond.of_ways.push((method.id.clone(), members));
        self.auth_method(method)
    }

    /// A member of the answer that the schema lacks. If the schema has one of its name, `initialize` is answered with an error.
    pub fn member(mut self, member: Member, value: impl Into<Value>) -> Self {
        Beyond::of(&mut self.beyond).members.push((member, value.into()));
        self
    }

    /// A member of the answer's `_meta`. The member that `ext_listing` names is the runtime's.
    pub fn meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.meta.insert(key.into(), value.into());
        self
    }

    /// Whether the agent has credentials already, so that the client need not authenticate first. See `needs_auth` in the
    /// [reference](crate::agent).
    pub fn authenticated(mut self, authenticated: bool) -> Self {
        self.authenticated = Some(authenticated);
        self
    }

    /// Looks for credentials whenever a request finds that the client has not authenticated. The user of a way through a
    /// terminal logs in without a message to the agent; this function sees the result. It runs on the connection's task, so
    /// it must not block for long. What it looks for has to be gone when the handler `logout` has succeeded. On version 2, a client
    /// also logs out of an agent without this handler: then what is there does not count any more, until it was gone once or the
    /// client authenticates.
    ///
    /// ```
    /// # use acp_runtime::agent::Initialized;
    /// # let token = std::path::PathBuf::new();
    /// let answer = Initialized::new().credentials(move || token.exists());
    /// # drop(answer);
    /// ```
    pub fn credentials(mut self, found: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        self.credentials = Some(Box::new(found));
        self
    }

    /// Asks whether there are good credentials, before each request that needs them: for credentials that come from elsewhere, are
    /// renewed, and may die while the agent runs. It is for agents with `needs_auth`, and decides alone: what `authenticate` has
    /// done is what this function then finds.
    ///
    /// The requests of one session wait for the answer in their order. If it is `false`, the request is answered `-32000`. The first
    /// time after it was `true`, the open sessions get a notice, if the client shows notices. If it is an error, the request is
    /// answered with it. The function is called often: keep a token that still holds.
    ///
    /// ```
    /// # use acp_runtime::{Result, agent::Initialized};
    /// # #[derive(Clone)] struct Tokens;
    /// # impl Tokens { async fn renewed(&self) -> Result<Option<String>> { Ok(None) } }
    /// # let tokens = Tokens;
    /// let answer = Initialized::new().check_credentials(move || {
    ///     let tokens = tokens.clone();
    ///     async move { Ok(tokens.renewed().await?.is_some()) }
    /// });
    /// # drop(answer);
    /// ```
    pub fn check_credentials<F>(mut self, check: impl Fn() -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<bool>> + Send + 'static,
    {
        self.credentials_check = Some(Box::new(move || Box::pin(check())));
        self
    }

    /// The agent's name and version: as declared, or as the handler said.
    pub(super) fn implementation(&mut self, mut declared: Implementation) -> Implementation {
        let Self { name, title, version, .. } = self;
        declared.name = name.take().unwrap_or(declared.name);
        declared.version = version.take().unwrap_or(declared.version);
        declared.title = title.take().or(declared.title);
        declared
    }
}
