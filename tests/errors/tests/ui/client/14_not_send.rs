//! A handler whose future is not `Send`.
use acp_client::acp_client;

struct Editor;

#[acp_client]
impl Editor {
    async fn read_text_file(&self) -> String {
        let text = std::rc::Rc::new(String::new());
        std::future::ready(()).await;
        (*text).clone()
    }
}

fn main() {}
