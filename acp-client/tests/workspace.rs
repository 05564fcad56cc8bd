//! The ready-made client. Its parts serve an agent within the folders of its open sessions.
#![cfg(all(feature = "files", unix))]
#![expect(clippy::unwrap_used, reason = "what a test needs, it fails without")]

use std::{fs, path::Path, time::Duration};

use acp_client::{
    Connection, Endpoint,
    parts::{Decision, Permissions, Workspace},
    transport::memory,
};
use acp_runtime::{agent::ServeOptions, prelude::*};

#[acp_agent(title = "Subject")]
#[derive(Clone)]
struct Subject;

#[acp_agent]
impl Subject {
    async fn new_session(&self) {}

    async fn load_session(&self, replay: Replay) -> Result<()> {
        replay.user("before").await
    }

    async fn close_session(&self) {}

    async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
        let text = request.text().to_string();
        let (what, rest) = text.split_once(' ').unwrap_or((&text, ""));
        let client = turn.client();
        let answer = match what {
            "read" => client.read_text_file(rest).await,
            "write" => client.write_text_file(rest, "written").await.map(|()| "done".to_owned()),
            "run" => {
                let terminal = client.terminal("sh").args(["-c", rest]).start().await?;
                terminal.wait_for_exit().await?;
                let output = terminal.output().await?.output;
                terminal.release().await?;
                Ok(output)
            }
            "leave" => {
                // The agent never releases this terminal, so it ends with its session.
                let terminal = client.terminal("sh").args(["-c", rest]).start().await?;
                std::mem::forget(terminal);
                Ok("left".to_owned())
            }
            _ => {
                let call = turn.tool_call("dangerous").start().await?;
                Ok(call.ask_permission().await?.is_allowed().to_string())
            }
        };
        turn.message(answer.unwrap_or_else(|error| format!("{} {}", error.code(), error.message()))).await?;
        Ok(StopReason::EndTurn)
    }
}

async fn connect() -> Connection {
    let (near, far) = memory::pair();
    tokio::spawn(Subject.serve(far, ServeOptions::new()));
    let client = Workspace::new(Permissions::ask(|_| async { Decision::AllowOnce }));
    Endpoint::over(near).connect_as(client).await.expect("it connects")
}

async fn ask(session: &acp_client::Session, text: String) -> String {
    let mut turn = session.prompt(text).await.unwrap();
    let mut answer = String::new();
    while let Some(text) = turn.text().await.unwrap() {
        answer += &text;
    }
    answer
}

async fn number(path: &Path) -> i32 {
    loop {
        if let Ok(text) = fs::read_to_string(path)
            && let Ok(number) = text.trim().parse()
        {
            return number;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

async fn is_gone(process: i32) {
    let gone = async {
        while fs::read_to_string(format!("/proc/{process}/stat")).is_ok_and(|stat| !stat.contains(") Z")) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), gone).await.expect("no process is left");
}

#[tokio::test]
async fn an_agent_works_within_the_folders_of_its_session() {
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (one, two) = (one.path().canonicalize().unwrap(), two.path().canonicalize().unwrap());
    let connection = connect().await;
    let session = connection.new_session(&*one).await.unwrap();
    let other = connection.new_session(&*two).await.unwrap();
    let file = one.join("new/file.txt");
    assert_eq!(ask(&session, format!("write {}", file.display())).await, "done");
    assert_eq!(fs::read_to_string(&file).unwrap(), "written");
    assert_eq!(ask(&session, format!("read {}", file.display())).await, "written");
    assert!(ask(&other, format!("read {}", file.display())).await.contains("outside"));
    assert!(ask(&session, format!("read {}/none", one.display())).await.starts_with("-32002"));
    assert_eq!(ask(&session, "run pwd; echo err >&2".to_owned()).await, format!("{}\nerr\n", one.display()));
    assert_eq!(ask(&session, "permission".to_owned()).await, "true");
    let loaded = connection.load_session(session.id().clone(), &*two).await.unwrap().await.unwrap();
    assert!(ask(&loaded, format!("read {}", file.display())).await.contains("outside"), "it has another folder now");
}

#[tokio::test]
async fn commands_end_with_their_session_and_with_the_connection() {
    let dir = tempfile::tempdir().unwrap();
    let connection = connect().await;
    let session = connection.new_session(dir.path()).await.unwrap();
    let line = |name: &str| format!("leave sleep 600 & echo $! > {name}; wait");
    assert_eq!(ask(&session, line("one")).await, "left");
    let child = number(&dir.path().join("one")).await;
    session.close().await.unwrap();
    is_gone(child).await;
    let session = connection.new_session(dir.path()).await.unwrap();
    assert_eq!(ask(&session, line("two")).await, "left");
    let child = number(&dir.path().join("two")).await;
    connection.close().await.unwrap();
    is_gone(child).await;
    drop(session);
}
