//! Nobody carries it out.
use acp_client::acp_client;

struct Editor;

#[acp_client(elicitation(form, url))]
impl Editor {}

fn main() {}
