//! The name of an MCP server, whatever its transport, and the command that starts one.

use std::process::Command;

use crate::v1::{McpServer, McpServerStdio};

impl McpServer {
    /// The name by which the user knows the server.
    ///
    /// ```
    /// use acp_runtime::values::{McpServer, McpServerHttp};
    ///
    /// let server = McpServer::from(McpServerHttp::new("search", "https://example.com/mcp", vec![]));
    /// assert_eq!(server.name(), "search");
    /// ```
    pub fn name(&self) -> &str {
        match self {
            Self::Http(server) => &server.name,
            Self::Sse(server) => &server.name,
            Self::Stdio(server) => &server.name,
            #[cfg(feature = "unstable")]
            Self::Acp(server) => &server.name,
        }
    }
}

impl McpServerStdio {
    /// The command that starts the server: the program, its arguments, and its variables beside those of this process. The
    /// folder and the pipes are for the caller to set. The command of tokio is made from it: `tokio::process::Command::from`.
    ///
    /// ```
    /// use acp_runtime::values::McpServerStdio;
    ///
    /// let server = McpServerStdio::new("files", "/usr/bin/mcp-files", vec!["--read-only".into()], vec![]);
    /// let mut command = server.to_command();
    /// command.current_dir("/home/me/project");
    /// assert_eq!(format!("{command:?}"), r#"cd "/home/me/project" && "/usr/bin/mcp-files" "--read-only""#);
    /// ```
    #[must_use]
    pub fn to_command(&self) -> Command {
        let mut command = Command::new(&self.command);
        command.args(&self.args).envs(self.env.iter().map(|variable| (&variable.name, &variable.value)));
        command
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::*;
    use crate::v1::EnvVariable;

    #[test]
    fn the_command_of_a_server_has_its_arguments_and_variables() {
        let variables = vec![EnvVariable::new("TOKEN", "a b"), EnvVariable::new("EMPTY", "")];
        let server = McpServerStdio::new("s", "/bin/server", vec!["--flag".into(), "two words".into()], variables);
        let command = server.to_command();
        let text = |text| OsStr::new(text);
        assert_eq!(command.get_program(), "/bin/server");
        assert_eq!(command.get_args().collect::<Vec<_>>(), ["--flag", "two words"]);
        let variables = [(text("EMPTY"), Some(text(""))), (text("TOKEN"), Some(text("a b")))];
        assert_eq!(command.get_envs().collect::<Vec<_>>(), variables);
    }
}
