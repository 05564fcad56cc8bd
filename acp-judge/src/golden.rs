//! Texts that are kept in files beside tests, and readable differences between texts.

use std::{fs, path::Path};

/// The number of common lines that are shown around a difference.
const AROUND: usize = 3;
/// If the product of the two lengths exceeds this number, lines are compared in place, one by one.
const LARGEST: usize = 4_000_000;

/// Compares a text with the file at `path`, relative to the package of the test.
///
/// With `ACP_GOLDEN=accept` in the environment, the text is written to the file instead: review the change in the diff of your
/// version control.
///
/// # Panics
///
/// Panics if the texts differ, or if the file is missing. The message shows the lines that differ: `-` is in the file, `+` is
/// the new text.
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
#[track_caller]
pub fn assert_same(what: &str, expected: &str, came: &str) {
    if expected != came {
        panic!("{what} differs, `-` was expected and `+` came:\n{}", difference(expected, came));
    }
}

/// The lines that differ, with some common lines around them.
pub fn difference(old: &str, new: &str) -> String {
    let (old, new): (Vec<_>, Vec<_>) = (old.lines().collect(), new.lines().collect());
    let lines = aligned(&old, &new);
    let is_shown = |at: usize| {
        let range = at.saturating_sub(AROUND)..(at + AROUND + 1).min(lines.len());
        lines[range].iter().any(|(mark, _)| *mark != ' ')
    };
    let mut out = String::new();
    let mut is_cut = false;
    for (at, (mark, line)) in lines.iter().enumerate() {
        if is_shown(at) {
            out.push_str(&format!("{mark} {line}\n"));
            is_cut = false;
        } else if !std::mem::replace(&mut is_cut, true) {
            out.push_str("  ..\n");
        }
    }
    if lines.iter().all(|(mark, _)| *mark == ' ') {
        out.push_str("they differ in line ends only\n");
    }
    out
}

/// Both texts as one list: common lines, and the lines of one side only.
fn aligned<'l>(old: &[&'l str], new: &[&'l str]) -> Vec<(char, &'l str)> {
    let same = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let (rest_old, rest_new) = (&old[same..], &new[same..]);
    let tail = rest_old.iter().rev().zip(rest_new.iter().rev()).take_while(|(old, new)| old == new).count();
    let (middle_old, middle_new) = (&rest_old[..rest_old.len() - tail], &rest_new[..rest_new.len() - tail]);
    let mut out: Vec<_> = old[..same].iter().map(|line| (' ', *line)).collect();
    if middle_old.len().saturating_mul(middle_new.len()) > LARGEST {
        out.extend(middle_old.iter().map(|line| ('-', *line)));
        out.extend(middle_new.iter().map(|line| ('+', *line)));
    } else {
        out.extend(common(middle_old, middle_new));
    }
    out.extend(rest_old[rest_old.len() - tail..].iter().map(|line| (' ', *line)));
    out
}

/// Aligns by the longest common subsequence.
fn common<'l>(old: &[&'l str], new: &[&'l str]) -> Vec<(char, &'l str)> {
    let width = new.len() + 1;
    let mut longest = vec![0u32; (old.len() + 1) * width];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            longest[i * width + j] = if old[i] == new[j] {
                longest[(i + 1) * width + j + 1] + 1
            } else {
                longest[(i + 1) * width + j].max(longest[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j, mut out) = (0, 0, Vec::new());
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            out.push((' ', old[i]));
            (i, j) = (i + 1, j + 1);
        } else if j == new.len() || (i < old.len() && longest[(i + 1) * width + j] >= longest[i * width + j + 1]) {
            out.push(('-', old[i]));
            i += 1;
        } else {
            out.push(('+', new[j]));
            j += 1;
        }
    }
    out
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
