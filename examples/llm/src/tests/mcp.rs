//! MCP servers over stdio. The server is a script of the shell.

use std::path::Path;

use acp_client::{
    testing::{Decision, Script},
    values::{McpServer, McpServerStdio, NewSessionRequest, ToolCallStatus},
};
use serde_json::json;

use super::{
    connect_as,
    fake::{Fake, calls, says},
};

/// Answers `initialize`, and lists a tool for each way in which a call can end.
const SERVER: &str = r#"
echo start >> "$LOG"
reply() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$1"; }
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
    *'"initialize"'*) reply '{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"sh","version":"1"}}' ;;
    *'"tools/list"'*) reply '{"tools":[{"name":"greet","description":"Greets.","inputSchema":{"type":"object"}},{"name":"die","inputSchema":{"type":"object"}},{"name":"much","inputSchema":{"type":"object"}},{"name":"err","inputSchema":{"type":"object"}}]}' ;;
    *'"greet"'*) reply '{"content":[{"type":"text","text":"Hello from sh"}]}' ;;
    *'"err"'*) reply '{"content":[{"type":"text","text":"no such name"}],"isError":true}' ;;
    *'"much"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"' "$id"; head -c 10000000 /dev/zero | tr '\0' x; printf '"}]}}\n' ;;
    *'"die"'*) exit 1 ;;
  esac
done
"#;

/// What a server does that goes on when its input ends.
#[cfg(unix)]
const STAYS: &str = r#"
trap '' TERM
sleep 1000 &
echo $! >> "$LOG.children"
wait
"#;

fn server(folder: &Path) -> McpServer {
    let script = folder.join("server.sh");
    std::fs::write(&script, SERVER).unwrap();
    let log = acp_client::values::EnvVariable::new("LOG", folder.join("log").display().to_string());
    McpServerStdio::new("sh", "/bin/sh", vec![script.display().to_string()], vec![log]).into()
}

fn starts(folder: &Path) -> usize {
    std::fs::read_to_string(folder.join("log")).unwrap_or_default().lines().count()
}

#[tokio::test]
async fn tools_of_a_server_are_offered_asked_for_and_called() {
    let fake =
        Fake::new([calls("sh__greet", json!({ "name": "you" })), calls("sh__err", json!({})), says("Done.")]).await;
    let script = Script::new().permissions([Decision::AllowOnce, Decision::AllowOnce]);
    let agent = connect_as(&fake.url, &script).await;
    let folder = tempfile::tempdir().unwrap();
    let request = NewSessionRequest::new(folder.path(), vec![server(folder.path())]);
    let turn = agent.session_with(request).await.turn("Greet").await;
    assert_eq!(fake.asked()["tools"][4]["function"]["name"], "sh__greet");
    assert_eq!(fake.messages("tool"), ["Hello from sh", "it failed: no such name"]);
    assert_eq!(turn.tool_call("greet").status, ToolCallStatus::Completed);
    assert_eq!(turn.tool_call("err").status, ToolCallStatus::Failed);
    agent.finish().await;
}

#[tokio::test]
async fn a_server_that_dies_starts_again_with_the_next_prompt() {
    let again = [calls("sh__die", json!({})), says("It died."), calls("sh__greet", json!({})), says("It lives.")];
    let fake = Fake::new(again).await;
    let script = Script::new().permission_otherwise(Decision::AllowOnce);
    let agent = connect_as(&fake.url, &script).await;
    let folder = tempfile::tempdir().unwrap();
    let session = agent.session_with(NewSessionRequest::new(folder.path(), vec![server(folder.path())])).await;
    let turn = session.turn("Die").await;
    assert_eq!((turn.text(), turn.tool_call("die").status), ("It died.".into(), ToolCallStatus::Failed));
    let told = fake.messages("tool")[0].as_str().unwrap().to_owned();
    assert!(told.contains("if it has ended, the next prompt starts it again"), "{told}");
    assert_eq!(session.turn("Greet").await.text(), "It lives.");
    assert_eq!((fake.messages("tool")[1].as_str(), starts(folder.path())), (Some("Hello from sh"), 2));
    agent.finish().await;
}

#[tokio::test]
async fn a_server_that_does_not_start_is_told_once_and_the_turn_goes_on() {
    let fake = Fake::new([says("Hi."), says("Hi.")]).await;
    let agent = connect_as(&fake.url, &Script::new()).await;
    let folder = tempfile::tempdir().unwrap();
    let servers = vec![
        McpServerStdio::new("gone", "/no/such/program", vec![], vec![]).into(),
        McpServerStdio::new("mute", "/bin/true", vec![], vec![]).into(),
    ];
    let session = agent.session_with(NewSessionRequest::new(folder.path(), servers)).await;
    let text = session.turn("Hi").await.text();
    for name in ["gone", "mute"] {
        assert!(text.contains(&format!("The MCP server `{name}` does not start: correct the settings")), "{text}");
    }
    assert!(text.ends_with("Hi."), "{text}");
    assert_eq!(session.turn("Hi").await.text(), "Hi.");
    agent.finish().await;
}

// `rmcp` drops an answer of more than 16 MiB, and the call ends when its time is over.
#[tokio::test]
async fn ten_megabytes_of_a_server_are_cut_for_the_model_and_the_user() {
    let fake = Fake::new([calls("sh__much", json!({})), says("Much.")]).await;
    let script = Script::new().permission_otherwise(Decision::AllowOnce);
    let agent = connect_as(&fake.url, &script).await;
    let folder = tempfile::tempdir().unwrap();
    let session = agent.session_with(NewSessionRequest::new(folder.path(), vec![server(folder.path())])).await;
    let turn = session.turn("Much").await;
    let told = fake.messages("tool")[0].as_str().unwrap().to_owned();
    assert!(told.len() < 40_000, "{}: {}", told.len(), &told[..200]);
    assert!(serde_json::to_string(turn.tool_call("much")).unwrap().len() < 80_000);
    agent.finish().await;
}

#[cfg(unix)]
#[tokio::test]
async fn a_server_that_stays_is_ended_with_what_it_has_started() {
    let fake = Fake::new([says("Hi.")]).await;
    let agent = connect_as(&fake.url, &Script::new()).await;
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("stays.sh");
    std::fs::write(&script, format!("{SERVER}{STAYS}")).unwrap();
    let log = acp_client::values::EnvVariable::new("LOG", folder.path().join("log").display().to_string());
    let server = McpServerStdio::new("sh", "/bin/sh", vec![script.display().to_string()], vec![log]);
    let session = agent.session_with(NewSessionRequest::new(folder.path(), vec![server.into()])).await;
    session.turn("Hi").await;
    session.close().await.expect("a close");
    let children = folder.path().join("log.children");
    let child = || std::fs::read_to_string(&children).ok()?.trim().parse::<u32>().ok();
    super::until("the child of the server", || child().is_some()).await;
    let child = child().unwrap();
    super::until("the end of the child", || !Path::new(&format!("/proc/{child}/stat")).exists()).await;
    agent.finish().await;
}
