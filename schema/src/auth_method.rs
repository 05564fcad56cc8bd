//! What every way to authenticate has, whoever carries it out.

use crate::v1::AuthMethod;

impl AuthMethod {
    /// The id of the way: what a client passes to `authenticate`.
    ///
    /// See [Authentication](https://agentclientprotocol.com/protocol/v1/authentication).
    ///
    /// ```
    /// use acp_runtime::values::{AuthMethod, AuthMethodAgent, AuthMethodTerminal};
    ///
    /// let ways: [AuthMethod; 2] = [
    ///     AuthMethodAgent::new("browser", "Sign in with the browser").into(),
    ///     AuthMethodTerminal::new("login", "Log in here").into(),
    /// ];
    /// assert_eq!(ways.each_ref().map(AuthMethod::id), ["browser", "login"]);
    /// ```
    pub fn id(&self) -> &str {
        match self {
            Self::Agent(way) => way.id.as_str(),
            Self::Terminal(way) => way.id.as_str(),
        }
    }

    /// The name by which the user knows the way.
    ///
    /// ```
    /// use acp_runtime::values::{AuthMethod, AuthMethodAgent};
    ///
    /// let way = AuthMethod::from(AuthMethodAgent::new("browser", "Sign in with the browser"));
    /// assert_eq!(way.name(), "Sign in with the browser");
    /// ```
    pub fn name(&self) -> &str {
        match self {
            Self::Agent(way) => &way.name,
            Self::Terminal(way) => &way.name,
        }
    }

    /// What the agent says of the way besides its name, for the user.
    ///
    /// ```
    /// use acp_runtime::values::{AuthMethod, AuthMethodAgent};
    ///
    /// let way = AuthMethodAgent::new("browser", "Sign in").description("Opens a page of acme.dev.");
    /// assert_eq!(AuthMethod::from(way).description(), Some("Opens a page of acme.dev."));
    /// ```
    pub fn description(&self) -> Option<&str> {
        match self {
            Self::Agent(way) => way.description.as_deref(),
            Self::Terminal(way) => way.description.as_deref(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::v1::{AuthMethodAgent, AuthMethodTerminal};

    #[test]
    fn each_kind_of_way_says_its_own() {
        let agent = AuthMethod::from(AuthMethodAgent::new("a", "Agent"));
        let terminal = AuthMethod::from(AuthMethodTerminal::new("t", "Terminal").description("Here"));
        assert_eq!((agent.id(), agent.name(), agent.description()), ("a", "Agent", None));
        assert_eq!((terminal.id(), terminal.name(), terminal.description()), ("t", "Terminal", Some("Here")));
    }
}
