//! What all MCP servers have, whatever their transport.

use crate::v1::McpServer;

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
