//! `acp run` in a terminal, which `tmux` is: what a user types and sees.

use std::{
    env, fs,
    path::Path,
    process::{Command, Output},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::acp::{CODER, CONFORMANCE, acp};

const ACP: &str = env!("CARGO_BIN_EXE_driven-acp");
/// A bound of the wait for a text, for machines that are slow.
const LONG: Duration = Duration::from_secs(60);

/// Whether the machine has `tmux`.
pub(crate) fn has_tmux() -> bool {
    let has = Command::new("tmux").arg("-V").output().is_ok();
    assert!(has || env::var_os("CI").is_none(), "`CI` is set, and there is no `tmux`");
    if !has {
        eprintln!("NOT RUN: there is no `tmux`");
    }
    has
}

/// A terminal with a server of its own.
pub(crate) struct Terminal {
    folder: tempfile::TempDir,
}

impl Terminal {
    /// Runs `acp run` with these arguments in a new folder. Its exit code is the last line.
    pub(crate) fn run(arguments: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("work")).unwrap();
        let terminal = Self { folder };
        terminal.again(arguments);
        terminal
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    fn tmux(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new("tmux");
        command.arg("-S").arg(self.path().join("tmux")).args(["-f", "/dev/null"]).args(arguments);
        command.env_remove("TMUX").env_remove("NO_COLOR").env("XDG_STATE_HOME", self.path()).env_remove("ACP_REGISTRY");
        command.output().unwrap()
    }

    /// Runs it in a new window.
    fn again(&self, arguments: &str) {
        // Ctrl-C reaches the shell, too.
        let line = format!("trap : INT; {ACP} run {arguments}; echo exit=$?; sleep 600");
        let work = self.path().join("work");
        let made = self.tmux(&[
            "new-session",
            "-d",
            "-x",
            "100",
            "-y",
            "200",
            "-c",
            work.to_str().unwrap(),
            "sh",
            "-c",
            &line,
        ]);
        assert!(made.status.success(), "{made:?}");
    }

    pub(crate) fn types(&self, keys: &[&str]) {
        let typed = self.tmux(&[&["send-keys"], keys].concat());
        assert!(typed.status.success(), "{typed:?}");
    }

    pub(crate) fn enters(&self, line: &str) {
        self.types(&["-l", line]);
        self.types(&["Enter"]);
    }

    /// What the terminal shows, with its colours.
    pub(crate) fn coloured(&self) -> String {
        String::from_utf8(self.tmux(&["capture-pane", "-p", "-e", "-S", "-"]).stdout).unwrap()
    }

    fn screen(&self) -> String {
        String::from_utf8(self.tmux(&["capture-pane", "-p", "-S", "-"]).stdout).unwrap().trim_end().to_owned()
    }

    /// Waits until the terminal shows this, and returns the whole of it.
    #[track_caller]
    pub(crate) fn shows(&self, text: &str) -> String {
        self.waits(text, |screen| screen.contains(text))
    }

    /// Waits until it is the user's turn, below this text.
    #[track_caller]
    pub(crate) fn prompts_below(&self, text: &str) -> String {
        self.waits(text, |screen| screen.rfind(text).is_some_and(|place| screen[place..].ends_with("\n>")))
    }

    #[track_caller]
    fn waits(&self, text: &str, is_there: impl Fn(&str) -> bool) -> String {
        let begin = Instant::now();
        loop {
            let screen = self.screen();
            if is_there(&screen) {
                return screen;
            }
            assert!(begin.elapsed() < LONG, "no {text:?} in:\n{screen}");
            thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

fn agents(arguments: &str) -> impl Iterator<Item = String> {
    ["1", "2"].map(|protocol| format!("--protocol {protocol} {arguments}")).into_iter()
}

#[test]
fn a_turn_is_shown_and_its_permission_asked() {
    if !has_tmux() {
        return;
    }
    for arguments in agents(&format!("-- {CODER}")) {
        let terminal = Terminal::run(&arguments);
        terminal.prompts_below(":help");
        terminal.enters("edit this");
        let screen = terminal.shows("Enter to reject");
        assert!(screen.contains("\nYou said: edit this\n"), "{screen}");
        assert!(screen.contains("        + # Notes\n"), "{screen}");
        terminal.enters("9");
        terminal.enters("1");
        let screen = terminal.prompts_below("The note is in the file.");
        assert!(screen.contains("  plan  [>] Understand the request\n        [ ] Answer it\n"), "{screen}");
        assert!(screen.contains("\n  done  Edit "), "{screen}");
        let coloured = terminal.coloured();
        assert!(coloured.contains("\u{1b}[32m+ # Notes"), "{coloured}");
        assert_eq!(
            fs::read_to_string(terminal.path().join("work/NOTES.md")).unwrap(),
            "# Notes\n\n- edited by coder\n"
        );
        terminal.types(&["C-d"]);
        terminal.shows("exit=0");
    }
}

#[test]
fn options_are_toggled_and_commands_completed() {
    if !has_tmux() {
        return;
    }
    let terminal = Terminal::run(&format!("-- {CODER}"));
    terminal.prompts_below(":help");
    terminal.types(&["-l", ":op"]);
    terminal.types(&["Tab"]);
    terminal.shows("> :options");
    terminal.types(&["Enter"]);
    let screen = terminal.shows("number to change");
    let place =
        screen.lines().find(|line| line.contains("[ ]") || line.contains("[x]")).unwrap_or_else(|| panic!("{screen}"));
    let (number, _) = place.trim().split_once(')').unwrap();
    let (was, is) = if place.contains("[ ]") { ("[ ]", "[x]") } else { ("[x]", "[ ]") };
    terminal.enters(number);
    terminal.shows(&place.trim().replace(was, is));
    terminal.enters("");
    terminal.prompts_below("number to change");
    terminal.enters(":set nothing");
    terminal.prompts_below("there is no option `nothing`");
    terminal.types(&["C-c"]);
    terminal.prompts_below("Ctrl-C again");
    terminal.types(&["C-c"]);
    terminal.shows("exit=130");
}

#[test]
fn ctrl_c_cancels_the_turn_and_then_ends() {
    if !has_tmux() {
        return;
    }
    for arguments in agents(&format!("-- {CODER}")) {
        let terminal = Terminal::run(&arguments);
        terminal.prompts_below(":help");
        terminal.enters("slow");
        terminal.shows("\n3\n");
        terminal.types(&["C-c"]);
        terminal.prompts_below("        cancelled");
        // A question is cancelled with its turn.
        terminal.enters("edit");
        terminal.shows("Enter to reject");
        terminal.types(&["C-c"]);
        terminal.waits("cancelled", |screen| {
            screen.rfind("Enter to reject").is_some_and(|place| screen[place..].contains("        cancelled\n>"))
        });
        assert!(!terminal.path().join("work/NOTES.md").exists());
    }
    let terminal = Terminal::run(&format!("-- {ACP} mock --misbehave flood"));
    terminal.prompts_below(":help");
    terminal.enters("go");
    terminal.shows("flood flood");
    terminal.types(&["C-c"]);
    terminal.prompts_below("flood");
}

#[test]
fn a_second_ctrl_c_does_not_wait_for_the_agent() {
    if !has_tmux() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let tape = folder.path().join("deaf.jsonl");
    let request = |id: u32, method: &str| (">", json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": {} }));
    let answer = |id: u32, result: Value| ("<", json!({ "jsonrpc": "2.0", "id": id, "result": result }));
    let working = json!({ "sessionUpdate": "agent_message_chunk", "content": { "type": "text", "text": "working" } });
    // The prompt has no answer.
    let lines = [
        request(0, "initialize"),
        answer(0, json!({ "protocolVersion": 1, "agentCapabilities": {}, "authMethods": [] })),
        request(1, "session/new"),
        answer(1, json!({ "sessionId": "s" })),
        request(2, "session/prompt"),
        (
            "<",
            json!({ "jsonrpc": "2.0", "method": "session/update", "params": { "sessionId": "s", "update": working } }),
        ),
    ];
    let lines = lines.map(|(dir, line)| json!({ "dir": dir, "ms": 0, "line": line.to_string() }).to_string());
    fs::write(&tape, lines.join("\n")).unwrap();
    let terminal = Terminal::run(&format!("-- {ACP} mock --misbehave deaf {}", tape.display()));
    terminal.prompts_below(":help");
    terminal.enters("go");
    terminal.shows("\nworking");
    terminal.types(&["C-c"]);
    terminal.shows("cancelling");
    terminal.types(&["C-c"]);
    terminal.shows("exit=130");
}

#[test]
fn a_session_is_resumed() {
    if !has_tmux() {
        return;
    }
    for protocol in ["1", "2"] {
        let folder = tempfile::tempdir().unwrap();
        let agent = format!("--protocol {protocol} -- {CODER} --store {}", folder.path().join("sessions.db").display());
        let terminal = Terminal::run(&agent);
        terminal.prompts_below(":help");
        terminal.enters("remember me");
        terminal.prompts_below("You said: remember me");
        terminal.enters(":quit");
        terminal.shows("exit=0");
        terminal.tmux(&["kill-server"]);
        let work = terminal.path().join("work");
        let cwd = work.to_str().unwrap();
        let list = format!("run --list --cwd {cwd} {agent}");
        let listed = acp(list.split(' '));
        assert_eq!((listed.exit, listed.stdout.lines().count()), (0, 1), "{listed:?}");
        terminal.again(&format!("--resume {agent}"));
        terminal.shows("number, or Enter for the first");
        terminal.enters("1");
        let screen = terminal.prompts_below("You said: remember me");
        assert!(screen.contains("\n> remember me\n"), "{screen}");
        // The history of the prompt is there, too.
        terminal.types(&["Up", "Up"]);
        terminal.shows("\n> remember me");
    }
}

#[test]
fn forms_are_asked_and_what_tools_say_is_shown() {
    if !has_tmux() {
        return;
    }
    let terminal = Terminal::run(&format!("--protocol 1 -- {CONFORMANCE}"));
    terminal.prompts_below(":help");
    terminal.enters("tck:elicit-form");
    terminal.shows("  ask   Which branch?");
    terminal.shows("Enter to send this");
    terminal.enters("");
    terminal.prompts_below("Enter to send this");
    terminal.enters("tck:elicit-url");
    terminal.shows("https://example.com/sign-in");
    terminal.enters("n");
    terminal.prompts_below("`n` to decline");
    terminal.enters("tck:tool");
    let screen = terminal.prompts_below("Nothing to see.");
    assert!(screen.contains("\n  done  Look around\n        Nothing to see.\n"), "{screen}");
    terminal.enters("tck:terminal");
    let screen = terminal.prompts_below("  done  Run echo");
    assert!(screen.contains("\n  done  Run echo\n        out\n"), "{screen}");
}

#[test]
fn questions_outside_of_a_turn_wait_for_the_user() {
    if !has_tmux() {
        return;
    }
    let Some(agent) = super::check::python("../run/beside.py") else { return };
    let terminal = Terminal::run(&format!("-- python3 {agent}"));
    let screen = terminal.prompts_below("  ask   Which branch?");
    assert!(screen.contains("\n  ask   Push the branch\n        `:answer` answers it\n"), "{screen}");
    // The prompt goes on meanwhile.
    terminal.enters(":set nothing");
    terminal.prompts_below("there is no option `nothing`");
    terminal.enters(":answer");
    terminal.shows("        1) Yes\n        2) No\n        number, or Enter to reject:");
    terminal.enters("1");
    terminal.shows(r#"answered permission: {"outcome": {"optionId": "yes", "outcome": "selected"}}"#);
    terminal.enters(":answer");
    terminal.shows("Branch");
    terminal.enters("main");
    terminal.shows("Enter to send this");
    terminal.enters("");
    terminal.shows(r#"answered form: {"action": "accept", "content": {"branch": "main"}}"#);
    // The agent has withdrawn the third.
    terminal.enters(":answer");
    terminal.prompts_below("the agent does not ask anything");
}

#[cfg(unix)]
#[test]
fn files_outside_of_the_folder_are_refused() {
    if !has_tmux() {
        return;
    }
    let terminal = Terminal::run(&format!("--protocol 1 -- {CONFORMANCE}"));
    let (inside, secret) = (terminal.path().join("work/README.md"), terminal.path().join("secret"));
    fs::write(&secret, "the secret\n").unwrap();
    fs::write(&inside, "the readme\n").unwrap();
    terminal.prompts_below(":help");
    terminal.enters("tck:read");
    terminal.prompts_below("the readme");
    fs::remove_file(&inside).unwrap();
    std::os::unix::fs::symlink(&secret, &inside).unwrap();
    terminal.enters("tck:read");
    let screen = terminal.prompts_below("  fail  ");
    assert!(!screen.contains("the secret"), "{screen}");
}

#[test]
fn the_end_of_the_agent_ends_the_program() {
    if !has_tmux() {
        return;
    }
    let terminal = Terminal::run(&format!("-- {ACP} mock --misbehave death"));
    terminal.prompts_below(":help");
    terminal.enters("go");
    let screen = terminal.shows("exit=1");
    assert!(screen.contains("the agent ended before it answered `session/prompt`"), "{screen}");
    // While the user types: the terminal is as before.
    let terminal = Terminal::run(&format!("-- sh -c 'echo $$ > pid; exec {CODER}'"));
    terminal.prompts_below(":help");
    terminal.types(&["-l", "half a line"]);
    terminal.shows("> half a line");
    let pid = fs::read_to_string(terminal.path().join("work/pid")).unwrap();
    assert!(Command::new("kill").arg(pid.trim()).status().unwrap().success());
    let screen = terminal.shows("exit=1");
    assert!(screen.contains("the conversation is over"), "{screen}");
}

#[test]
fn without_a_terminal_it_is_refused() {
    acp(["run", "--", CODER]).failed(2, &["needs a terminal", "acp exec"]);
}
