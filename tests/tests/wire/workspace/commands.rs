//! Commands by the agent itself: their output and their exit.

use std::fs;

use serde_json::{Value, json};

use super::{alone, done, work};

/// The result of a command.
async fn ran(arguments: Value) -> Value {
    let (folder, mut peer, id) = alone().await;
    fs::create_dir(folder.path().join("sub")).unwrap();
    let told = done(&mut peer, &id, "run", arguments).await;
    serde_json::from_str(&told).unwrap()
}

fn ended(output: &str, code: u32) -> Value {
    json!({
        "output": output, "truncated": false, "code": code, "signal": null, "late": false, "success": code == 0,
    })
}

#[tokio::test]
async fn the_output_and_the_errors_are_one_text_in_order() {
    assert_eq!(ran(json!({ "shell": "echo a; echo b >&2; echo c" })).await, ended("a\nb\nc\n", 0));
    assert_eq!(ran(json!({ "program": "printf", "args": ["%s", "a b"] })).await, ended("a b", 0), "no shell");
}

#[tokio::test]
async fn a_failure_is_a_result_with_its_exit_code() {
    assert_eq!(ran(json!({ "shell": "echo no; exit 3" })).await, ended("no\n", 3));
}

#[tokio::test]
async fn a_signal_is_told_by_its_name() {
    for signal in ["TERM", "USR1"] {
        let told = ran(json!({ "shell": format!("kill -{signal} $$") })).await;
        assert_eq!((&told["code"], &told["signal"]), (&Value::Null, &json!(format!("SIG{signal}"))));
    }
}

#[tokio::test]
async fn a_command_has_its_variables_its_folder_and_no_input() {
    let arguments = json!({
        "shell": "echo $GREETING; basename \"$PWD\"; cat", "env": ["GREETING", "hello"], "cwd": "sub",
    });
    assert_eq!(ran(arguments).await, ended("hello\nsub\n", 0));
}

#[tokio::test]
async fn a_long_output_loses_its_beginning_at_a_character() {
    let told = ran(json!({ "shell": "printf 'aäöü'", "limit": 5 })).await;
    assert_eq!((&told["output"], &told["truncated"]), (&json!("öü"), &json!(true)));
}

#[tokio::test]
async fn a_command_whose_time_is_over_is_killed_and_tells_its_output() {
    let told = ran(json!({ "shell": "echo begun; sleep 1000", "milliseconds": 300 })).await;
    let expected = json!({
        "output": "begun\n", "truncated": false, "code": null, "signal": "SIGKILL", "late": true, "success": false,
    });
    assert_eq!(told, expected);
}

#[tokio::test]
async fn what_cannot_start_is_refused_with_the_reason() {
    let (folder, mut peer, id) = alone().await;
    for (arguments, why) in [
        (json!({ "program": "no-such-program" }), "could not start `no-such-program`: No such file".to_owned()),
        (
            json!({ "program": "true", "cwd": "nowhere" }),
            format!("could not start `true`: there is no folder `{}`", folder.path().join("nowhere").display()),
        ),
    ] {
        let error = work(&mut peer, &id, "run", &arguments).await.unwrap_err();
        assert!(error.message.contains(&why), "{error:?}");
    }
}

/// A daemon leaves the process group, and holds the output open.
#[tokio::test]
async fn a_process_that_holds_the_output_open_does_not_hold_up_the_end() {
    let told = ran(json!({ "shell": "setsid sleep 3 & echo done" })).await;
    assert_eq!(told, ended("done\n", 0));
}

#[tokio::test]
async fn an_agent_without_terminals_shows_none() {
    let (_folder, mut peer, id) = alone().await;
    work(&mut peer, &id, "show", &json!({ "shell": "echo a" })).await.unwrap();
    let shown: Vec<_> = peer.updates().into_iter().map(|mut update| update["content"].take()).collect();
    // Only the output has something to show.
    assert_eq!(shown[0], Value::Null);
    assert_eq!(shown[1][0]["content"]["text"], "a\n");
}
