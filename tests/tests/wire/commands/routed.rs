//! Where a prompt goes. A command is a turn, as each prompt is.

use acp_tests::peer::{Peer, prompt};
use serde_json::{Value, json};

use super::agent::{Plain, make, opened, told};

fn text(text: &str) -> Value {
    json!([{ "type": "text", "text": text }])
}

#[tokio::test]
async fn a_prompt_that_calls_a_command_runs_its_function() {
    let mut peer = opened().await;
    for (number, (blocks, said)) in [
        (text("/fix"), r#"Arguments("") of s, 0 more, """#),
        (text("/fix  the build\n"), r#"Arguments("the build") of s, 0 more, """#),
        (text("/fix\nthe\n\nbuild"), r#"Arguments("the\n\nbuild") of s, 0 more, """#),
        (
            json!([{ "type": "text", "text": "/fix this" }, { "type": "resource_link", "name": "a", "uri": "file:///a" }]),
            r#"Arguments("this") of s, 1 more, """#,
        ),
        (json!([{ "text": "/fix \u{e4}", "_meta": null, "type": "text" }]), r#"Arguments("ä") of s, 0 more, """#),
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!(told(&mut peer, blocks.clone()).await, format!("fix {}: {said}", number + 1), "{blocks}");
    }
}

#[tokio::test]
async fn all_else_goes_to_prompt() {
    let mut peer = opened().await;
    for blocks in [
        text("fix it"),
        text(" /fix it"),
        text("/fixed"),
        text("/fix/it"),
        text("/FIX it"),
        text("/usr/bin/fix it"),
        text("/"),
        text("/ fix"),
        text("//fix"),
        text("/approve"),
        text("/unknown"),
        json!([]),
        json!([{ "type": "resource_link", "name": "a", "uri": "file:///a" }, { "type": "text", "text": "/fix" }]),
        json!([{ "type": "text", "text": "Please" }, { "type": "text", "text": "/fix" }]),
    ] {
        let said = told(&mut peer, blocks.clone()).await;
        assert!(said.starts_with("prompt "), "{blocks}: {said}");
    }
}

#[tokio::test]
async fn the_functions_of_all_blocks_are_called() {
    let mut peer = opened().await;
    assert_eq!(peer.call("session/prompt", prompt("s", "/fail-now")).await.expect_err("it fails").message, "not now");
    make(&mut peer, "show", &["approve"]).await.expect("shown");
    assert_eq!(peer.turn("s", "/approve").await, "refusal");
    make(&mut peer, "hide", &["approve"]).await.expect("hidden");
    assert_eq!(peer.turn("s", "/approve").await, "end_turn", "it goes to `prompt`");
}

#[tokio::test]
async fn a_command_is_the_turn_of_its_session() {
    let mut peer = opened().await;
    let waiting = peer.prompt("s", "/wait_here").await;
    let busy = peer.call("session/prompt", prompt("s", "/fix")).await.expect_err("it has a turn");
    assert_eq!(busy.code, -32600);
    peer.call("session/prompt", prompt("s", "hello")).await.expect_err("it has a turn");
    peer.cancel("s").await;
    assert_eq!(peer.stop_reason(waiting).await, "cancelled");
    assert_eq!(peer.turn("s", "/fix").await, "max_tokens");
}

#[tokio::test]
async fn a_command_that_is_withdrawn_ends_as_a_prompt_does() {
    let mut peer = opened().await;
    let waiting = peer.prompt("s", "/wait_here").await;
    peer.notify("$/cancel_request", json!({ "requestId": waiting })).await;
    assert_eq!(peer.stop_reason(waiting).await, "cancelled");
}

#[tokio::test]
async fn a_command_has_the_session_and_the_options_of_its_turn() {
    let mut peer = opened().await;
    assert!(told(&mut peer, text("hello")).await.starts_with("prompt 1"));
    let params = json!({ "sessionId": "s", "prompt": text("/fix it"), "_meta": { "trace": "t" } });
    assert_eq!(peer.call("session/prompt", params).await.expect("it ends")["stopReason"], "max_tokens");
    let updates = peer.updates();
    assert_eq!(updates[0]["content"]["text"], r#"fix 2: Arguments("it") of s, 0 more, "t""#);
    assert_eq!(updates[1]["configOptions"][0]["currentValue"], true);
}

#[tokio::test]
async fn a_command_is_checked_as_a_prompt_is() {
    let mut peer = opened().await;
    let unknown = peer.call("session/prompt", prompt("another", "/fix")).await.expect_err("no session");
    assert_eq!(unknown.code, -32002);
    let audio = json!([{ "type": "text", "text": "/fix" }, { "type": "audio", "data": "", "mimeType": "audio/wav" }]);
    assert_eq!(told(&mut peer, audio).await, r#"fix 1: Arguments("") of s, 0 more, """#, "it is lenient");
    let wrong = json!({ "sessionId": "s", "prompt": [{ "type": "text", "text": "/fix" }, { "type": 1 }] });
    assert_eq!(peer.call("session/prompt", wrong).await.expect_err("no prompt").code, -32602);
}

#[tokio::test]
async fn blocks_that_a_lenient_agent_leaves_out_do_not_hide_a_command() {
    let audio = json!({ "type": "audio", "data": "", "mimeType": "audio/wav" });
    let file = json!({ "type": "resource", "resource": { "uri": "file:///a", "text": "/fix" } });
    let image = json!({ "type": "image", "data": "", "mimeType": "image/png" });
    let fix = json!({ "type": "text", "text": "/fix that" });
    let please = json!({ "type": "text", "text": "Please" });
    let mut peer = opened().await;
    for (blocks, said) in [
        (json!([audio, fix]), r#"fix 1: Arguments("that") of s, 0 more, """#),
        (json!([audio, file, fix, audio]), r#"fix 2: Arguments("that") of s, 0 more, """#),
        (json!([audio, fix, image]), r#"fix 3: Arguments("that") of s, 1 more, """#),
        (json!([image, fix]), "prompt 4: /fix that"),
        (json!([audio, image, fix]), "prompt 5: /fix that"),
        (json!([audio, please, fix]), "prompt 6: Please\n/fix that"),
        (json!([audio, file]), "prompt 7: "),
    ] {
        assert_eq!(told(&mut peer, blocks.clone()).await, said, "{blocks}");
    }
}

#[tokio::test]
async fn a_command_is_no_method() {
    let mut peer = opened().await;
    for name in ["fix", "/fix", "*/fix"] {
        assert_eq!(peer.call(name, prompt("s", "/fix")).await.expect_err("it is no method").code, -32601, "{name}");
        peer.notify(name, prompt("s", "/fix")).await;
    }
    assert_eq!(peer.settled().await, []);
}

#[tokio::test]
async fn commands_of_run_time_reach_prompt() {
    let mut peer = opened().await;
    make(&mut peer, "set", &["recipe"]).await.expect("set");
    peer.update().await;
    assert_eq!(told(&mut peer, text("/recipe soup")).await, "prompt 1: /recipe soup");
    let (mut peer, session) = Peer::session(Plain).await;
    assert_eq!(peer.turn(&session, "/set one").await, "end_turn");
}
