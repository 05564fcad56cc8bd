use acp_runtime::prelude::*;

#[derive(Clone)]
struct Core;

#[acp_agent(
    needs_auth,
    auth(agent(id = "key", name = "API key")),
    capabilities(mcp_http),
    shared = Core,
    turns = "steer",
    ext_listing = "_example.com/extensions",
)]
#[derive(Clone)]
struct Coder;

fn main() {}
