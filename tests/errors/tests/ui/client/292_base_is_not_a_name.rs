//! The value is a text, or is missing, in the place of the name of a field.
use acp_client::{acp_client, parts::Workspace, values::*};

struct Editor {
    workspace: Workspace,
}

#[acp_client(base = "workspace")]
impl Editor {
    async fn read_text_file(&self, request: ReadTextFileRequest) -> String {
        request.path.display().to_string()
    }
}

struct Other {
    workspace: Workspace,
}

#[acp_client(base)]
impl Other {
    async fn read_text_file(&self, request: ReadTextFileRequest) -> String {
        request.path.display().to_string()
    }
}

fn main() {}
