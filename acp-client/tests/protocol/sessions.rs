//! Sessions and their folders, servers, lists and ends (SESS, DIRS, MCP, LOAD, RESUME, CLOSE, LIST, DEL).

use std::path::PathBuf;

use acp_client::{
    ErrorKind,
    values::{
        EnvVariable, ListSessionsRequest, LoadSessionRequest, McpServer, McpServerStdio, NewSessionRequest,
        ResumeSessionRequest,
    },
};
use serde_json::{Value, json};

use super::{Nothing, connect_as, open_as};

fn all() -> Value {
    let some = json!({});
    let sessions =
        json!({ "resume": some, "list": some, "close": some, "delete": some, "additionalDirectories": some });
    json!({ "loadSession": true, "sessionCapabilities": sessions })
}

#[tokio::test]
async fn a_session_is_opened_with_its_folder_and_its_servers() {
    let (connection, session, mut agent) = open_as(Nothing, all()).await;
    let (opened, asked) = tokio::join!(connection.new_session("/project"), agent.answer(json!({ "sessionId": "t" })));
    assert_eq!(*opened.unwrap().id(), "t");
    assert_eq!(asked["params"], json!({ "cwd": "/project", "mcpServers": [] }), "no further folders are none");
    let (loaded, asked) = tokio::join!(
        async { connection.load_session(session.id().clone(), "/project").await?.await },
        agent.answer(json!({}))
    );
    loaded.unwrap();
    assert_eq!(asked["params"], json!({ "sessionId": "s", "cwd": "/project", "mcpServers": [] }));
    let resuming = connection.resume_session("s", "/project");
    let (resumed, asked) = tokio::join!(resuming, agent.answer(json!({})));
    resumed.unwrap();
    assert_eq!((&asked["params"]["sessionId"], &asked["params"]["cwd"]), (&json!("s"), &json!("/project")));

    // Each request has the whole list of further folders.
    let more = vec![PathBuf::from("/b"), PathBuf::from("/a")];
    let (args, env) = (vec!["-v".to_owned()], vec![EnvVariable::new("A", "b")]);
    let server = McpServer::Stdio(McpServerStdio::new("files", "/bin/files", args, env));
    let written = json!([
        { "name": "files", "command": "/bin/files", "args": ["-v"], "env": [{ "name": "A", "value": "b" }] }
    ]);
    let request = NewSessionRequest::new("/project", vec![server.clone()]).additional_directories(more.clone());
    let (opened, asked) = tokio::join!(connection.new_session(request), agent.answer(json!({ "sessionId": "u" })));
    opened.unwrap();
    let expected = json!({ "cwd": "/project", "mcpServers": written, "additionalDirectories": ["/b", "/a"] });
    assert_eq!(asked["params"], expected);
    let request = LoadSessionRequest::new(vec![server], "/project", "s").additional_directories(more.clone());
    let loading = async { connection.load_session_with(request).await?.await };
    let (loaded, asked) = tokio::join!(loading, agent.answer(json!({})));
    loaded.unwrap();
    assert_eq!(
        (&asked["params"]["additionalDirectories"], &asked["params"]["mcpServers"]),
        (&json!(["/b", "/a"]), &written)
    );
    let request = ResumeSessionRequest::new("s", "/project").additional_directories(more);
    let (resumed, asked) = tokio::join!(connection.resume_session_with(request), agent.answer(json!({})));
    resumed.unwrap();
    assert_eq!(asked["params"]["additionalDirectories"], json!(["/b", "/a"]));
}

#[tokio::test]
async fn relative_paths_are_not_sent() {
    let (connection, _session, mut agent) = open_as(Nothing, all()).await;
    let more = || vec![PathBuf::from("/a"), PathBuf::from("b")];
    let refused = [
        connection.new_session("project").await.map(drop),
        connection
            .new_session(NewSessionRequest::new("/project", vec![]).additional_directories(more()))
            .await
            .map(drop),
        connection.load_session("s", "./project").await.map(drop),
        connection.resume_session("s", "").await.map(drop),
        connection
            .resume_session_with(ResumeSessionRequest::new("s", "/").additional_directories(more()))
            .await
            .map(drop),
        connection.list_sessions(ListSessionsRequest::new().cwd(PathBuf::from("project"))).map(drop),
    ];
    for refused in refused {
        let error = refused.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Invalid(_)) && error.to_string().contains("relative"), "{error}");
        agent.hears_nothing().await;
    }
}

#[tokio::test]
async fn an_id_and_a_folder_that_have_changed_places() {
    let (connection, _session, mut agent) = open_as(Nothing, all()).await;
    for swapped in [
        connection.load_session("/project", "sess_1").await.map(drop),
        connection.resume_session("/project", "sess_1").await.map(drop),
    ] {
        let told = swapped.unwrap_err().to_string();
        assert!(told.contains("its id `/project` is a path: the id comes first, and then the folder"), "{told}");
        agent.hears_nothing().await;
    }
}

#[tokio::test]
async fn null_is_an_empty_answer() {
    let (connection, _session, mut agent) = open_as(Nothing, all()).await;
    for empty in [json!(null), json!({}), json!({ "_meta": null, "more": 1 })] {
        let loading = async { connection.load_session("s", "/project").await?.await };
        let (done, _) = tokio::join!(loading, agent.answer(empty.clone()));
        done.unwrap();
        let (done, _) = tokio::join!(connection.resume_session("s", "/project"), agent.answer(empty.clone()));
        let session = done.unwrap();
        let (done, asked) = tokio::join!(session.close(), agent.answer(empty.clone()));
        done.unwrap();
        assert_eq!((&asked["method"], &asked["params"]["sessionId"]), (&json!("session/close"), &json!("s")));
        let (done, asked) = tokio::join!(session.delete(), agent.answer(empty));
        done.unwrap();
        assert_eq!((&asked["method"], &asked["params"]["sessionId"]), (&json!("session/delete"), &json!("s")));
    }
}

#[tokio::test]
async fn a_list_ends_where_no_cursor_is_given_and_cursors_go_back_as_they_came() {
    let (connection, mut agent) = connect_as(Nothing, json!({ "agentCapabilities": all() })).await;
    let connection = connection.unwrap();
    let mut sessions = connection.list_sessions(ListSessionsRequest::new().cwd(PathBuf::from("/p"))).unwrap();
    let told = async {
        let mut told = Vec::new();
        while let Some(info) = sessions.next().await.unwrap() {
            told.push((info.session_id.to_string(), info.additional_directories));
        }
        told
    };
    let cursor = "{\"page\": 2} \\ \u{fc}=";
    let answering = async {
        let first = json!({ "sessions": [
            { "sessionId": "a", "cwd": "/p", "additionalDirectories": ["/y", "/x"] },
            { "sessionId": "b", "cwd": "/p" },
        ], "nextCursor": cursor });
        let first = agent.answer(first).await;
        assert!(first["params"].get("cursor").is_none(), "{first}");
        // A page may be empty although another page follows.
        let second = agent.answer(json!({ "sessions": [], "nextCursor": "3" })).await;
        assert_eq!(second["params"], json!({ "cwd": "/p", "cursor": cursor }));
        let third = agent.answer(json!({ "sessions": [{ "sessionId": "c", "cwd": "/p" }], "nextCursor": null })).await;
        assert_eq!(third["params"]["cursor"], "3");
    };
    let (told, ()) = tokio::join!(told, answering);
    let folders = [vec![PathBuf::from("/y"), PathBuf::from("/x")], vec![], vec![]];
    let expected: Vec<_> = ["a", "b", "c"].map(str::to_owned).into_iter().zip(folders).collect();
    assert_eq!(told, expected);
    agent.hears_nothing().await;
}
