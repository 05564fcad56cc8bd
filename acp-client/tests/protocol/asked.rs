//! Requests of an agent: permission, files, elicitation (PERM, FS, ELIC, EXT).

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use acp_client::{
    acp_client,
    handlers::{Error, RequestMeta},
    values::{
        CreateElicitationRequest, CreateTerminalRequest, ElicitationAcceptAction, ElicitationAction,
        KillTerminalRequest, PermissionOptionId, ReadTextFileRequest, ReleaseTerminalRequest, RequestPermissionRequest,
        TerminalExitStatus, TerminalId, TerminalOutputRequest, TerminalOutputResponse, WaitForTerminalExitRequest,
        WriteTextFileRequest,
    },
};
use serde_json::{Value, json};

use super::open_as;

/// A client that counts its calls.
#[derive(Clone, Default)]
struct Editor {
    calls: Arc<AtomicUsize>,
    meta: Arc<Mutex<Option<Value>>>,
}

impl Editor {
    fn called(&self) {
        self.calls.fetch_add(1, Ordering::Relaxed);
    }
}

#[acp_client]
impl Editor {
    async fn read_text_file(&self, request: ReadTextFileRequest) -> std::io::Result<String> {
        self.called();
        std::fs::read_to_string(request.path)
    }

    async fn write_text_file(&self, _: WriteTextFileRequest, RequestMeta(meta): RequestMeta) {
        self.called();
        *self.meta.lock().unwrap() = meta.map(|meta| serde_json::to_value(meta).unwrap());
    }

    async fn create_terminal(&self, _: CreateTerminalRequest) -> TerminalId {
        self.called();
        "t".into()
    }

    async fn terminal_output(&self, _: TerminalOutputRequest) -> TerminalOutputResponse {
        TerminalOutputResponse::new("", false)
    }

    async fn wait_for_terminal_exit(&self, _: WaitForTerminalExitRequest) -> TerminalExitStatus {
        TerminalExitStatus::new()
    }

    async fn kill_terminal(&self, _: KillTerminalRequest) {}

    async fn release_terminal(&self, _: ReleaseTerminalRequest) {}

    async fn request_permission(&self, request: RequestPermissionRequest) -> Option<PermissionOptionId> {
        request.options.first().map(|option| option.option_id.clone())
    }
}

#[tokio::test]
async fn permission_is_answered_by_a_selected_option_or_cancelled() {
    let (_connection, _session, mut agent) = open_as(Editor::default(), json!({})).await;
    let option = json!({ "optionId": "a 1", "name": "Allow", "kind": "allow_once" });
    for (options, outcome) in [
        (json!([option]), json!({ "outcome": "selected", "optionId": "a 1" })),
        (json!([]), json!({ "outcome": "cancelled" })),
    ] {
        let params = json!({ "sessionId": "s", "toolCall": { "toolCallId": "c" }, "options": options });
        let answer = agent.ask("session/request_permission", params).await;
        assert_eq!(answer["result"], json!({ "outcome": outcome }));
    }
}

#[tokio::test]
async fn relative_paths_and_line_0_reach_no_handler() {
    let client = Editor::default();
    let (_connection, _session, mut agent) = open_as(client.clone(), json!({})).await;
    for (method, params, says) in [
        ("fs/read_text_file", json!({ "path": "a.txt" }), "relative"),
        ("fs/read_text_file", json!({ "path": "" }), "relative"),
        ("fs/read_text_file", json!({ "path": "/a.txt", "line": 0 }), "line 0"),
        ("fs/write_text_file", json!({ "path": "./a.txt", "content": "" }), "relative"),
        ("terminal/create", json!({ "command": "ls", "cwd": "src" }), "relative"),
    ] {
        let mut params = params;
        params["sessionId"] = "s".into();
        let answer = agent.ask(method, params.clone()).await;
        assert_eq!(answer["error"]["code"], -32602, "{params}: {answer}");
        assert!(answer["error"]["message"].as_str().unwrap().contains(says), "{answer}");
    }
    assert_eq!(client.calls.load(Ordering::Relaxed), 0);
    for (method, params) in [
        ("fs/write_text_file", json!({ "sessionId": "s", "path": "/a.txt", "content": "" })),
        ("terminal/create", json!({ "sessionId": "s", "command": "ls", "cwd": null })),
        ("terminal/create", json!({ "sessionId": "s", "command": "ls", "cwd": "/", "args": null, "env": null })),
    ] {
        let answer = agent.ask(method, params).await;
        assert!(answer.get("result").is_some(), "{answer}");
    }
    assert_eq!(client.calls.load(Ordering::Relaxed), 3);
}

#[tokio::test]
async fn a_file_that_is_missing_is_not_found_also_by_a_handler_of_ones_own() {
    let folder = tempfile::tempdir().unwrap();
    let (_connection, _session, mut agent) = open_as(Editor::default(), json!({})).await;
    let read = |path: std::path::PathBuf| json!({ "sessionId": "s", "path": path });
    std::fs::write(folder.path().join("there"), "x").unwrap();
    let answer = agent.ask("fs/read_text_file", read(folder.path().join("there"))).await;
    assert_eq!(answer["result"], json!({ "content": "x" }));
    let answer = agent.ask("fs/read_text_file", read(folder.path().join("none"))).await;
    assert_eq!(answer["error"]["code"], -32002, "{answer}");
    // Another failure has another code.
    let answer = agent.ask("fs/read_text_file", read(folder.path().to_owned())).await;
    assert_eq!(answer["error"]["code"], -32603, "{answer}");
}

#[tokio::test]
async fn meta_reaches_the_handler_and_unknown_fields_do_not_matter() {
    let client = Editor::default();
    let (_connection, _session, mut agent) = open_as(client.clone(), json!({})).await;
    let meta = json!({ "traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "any": [null, 1.5] });
    let params = json!({ "sessionId": "s", "path": "/a", "content": "", "more": { "x": [1] }, "_meta": meta });
    let answer = agent.ask("fs/write_text_file", params).await;
    assert!(answer["result"].is_object() || answer["result"].is_null(), "{answer}");
    assert_eq!(*client.meta.lock().unwrap(), Some(meta));
}

/// A client that takes forms, but sends no user to a page.
#[derive(Clone, Default)]
struct Forms(Arc<AtomicUsize>);

#[acp_client(elicitation(form))]
impl Forms {
    async fn create_elicitation(&self, _: CreateElicitationRequest) -> Result<ElicitationAction, Error> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Ok(ElicitationAction::Accept(ElicitationAcceptAction::new()))
    }
}

/// A client that sends users to pages, but shows no forms.
#[derive(Clone, Default)]
struct Pages(Arc<AtomicUsize>);

#[acp_client(elicitation(url))]
impl Pages {
    async fn create_elicitation(&self, _: CreateElicitationRequest) -> ElicitationAction {
        self.0.fetch_add(1, Ordering::Relaxed);
        ElicitationAction::Decline
    }
}

fn elicitation(mode: &str) -> Value {
    let mut params = json!({ "sessionId": "s", "message": "?", "mode": mode });
    match mode {
        "form" => params["requestedSchema"] = json!({ "type": "object", "properties": {} }),
        _ => {
            params["elicitationId"] = "e".into();
            params["url"] = "https://example.com/".into();
        }
    }
    params
}

#[tokio::test]
async fn a_mode_of_elicitation_that_was_not_advertised_is_refused() {
    let (forms, pages) = (Forms::default(), Pages::default());
    let (_one, _session, mut to_forms) = open_as(forms.clone(), json!({})).await;
    let (_other, _session, mut to_pages) = open_as(pages.clone(), json!({})).await;
    assert_eq!(to_forms.ask("elicitation/create", elicitation("form")).await["result"]["action"], "accept");
    assert_eq!(to_pages.ask("elicitation/create", elicitation("url")).await["result"]["action"], "decline");
    for (is_of_forms, mode) in [(true, "url"), (false, "form"), (false, "_hologram")] {
        let agent = if is_of_forms { &mut to_forms } else { &mut to_pages };
        let answer = agent.ask("elicitation/create", elicitation(mode)).await;
        assert_eq!(answer["error"]["code"], -32602, "{mode}: {answer}");
        assert!(answer["error"]["message"].as_str().unwrap().contains("did not advertise"), "{answer}");
    }
    assert_eq!((forms.0.load(Ordering::Relaxed), pages.0.load(Ordering::Relaxed)), (1, 1));
}
