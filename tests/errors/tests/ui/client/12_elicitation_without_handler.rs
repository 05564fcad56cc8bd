//! The client states `elicitation`, but has no handler for it.
use acp_client::acp_client;

struct Editor;

#[acp_client(elicitation(form, url))]
impl Editor {}

fn main() {}
