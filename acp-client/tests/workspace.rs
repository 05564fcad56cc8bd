//! The ready-made client. Its parts serve an agent within the folders of its open sessions.
#![cfg(all(feature = "files", unix))]
#![expect(clippy::unwrap_used, reason = "what a test needs, it fails without")]

use std::{fs, path::Path, time::Duration};

use acp_client::{
    ConnectOptions, Connection, Endpoint,
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

    async fn load_session(&self, request: LoadSessionRequest, replay: Replay) -> Result<()> {
        replay.user("before").await?;
        reopen(&request.cwd).await
    }

    async fn resume_session(&self, request: ResumeSessionRequest) -> Result<()> {
        reopen(&request.cwd).await
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

/// A file in the folder says what the agent does.
async fn reopen(cwd: &Path) -> Result<()> {
    if cwd.join("silent").exists() {
        std::future::pending::<()>().await;
    }
    if cwd.join("refused").exists() { Err(Error::internal_error("as the folder says")) } else { Ok(()) }
}

async fn connect() -> Connection {
    connect_as(&Workspace::new(Permissions::ask(|_| async { Decision::AllowOnce }))).await
}

async fn connect_as(client: &Workspace) -> Connection {
    let (near, far) = memory::pair();
    tokio::spawn(Subject.serve(far, ServeOptions::new()));
    // Version 2 has neither files nor terminals of the client.
    let options = ConnectOptions::new().versions(1..=1);
    Endpoint::over(near).options(options).connect_as(client.clone()).await.expect("it connects")
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

/// An agent that ignores the client's capabilities: it asks for everything.
async fn bold(client: Workspace, folder: &Path) -> [Option<String>; 3] {
    let (near, far) = memory::pair();
    let mut agent = far.into_lines();
    let connecting = tokio::spawn(Endpoint::over(near).connect_as(client));
    let asked = agent.next_line().await.unwrap().unwrap();
    let asked: serde_json::Value = serde_json::from_str(&asked).unwrap();
    let capabilities = &asked["params"]["clientCapabilities"];
    let offers = |offered: &serde_json::Value| offered.as_bool().unwrap_or_default();
    let offered = [offers(&capabilities["fs"]["readTextFile"]), offers(&capabilities["fs"]["writeTextFile"])];
    let offered = [offered[0], offered[1], offers(&capabilities["terminal"])];
    agent.send(r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1}}"#).await.unwrap();
    let connection = connecting.await.unwrap().unwrap();
    let answers = async {
        agent.next_line().await.unwrap().unwrap();
        agent.send(r#"{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s"}}"#).await.unwrap();
        let (read, written) = (folder.join("read"), folder.join("written"));
        fs::write(&read, "").unwrap();
        let calls = [
            ("fs/read_text_file", serde_json::json!({ "sessionId": "s", "path": read })),
            ("fs/write_text_file", serde_json::json!({ "sessionId": "s", "path": written, "content": "" })),
            ("terminal/create", serde_json::json!({ "sessionId": "s", "command": "true" })),
        ];
        let mut refused = [const { None }; 3];
        for (at, (method, params)) in calls.into_iter().enumerate() {
            let call = serde_json::json!({ "jsonrpc": "2.0", "id": at, "method": method, "params": params });
            agent.send(&call.to_string()).await.unwrap();
            let answer = agent.next_line().await.unwrap().unwrap();
            let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
            refused[at] = answer.get("error").map(|error| error["code"].to_string());
            assert_eq!(offered[at], refused[at].is_none(), "it refuses what it does not offer: {answer}");
        }
        refused
    };
    let (session, refused) = tokio::join!(connection.new_session(folder), answers);
    drop(session);
    refused
}

#[tokio::test]
async fn a_policy_that_allows_only_reads_refuses_writes_and_commands_to_an_agent_that_does_not_ask() {
    let dir = tempfile::tempdir().unwrap();
    let asking = || Workspace::new(Permissions::ask(|_| async { Decision::AllowOnce }));
    let none = || Some("-32601".to_owned());
    for policy in [Permissions::reads_only(), Permissions::reject()] {
        assert_eq!(bold(Workspace::new(policy), dir.path()).await, [None, none(), none()]);
        assert!(!dir.path().join("written").exists());
    }
    assert_eq!(bold(asking(), dir.path()).await, [None, None, None]);
    assert_eq!(bold(asking().without_terminals(), dir.path()).await, [None, None, none()]);
    assert_eq!(bold(asking().without_writes(), dir.path()).await, [None, none(), None]);
    assert_eq!(bold(Workspace::new(Permissions::allow()), dir.path()).await, [None, None, None]);
}

#[tokio::test]
async fn the_folders_of_a_session_that_does_not_open_are_taken_back() {
    let [one, refused, silent] = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let [one, refused, silent] = [&one, &refused, &silent].map(|dir| dir.path().canonicalize().unwrap());
    fs::write(one.join("file"), "read").unwrap();
    fs::write(refused.join("refused"), "").unwrap();
    fs::write(silent.join("silent"), "").unwrap();
    let client = Workspace::new(Permissions::reject());
    let connection = connect_as(&client).await;
    let session = connection.new_session(&*one).await.unwrap();
    let before = format!("{:?}", client.roots());
    // Of an open session and of one that is not, refused and given up.
    for id in [session.id().clone(), SessionId::from("other")] {
        connection.load_session(id.clone(), &*refused).await.unwrap().await.unwrap_err();
        assert_eq!(format!("{:?}", client.roots()), before);
        connection.resume_session(id.clone(), &*refused).await.unwrap_err();
        assert_eq!(format!("{:?}", client.roots()), before);
        let mut loading = connection.load_session(id.clone(), &*silent).await.unwrap();
        assert!(loading.next().await.unwrap().is_some());
        assert_ne!(format!("{:?}", client.roots()), before, "an agent that loads a session may work in its folder");
        drop(loading);
        assert_eq!(format!("{:?}", client.roots()), before);
        let resumed = connection.resume_session(id, &*silent);
        assert!(tokio::time::timeout(Duration::from_millis(50), resumed).await.is_err());
        assert_eq!(format!("{:?}", client.roots()), before);
    }
    assert_eq!(ask(&session, format!("read {}/file", one.display())).await, "read");
    assert!(ask(&session, format!("read {}/refused", refused.display())).await.contains("outside"));
    // Closed, it gets none back.
    session.close().await.unwrap();
    connection.resume_session(session.id().clone(), &*refused).await.unwrap_err();
    assert_eq!(format!("{:?}", client.roots()), "{}");
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
