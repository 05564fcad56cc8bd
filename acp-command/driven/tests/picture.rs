//! The picture in the README: what a user of `acp run` sees. `ACP_GOLDEN=accept cargo test -p acp-command-tests picture` makes it.

use std::path::Path;

use acp_judge::assert_golden;
use anstyle_svg::Term;

use crate::{
    acp::CODER,
    run::{Terminal, has_tmux},
};

const PICTURE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../run.svg");

#[test]
fn the_picture_shows_what_a_user_sees_today() {
    if !has_tmux() {
        return;
    }
    let terminal = Terminal::run(&format!("-- {CODER}"));
    terminal.prompts_below(":help");
    terminal.enters("edit this");
    terminal.shows("Enter to reject");
    terminal.enters("1");
    terminal.prompts_below("The note is in the file.");
    terminal.enters(":options");
    terminal.shows("number to change");
    terminal.enters("");
    terminal.prompts_below("number to change");

    // The folder and the program are others on each machine.
    let folder = terminal.path().join("work");
    let program = Path::new(CODER);
    let shown = terminal.coloured();
    let shown = shown.replace(program.to_str().unwrap(), "coder").replace(folder.to_str().unwrap(), "/project");
    let lines = shown.trim_end().lines().map(str::trim_end);
    let text: String = lines.map(|line| format!("{line}\n")).collect();
    let text = format!("$ acp run -- coder\n{text}");
    let picture = Term::new().min_width_px(760).render_svg(&text);
    assert_golden(PICTURE, &picture);
}
