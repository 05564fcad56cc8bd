//! `acp completions` and `acp man`: each command has its page, and each shell its completions.

use std::fs;

use crate::acp::acp;

#[test]
fn each_command_has_a_page_of_the_manual() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("man1");
    let ran = acp(["man", "--dir", dir.to_str().unwrap()]);
    assert_eq!(ran.exit, 0, "{ran:?}");
    let help = acp(["--help"]).stdout;
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let commands: Vec<_> =
        commands.filter(|line| !line.starts_with("   ")).filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.len() > 8 && commands.contains(&"exec"), "{commands:?}");
    for command in commands.iter().filter(|command| **command != "help") {
        let page = fs::read_to_string(dir.join(format!("acp-{command}.1"))).unwrap();
        assert!(page.contains(".SH NAME") && page.contains(".SH OPTIONS"), "{command}: {page}");
    }
    let page = acp(["man"]).stdout;
    assert_eq!(page, fs::read_to_string(dir.join("acp.1")).unwrap());
    acp(["man", "--dir", "/dev/null/man"]).failed(1, &["the pages cannot be written to /dev/null/man"]);
}

#[test]
fn each_shell_has_completions() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let ran = acp(["completions", shell]);
        assert!(ran.exit == 0 && ran.stdout.contains("permissions") && ran.stdout.contains("mock"), "{shell}: {ran:?}");
    }
    acp(["completions", "csh"]).failed(2, &["csh", "bash"]);
}
