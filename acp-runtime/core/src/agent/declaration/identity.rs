//! The statements of the struct half of `#[acp_agent]`: the name, the version, and the capabilities that no handler
//! implies.

use acp_handlers::each;

use crate::values::{AuthMethod, AuthMethodAgent, Implementation, McpCapabilities, PromptCapabilities};

/// The identity of an agent, as `initialize` answers it.
///
/// See [Initialization](https://agentclientprotocol.com/protocol/v1/initialization).
#[derive(Clone, Copy, Debug)]
pub struct AgentInfo {
    name: &'static str,
    title: Option<&'static str>,
    version: &'static str,
    image: bool,
    audio: bool,
    embedded_context: bool,
    mcp_http: bool,
    mcp_sse: bool,
    additional_directories: bool,
    auth: &'static [AuthDeclaration],
    ext_listing: Option<&'static str>,
    #[cfg(feature = "unstable")]
    drafts: &'static [&'static str],
}

impl AgentInfo {
    /// An identity that states only a name and a version.
    pub const fn new(name: &'static str, version: &'static str) -> Self {
        Self {
            name,
            title: None,
            version,
            image: false,
            audio: false,
            embedded_context: false,
            mcp_http: false,
            mcp_sse: false,
            additional_directories: false,
            auth: &[],
            ext_listing: None,
            #[cfg(feature = "unstable")]
            drafts: &[],
        }
    }

    /// The name shown to people.
    pub const fn title(mut self, title: &'static str) -> Self {
        self.title = Some(title);
        self
    }

    /// States that prompts may contain images.
    pub const fn image(mut self) -> Self {
        self.image = true;
        self
    }

    /// States that prompts may contain audio.
    pub const fn audio(mut self) -> Self {
        self.audio = true;
        self
    }

    /// States that prompts may contain embedded resources.
    pub const fn embedded_context(mut self) -> Self {
        self.embedded_context = true;
        self
    }

    /// States that the agent connects to MCP servers over HTTP.
    pub const fn mcp_http(mut self) -> Self {
        self.mcp_http = true;
        self
    }

    /// States that the agent connects to MCP servers over SSE.
    pub const fn mcp_sse(mut self) -> Self {
        self.mcp_sse = true;
        self
    }

    /// States that sessions may have roots besides their working directory.
    pub const fn additional_directories(mut self) -> Self {
        self.additional_directories = true;
        self
    }

    /// Sets the ways to authenticate.
    pub const fn auth(mut self, methods: &'static [AuthDeclaration]) -> Self {
        self.auth = methods;
        self
    }

    /// Sets the key in the `_meta` of `initialize` under which the extension methods are listed.
    pub const fn ext_listing(mut self, key: &'static str) -> Self {
        self.ext_listing = Some(key);
        self
    }

    /// States capabilities of drafts, by their words.
    #[cfg(feature = "unstable")]
    pub const fn drafts(mut self, words: &'static [&'static str]) -> Self {
        self.drafts = words;
        self
    }

    #[cfg(feature = "unstable")]
    pub(crate) const fn stated_drafts(&self) -> &'static [&'static str] {
        self.drafts
    }

    /// Whether there is a way to authenticate.
    pub(crate) const fn has_auth(&self) -> bool {
        !self.auth.is_empty()
    }

    /// Whether the agent itself carries out one of the ways to authenticate.
    pub(crate) const fn has_agent_auth(&self) -> bool {
        each!(way in self.auth, {
            if way.terminal.is_none() {
                return true;
            }
        });
        false
    }

    pub(crate) fn implementation(&self) -> Implementation {
        let implementation = Implementation::new(self.name, self.version);
        match self.title {
            Some(title) => implementation.title(title.to_owned()),
            None => implementation,
        }
    }

    pub(crate) fn prompt(&self) -> PromptCapabilities {
        PromptCapabilities::new().image(self.image).audio(self.audio).embedded_context(self.embedded_context)
    }

    pub(crate) fn mcp(&self) -> McpCapabilities {
        McpCapabilities::new().http(self.mcp_http).sse(self.mcp_sse)
    }

    pub(crate) fn takes_additional_directories(&self) -> bool {
        self.additional_directories
    }

    pub(crate) fn lists_extensions(&self) -> Option<&'static str> {
        self.ext_listing
    }

    pub(crate) fn auth_methods(&self) -> impl Iterator<Item = &'static AuthDeclaration> + use<> {
        self.auth.iter()
    }
}

/// One way to authenticate, as declared with `auth(..)`.
///
/// See [Authentication](https://agentclientprotocol.com/protocol/v1/authentication).
#[derive(Clone, Copy, Debug)]
pub struct AuthDeclaration {
    id: &'static str,
    name: &'static str,
    description: Option<&'static str>,
    terminal: Option<&'static [&'static str]>,
}

impl AuthDeclaration {
    /// The agent authenticates by itself, in its `authenticate` handler.
    pub const fn agent(id: &'static str, name: &'static str) -> Self {
        Self { id, name, description: None, terminal: None }
    }

    /// The user logs in in a terminal. The client runs the agent's program there, with these arguments. Only clients
    /// that advertise such terminals get this way.
    pub const fn terminal(id: &'static str, name: &'static str, args: &'static [&'static str]) -> Self {
        Self { id, name, description: None, terminal: Some(args) }
    }

    /// Adds a sentence about the way.
    pub const fn description(mut self, description: &'static str) -> Self {
        self.description = Some(description);
        self
    }

    pub(crate) fn id(&self) -> &'static str {
        self.id
    }

    /// Whether the client runs the program. Then the client never sends `authenticate` for this way.
    pub(crate) fn is_terminal(&self) -> bool {
        self.terminal.is_some()
    }

    pub(crate) fn method(&self) -> AuthMethod {
        use crate::values::AuthMethodTerminal;
        let description = self.description.map(str::to_owned);
        match self.terminal {
            None => AuthMethod::Agent(AuthMethodAgent::new(self.id, self.name).description(description)),
            Some(args) => AuthMethod::Terminal(
                AuthMethodTerminal::new(self.id, self.name)
                    .description(description)
                    .args(args.iter().map(|&arg| arg.to_owned()).collect::<Vec<_>>()),
            ),
        }
    }
}
