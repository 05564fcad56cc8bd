//! The advice for misspelt handlers. A person judged each of these names, so that no guess sounds like a fact.

use super::*;
use crate::handlers::raw::{Block, Item, Source};
use crate::ide_hints::Hints;
use crate::keys::Reading;

/// The advice for a function with this name. Also checks that the note on helper functions is there, and leaves it out.
fn told(name: &str) -> String {
    let sink = Sink::new();
    let source: proc_macro2::TokenStream = format!("impl Echo {{ async fn {name}(&self) {{}} }}").parse().unwrap();
    let source = Source::split(&source).unwrap();
    let reading = Reading { sink: &sink, hints: &Hints::default() };
    let block = Block::<()>::read(None, source, |_, _| None, reading);
    for item in &block.items {
        let Item::Function(function, _) = item else { continue };
        check(&function.signature, &sink);
    }
    let tokens = sink.finish().to_string();
    let Some((_, quoted)) = tokens.split_once("{ \"") else { return "a handler".into() };
    let text = quoted.split_once("\" }").unwrap().0.replace("\\\"", "\"");
    let guess = text.starts_with("no handler is called");
    assert_eq!(text.contains(&format!("\\nnote: {HELPERS}")), guess, "{name}: {text}");
    text.split("\\n").filter(|line| !line.starts_with("note: functions")).collect::<Vec<_>>().join("\n")
}

/// Names whose advice begins with these words, after "no handler is called ..".
const GUESSED: &[(&str, &str)] = &[
    ("promt do_prompt user_prompt run_prompt run_turn turn chat on_message message", "did you mean `prompt`?"),
    ("cancle cancel_prompt cancel_turn abort interrupt stop stop_generation abort_session", "did you mean `cancel`?"),
    (
        "new_sesion nwe_session create_session start_session open_session begin_session init_session",
        "did you mean `new_session`?",
    ),
    ("lod_session", "did you mean `load_session`?"),
    ("recover_session reopen_session continue_session", "did you mean `load_session` or `resume_session`?"),
    ("restored_session restore_sesion restore", "did you mean `restore_session`?"),
    ("get_sessions all_sessions list_all_sessions sessions", "did you mean `list_sessions`?"),
    ("remove_session drop_session delet_session", "did you mean `delete_session`?"),
    ("stop_session end_session session_end session_stop terminate_session", "did you mean `close_session`?"),
    ("authentificate login log_in sign_in auth authenticated", "did you mean `authenticate`?"),
    ("sign_out logoff", "did you mean `logout`?"),
    (
        "session_mode mode_changed current_mode_update switch_mode",
        "if `session/set_mode` is meant, which the runtime answers: ",
    ),
    (
        "set_session_config set_config set_option configure set_options config get_current_config",
        "if `session/set_config_option` is meant, which the runtime answers: ",
    ),
    ("initialized initialise init handshake", "did you mean `initialize`?"),
    ("fork clone_session", "if `session/fork` is meant, which is a draft: write `#[draft] async fn fork_session`"),
    ("status", "if `session/status` is meant, which is a draft"),
    ("archive", "if `session/archive` is meant, which is a draft"),
    ("unarchive_sesion", "if `session/unarchive` is meant, which is a draft"),
    (
        "update send_update session_updates",
        "if `session/update` is meant, which is a method of the client: call it with ",
    ),
    ("elicit", "if `elicitation/create` is meant, which is a method of the client: call it with "),
    ("elicitation_done", "if `elicitation/complete` is meant, which is a method of the client: call it with "),
    (
        "permission ask_permission",
        "if `session/request_permission` is meant, which is a method of the client: call it with ",
    ),
    (
        "read_file read_texts_file open_file",
        "if `fs/read_text_file` is meant, which is a method of the client: call it with ",
    ),
    ("write_file", "if `fs/write_text_file` is meant, which is a method of the client: call it with "),
    ("terminal start_terminal", "if `terminal/create` is meant, which is a method of the client: call it with "),
    (
        "select_model models set_model set_session_model session_set_model unstable_set_session_model",
        "the model is an option: ",
    ),
    ("ext_method ext_notification", "each extension method has a function of its own, "),
];

/// The same for names that contain the words of a method.
const RESPELT: &[(&str, &str)] = &[
    (
        "session_prompt on_prompt handle_prompt prompt_session",
        "the handler of `session/prompt` is `async fn prompt(&self, request: PromptRequest) -> Result<StopReason>`",
    ),
    (
        "on_cancel session_cancel",
        "the handler of `session/cancel` is `async fn cancel(&self, notification: CancelNotification)`",
    ),
    ("new session_new newSession", "the handler of `session/new` is `async fn new_session("),
    ("load session_load load_sessions", "the handler of `session/load` is `async fn load_session("),
    ("list session_list list_session handle_session_list", "the handler of `session/list` is `async fn list_sessions("),
    ("delete session_delete", "the handler of `session/delete` is `async fn delete_session("),
    ("close closeSession", "the handler of `session/close` is `async fn close_session("),
    ("resume session_resume", "the handler of `session/resume` is `async fn resume_session("),
    ("log_out", "the handler of `logout` is `async fn logout("),
    (
        "on_initialize",
        "the handler of `initialize` is `async fn initialize(&self, request: InitializeRequest) -> Result<Initialized>`",
    ),
];

/// Names whose advice states facts about the method.
const CERTAIN: &[(&str, &str)] = &[
    ("set_mode set_session_mode session_set_mode", "`session/set_mode` is answered by the runtime"),
    ("set_config_option set_session_config_option", "`session/set_config_option` is answered by the runtime"),
    ("cancel_request", "`$/cancel_request` is answered by the runtime"),
    ("fork_session session_fork", "`session/fork` is a draft of the protocol"),
    ("session_status", "`session/status` is a draft of the protocol"),
    ("set_title session_set_title", "`session/set_title` is a draft of the protocol"),
    ("message_mcp", "`mcp/message` is a draft of the protocol"),
    ("login_auth auth_login", "`auth/login` is a method of version 2 of the protocol only"),
    ("auth_logout", "`auth/logout` is a method of version 2 of the protocol only"),
    ("cancel_tool_call tool_call_cancel", "`tool_call/cancel` is answered by the runtime"),
    ("cancel_terminal", "`terminal/cancel` is answered by the runtime"),
    ("session_update update_session session_notification", "`session/update` is a method of the client"),
    ("complete_elicitation elicitation_complete", "`elicitation/complete` is a method of the client"),
    ("create_elicitation", "`elicitation/create` is a method of the client"),
    ("request_permission session_request_permission", "`session/request_permission` is a method of the client"),
    ("read_text_file fs_read_text_file", "`fs/read_text_file` is a method of the client"),
    ("terminal_output", "`terminal/output` is a method of the client"),
    ("wait_for_terminal_exit terminal_wait_for_exit", "`terminal/wait_for_exit` is a method of the client"),
];

/// Names that belong to no method, so the advice makes no guess.
const UNKNOWN: &str = "session session_info session_state get_session save_session clear_session rename_session build_prompt system_prompt complete clone ping shutdown connect disconnect tool_call plan available_commands history handle store_path on_request run start helper form wait_for_exit";

fn each<'t>(table: &'t [(&'t str, &'t str)]) -> impl Iterator<Item = (&'t str, &'t str)> {
    table.iter().flat_map(|(names, text)| names.split_whitespace().map(|name| (name, *text)))
}

#[test]
fn what_is_said_of_names() {
    for (name, help) in each(GUESSED).chain(each(RESPELT)) {
        let expected = format!("no handler is called `{name}`\nhelp: {help}");
        assert!(told(name).starts_with(&expected), "`{name}` was told: {}", told(name));
    }
    for (name, sentence) in each(CERTAIN) {
        let told = told(name);
        assert!(told.starts_with(sentence) && told.contains("\nhelp: "), "`{name}` was told: {told}");
    }
    for name in UNKNOWN.split_whitespace() {
        assert_eq!(told(name), format!("no handler is called `{name}`"));
    }
}

#[test]
fn handlers_are_told_nothing() {
    for method in METHODS.iter().filter(|method| is_handled(method)) {
        assert_eq!(told(method.handler), "a handler");
    }
}

#[test]
fn each_method_that_is_no_handler_has_a_cure() {
    for method in METHODS.iter().filter(|method| !is_handled(method)) {
        let told = told(method.handler);
        assert!(told.starts_with(&format!("`{}` is ", method.wire)) && told.contains("\nhelp: "), "{told}");
    }
}

#[test]
fn what_is_said_is_about_methods_that_are_there() {
    let there = |name: &str| METHODS.iter().any(|method| method.handler == name);
    for (name, _) in ANSWERED_BY_THE_RUNTIME.iter().chain(STANDING_FOR) {
        assert!(there(name), "{name}");
    }
    for name in meant::guessed() {
        assert!(there(name), "{name}");
    }
}

#[test]
fn the_end_of_a_session_may_be_that_by_the_client_or_any() {
    let both =
        "help: did you mean `close_session`?\nhelp: or `session_ended`: it runs for every session, however it ends";
    for name in ["end_session", "on_session_end"] {
        let told = told(name);
        assert!(told.ends_with(both), "{name}: {told}");
    }
}
