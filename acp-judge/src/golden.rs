//! Texts that are kept in files beside tests, and readable differences between texts.

use std::{fs, path::Path};

use crate::{
    aligned::aligned,
    long_lines::{Changed, changed},
};

/// The number of common lines that are shown around a difference.
const AROUND: usize = 3;

/// Compares a text with the file at `path`, relative to the package of the test.
///
/// With `ACP_GOLDEN=accept` in the environment, the text is written to the file instead: review the change in the diff of your
/// version control.
///
/// # Panics
///
/// Panics if the texts differ, or if the file is missing. The message shows the lines that differ: `-` is in the file, `+` is
/// the new text. Two long lines that are mostly the same are shown by what has changed, with a line `?` that names the members.
///
/// ```no_run
/// acp_judge::assert_golden("tests/golden/hello.txt", "> hello\n");
/// ```
#[track_caller]
pub fn assert_golden(path: impl AsRef<Path>, text: &str) {
    let path = path.as_ref();
    let accept = "ACP_GOLDEN=accept cargo test";
    let kept = fs::read_to_string(path);
    if matches!(&kept, Ok(kept) if kept.replace("\r\n", "\n") == text) {
        return;
    }
    if std::env::var_os("ACP_GOLDEN").is_some_and(|word| word == "accept") {
        if let Some(folder) = path.parent() {
            let _ = fs::create_dir_all(folder);
        }
        if let Err(error) = fs::write(path, text) {
            panic!("the golden file {} cannot be written: {error}", path.display());
        }
        return;
    }
    match kept {
        Ok(kept) => panic!(
            "this is not what {} has; `{accept}` accepts it:\n{}",
            path.display(),
            difference(&kept.replace("\r\n", "\n"), text)
        ),
        Err(error) => panic!("{} cannot be read ({error}); `{accept}` writes it:\n{text}", path.display()),
    }
}

/// Compares two texts line by line.
///
/// # Panics
///
/// Panics if they differ; the message shows the lines.
#[doc(hidden)] // for the testing kit of `acp-client`
#[track_caller]
pub fn assert_same(what: &str, expected: &str, came: &str) {
    if expected != came {
        panic!("{what} differs, `-` was expected and `+` came:\n{}", difference(expected, came));
    }
}

/// The lines that differ, with some common lines around them: `-` is in the old text, `+` in the new one. It is empty if they are
/// the same. Two long lines that are mostly the same are shown by what has changed in them: `..` stands for what is the same, and a
/// line with `?` names the members that have changed.
///
/// ```
/// assert_eq!(acp_judge::difference("> hello\n< end\n", "> hello\n< done\n"), "  > hello\n- < end\n+ < done\n");
///
/// let old = format!("< #1 = {{models: [\"{}\"], title: \"One\"}}\n", "x".repeat(200));
/// let shown = acp_judge::difference(&old, &old.replace("One", "Two"));
/// assert!(shown.ends_with("? title\n"), "{shown}");
/// ```
pub fn difference(old: &str, new: &str) -> String {
    let (old, new): (Vec<_>, Vec<_>) = (old.lines().collect(), new.lines().collect());
    let lines = aligned(&old, &new);
    let is_shown = |at: usize| {
        let range = at.saturating_sub(AROUND)..(at + AROUND + 1).min(lines.len());
        lines[range].iter().any(|(mark, _)| *mark != ' ')
    };
    let mut out = String::new();
    let mut is_cut = false;
    let mut at = 0;
    while at < lines.len() {
        let count = lines[at..].iter().take_while(|(mark, _)| *mark != ' ').count();
        if count > 0 {
            show_block(&lines[at..at + count], &mut out);
            at += count;
            is_cut = false;
            continue;
        }
        if is_shown(at) {
            out.push_str(&format!("  {}\n", lines[at].1));
            is_cut = false;
        } else if !std::mem::replace(&mut is_cut, true) {
            out.push_str("  ..\n");
        }
        at += 1;
    }
    if lines.iter().all(|(mark, _)| *mark == ' ') {
        out.push_str("they differ in line ends only\n");
    }
    out
}

/// Lines of one side only, without a common line between them. A removed line stands beside the added one that it has become.
fn show_block(block: &[(char, &str)], out: &mut String) {
    let of = |wanted: char| block.iter().filter(move |(mark, _)| *mark == wanted).map(|(_, line)| *line);
    let mut added = of('+').collect::<Vec<_>>().into_iter();
    let pairs: Vec<(&str, Option<Pair<'_>>)> = of('-')
        .map(|old| {
            let found = added.as_slice().iter().enumerate().find_map(|(at, new)| Some((at, changed(old, new)?)));
            let Some((at, changed)) = found else { return (old, None) };
            let alone = added.by_ref().take(at).collect();
            added.next();
            (old, Some(Pair { alone, changed }))
        })
        .collect();
    if pairs.iter().all(|(_, pair)| pair.is_none()) {
        block.iter().for_each(|(mark, line)| out.push_str(&format!("{mark} {line}\n")));
        return;
    }
    for (old, pair) in pairs {
        let Some(Pair { alone, changed: Changed { old, new, members } }) = pair else {
            out.push_str(&format!("- {old}\n"));
            continue;
        };
        alone.iter().for_each(|line| out.push_str(&format!("+ {line}\n")));
        out.push_str(&format!("- {old}\n+ {new}\n"));
        if !members.is_empty() {
            out.push_str(&format!("? {members}\n"));
        }
    }
    added.for_each(|line| out.push_str(&format!("+ {line}\n")));
}

/// What a removed line has become.
struct Pair<'l> {
    /// The added lines before it that no removed line has become.
    alone: Vec<&'l str>,
    changed: Changed,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_shows_its_lines_and_a_few_around() {
        let old: String = (1..=20).map(|line| format!("line {line}\n")).collect();
        let new = old.replace("line 10\n", "line ten\n").replace("line 20\n", "");
        let shown = difference(&old, &new);
        let expected = "  ..\n  line 7\n  line 8\n  line 9\n- line 10\n+ line ten\n  line 11\n  line 12\n  line 13\n  ..\n  line 17\n  line 18\n  line 19\n- line 20\n";
        assert_eq!(shown, expected);
        assert_eq!(difference("a\n", "a"), "  ..\nthey differ in line ends only\n");
    }

    #[test]
    fn a_long_line_stands_beside_what_it_has_become() {
        let line = |id: u32, title: &str| format!("> #{id} call list: [\"{}\"], title: \"{title}\"\n", "x".repeat(200));
        let old = format!("same\n{}gone\n{}", line(1, "a"), line(2, "b"));
        let new = format!("same\nnew\n{}{}last\n", line(1, "c"), line(2, "d"));
        let shown = difference(&old, &new);
        let marks: Vec<_> = shown.lines().map(|line| line.get(..6).unwrap_or(line)).collect();
        let expected =
            ["  same", "+ new", "- > #1", "+ > #1", "? titl", "- gone", "- > #2", "+ > #2", "? titl", "+ last"];
        assert_eq!(marks, expected, "{shown}");
        assert!(shown.lines().all(|line| line.len() < 160), "{shown}");
    }

    #[test]
    fn a_golden_file_that_differs_is_told_with_the_switch_that_accepts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kept.txt");
        let missing = std::panic::catch_unwind(|| assert_golden(&path, "new\n")).unwrap_err();
        let text = missing.downcast_ref::<String>().unwrap();
        assert!(text.contains("ACP_GOLDEN=accept"), "{text}");
        fs::write(&path, "old\n").unwrap();
        let differs = std::panic::catch_unwind(|| assert_golden(&path, "new\n")).unwrap_err();
        let text = differs.downcast_ref::<String>().unwrap();
        assert!(text.contains("- old\n+ new"), "{text}");
        fs::write(&path, "new\r\n").unwrap();
        assert_golden(&path, "new\n");
    }
}
