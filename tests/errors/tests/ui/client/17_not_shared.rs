//! Clients that are not `Sync`, or not `Send`.
use acp_client::{Endpoint, acp_client, values::ToolCall};

struct Editor;

struct Cached(std::cell::RefCell<u8>);

#[acp_client]
impl Cached {
    async fn write_text_file(&self) {}

    async fn tool_call(&self, _call: ToolCall) {}
}

struct Counted {
    files: std::rc::Rc<str>,
}

#[acp_client(local)]
impl Counted {
    async fn read_text_file(&self) -> String {
        std::future::ready(()).await;
        self.files.to_string()
    }
}

async fn connect() {
    let _ = Endpoint::program("agent").connect_as(Cached(0.into())).await;
    let _ = Endpoint::program("agent").connect_as(Counted { files: "".into() }).await;
}

fn main() {
    drop(connect());
}
