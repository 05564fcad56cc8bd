//! The README's package and its commands, and the calls of `acp` in all documents.

use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use acp_tests::documents::{Document, documents};

use crate::acp::{ACP, CODER, ECHO, acp};

const CHECKOUT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn readme() -> Document {
    documents().into_iter().find(|document| document.path == "README.md").unwrap()
}

fn blocks(fence: &str) -> Vec<String> {
    readme().blocks().into_iter().filter(|block| block.fence == fence).map(|block| block.code).collect()
}

/// A folder of programs, before those of the machine.
struct Programs(tempfile::TempDir);

impl Programs {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    #[cfg(unix)]
    fn with(self, name: &str, program: &str) -> Self {
        std::os::unix::fs::symlink(program, self.0.path().join(name)).unwrap();
        self
    }

    #[cfg(unix)]
    fn run(&self, mut command: Command) -> Output {
        let others = env::split_paths(&env::var_os("PATH").unwrap()).collect::<Vec<PathBuf>>();
        let paths = [self.0.path().to_owned()].into_iter().chain(others);
        command.env("PATH", env::join_paths(paths).unwrap()).env_remove("ACP_REGISTRY").stdin(Stdio::null());
        command.output().unwrap()
    }
}

#[track_caller]
fn done(output: Output) -> String {
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}\n{said}", output.status);
    String::from_utf8(output.stdout).unwrap()
}

/// The dependencies, the agent, its test and the client, as a reader puts them together.
#[cfg(unix)]
#[test]
fn the_package_of_the_readme_builds_and_its_parts_run() {
    let [agent, client, test] = &blocks("rust")[..] else { panic!("an agent, a client and a test") };
    let [dependencies] = &blocks("toml")[..] else { panic!("the dependencies") };
    let package = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = package.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let head = "[package]\nname = \"agent-of-the-readme\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n";
    let dependencies = dependencies.replace("../acp/", &format!("{CHECKOUT}/"));
    write("Cargo.toml", &format!("{head}{dependencies}"));
    write("src/main.rs", &format!("{agent}\n#[cfg(test)]\nmod tests {{\n    use super::*;\n\n{test}}}\n"));
    write("examples/client-of-the-readme.rs", client);
    // Offline, cargo needs the versions that this checkout has.
    fs::copy(Path::new(CHECKOUT).join("Cargo.lock"), package.path().join("Cargo.lock")).unwrap();
    // The target folder of the checkout has most of it already.
    let target = Path::new(CHECKOUT).join("target");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["test", "--offline"]).current_dir(package.path()).env("CARGO_TARGET_DIR", &target);
    let told = done(cargo.output().unwrap());
    assert!(told.contains("test tests::it_answers ... ok"), "{told}");

    let client = target.join("debug/examples/client-of-the-readme");
    let told = done(Programs::new().with("coder", CODER).run(Command::new(&client)));
    assert!(told.contains("You said: What is in this folder?"), "{told:?}");
    fs::remove_file(client).unwrap();
}

/// The commands of the block on `acp`, one after the other, in a folder with changes.
#[cfg(unix)]
#[test]
fn the_commands_of_the_readme_run() {
    let shell = blocks("sh").into_iter().find(|block| block.contains("acp check")).unwrap();
    let programs = Programs::new().with("acp", ACP).with("my-agent", ECHO);
    fs::write(programs.0.path().join("git"), "#!/bin/sh\necho '+a change'\n").unwrap();
    let mut mode = Command::new("chmod");
    done(mode.arg("+x").arg(programs.0.path().join("git")).output().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let mut ran = BTreeSet::new();
    for line in shell.lines().filter(|line| !line.starts_with("cargo install ")) {
        let mut command = Command::new("sh");
        // An editor speaks to the agent that is recorded.
        let hello = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}"#;
        let input = if line.starts_with("acp record") { format!("echo '{hello}' | ") } else { String::new() };
        command.arg("-c").arg(format!("{input}{line}")).current_dir(folder.path());
        let told = programs.run(command);
        let errors = String::from_utf8_lossy(&told.stderr);
        // The tests of `run` have a terminal.
        let needs_terminal = line.starts_with("acp run ") && errors.contains("needs a terminal");
        assert!(told.status.success() || needs_terminal, "{line}\n{errors}");
        ran.insert(line.split(' ').skip_while(|word| *word != "acp").nth(1).unwrap());
    }
    assert_eq!(ran, BTreeSet::from(["check", "exec", "inspect", "record", "replay", "run"]));
    assert!(fs::metadata(folder.path().join("trace.jsonl")).unwrap().len() > 0);
}

/// The help of a command, and the words behind its name that are no commands.
fn help<'w>(words: &[&'w str]) -> Result<(String, Vec<&'w str>), String> {
    let (mut path, mut help) = (vec!["help"], acp(["help"]).stdout);
    for (at, word) in words.iter().enumerate() {
        let Some(commands) = help.split("\nCommands:\n").nth(1) else { return Ok((help, words[at..].to_vec())) };
        let commands = commands.lines().take_while(|line| !line.is_empty());
        if !commands.filter_map(|line| line.split_whitespace().next()).any(|own| own == *word) {
            return Err(format!("there is no command `{word}`"));
        }
        path.push(word);
        help = acp(&path).stdout;
    }
    Ok((help, vec![]))
}

/// What is wrong with a call of `acp`.
fn check(call: &str) -> Result<(), String> {
    let own = call.split(" -- ").next().unwrap();
    let words: Vec<_> = own.split_whitespace().skip(1).collect();
    if words[0] == "help" {
        return help(&words[1..]).map(drop);
    }
    let (help, rest) = help(&words)?;
    let flags = rest.iter().filter(|word| word.starts_with('-'));
    let known = |flag: &str| help.split_whitespace().any(|word| word.trim_end_matches([',', '.']) == flag);
    match flags.into_iter().find(|flag| !known(flag)) {
        Some(flag) => Err(format!("`acp {}` has no flag `{flag}`", words[0])),
        None => Ok(()),
    }
}

#[test]
fn acp_knows_every_call_in_the_documents() {
    let (mut lost, mut seen) = (Vec::new(), 0);
    for document in documents() {
        for command in document.commands() {
            for call in command.split(" | ").filter(|call| call.starts_with("acp ")) {
                // `acp sessions list|show` stands for two calls.
                let words = call.split(' ').map(|word| word.split('|').collect::<Vec<_>>()).collect::<Vec<_>>();
                let widest = words.iter().map(Vec::len).max().unwrap();
                for at in 0..widest {
                    let call: Vec<_> = words.iter().map(|choices| choices[at.min(choices.len() - 1)]).collect();
                    let call = call.join(" ");
                    seen += 1;
                    lost.extend(check(&call).err().map(|error| format!("{}: `{call}`: {error}", document.path)));
                }
            }
        }
    }
    assert!(lost.is_empty(), "{}", lost.join("\n"));
    assert!(seen > 20, "{seen} calls: they are not found");
}

#[test]
fn a_wrong_call_is_found() {
    for (call, error) in [
        ("acp exce", "there is no command `exce`"),
        ("acp registry matrx", "there is no command `matrx`"),
        ("acp help exce", "there is no command `exce`"),
        ("acp exec --fromat quiet -- my-agent", "`acp exec` has no flag `--fromat`"),
    ] {
        assert_eq!(check(call), Err(error.to_owned()), "{call}");
    }
}
