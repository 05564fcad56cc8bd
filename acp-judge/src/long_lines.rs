//! Two long lines that differ in some words: shown by these words, and by the members that they are in.

use std::{fmt::Write as _, ops::Range};

use crate::aligned::aligned;

/// A line of a difference that is longer than this, in bytes, is shown by what has changed in it.
const LONG: usize = 160;
/// What is shown around a changed word, in bytes.
const AROUND: usize = 40;
/// At most so many members are named.
const NAMED: usize = 5;

/// A removed and an added line that are two states of one message.
pub(crate) struct Changed {
    /// The old line, without what is the same in both and far from the change.
    pub(crate) old: String,
    /// The new line, in the same way.
    pub(crate) new: String,
    /// The members that have changed, as `configOptions[1].currentValue`. Empty if no member is known.
    pub(crate) members: String,
}

/// What has changed between two lines, one of which is long. `None` if they have less than half in common, so that they are better shown
/// as they are.
pub(crate) fn changed(old: &str, new: &str) -> Option<Changed> {
    if old.len().max(new.len()) <= LONG {
        return None;
    }
    let words = aligned(&words(old), &words(new));
    let common: usize = words.iter().filter(|(mark, _)| *mark == ' ').map(|(_, word)| word.len()).sum();
    if common * 2 < old.len().max(new.len()) {
        return None;
    }
    let (mut same_old, mut same_new, mut members) = (Vec::new(), Vec::new(), Vec::new());
    let (mut at_old, mut at_new) = (0, 0);
    for (mark, word) in words {
        let (from_old, from_new) = (at_old, at_new);
        at_old += if mark == '+' { 0 } else { word.len() };
        at_new += if mark == '-' { 0 } else { word.len() };
        match mark {
            ' ' => {
                extend(&mut same_old, from_old..at_old);
                extend(&mut same_new, from_new..at_new);
            }
            '-' => members.extend(member(old, from_old)),
            _ => members.extend(member(new, from_new)),
        }
    }
    Some(Changed { old: without(old, &same_old), new: without(new, &same_new), members: listed(members) })
}

/// The words of a line, and the signs between them, one by one.
fn words(line: &str) -> Vec<&str> {
    let is_word = |sign: char| sign.is_alphanumeric() || sign == '_';
    let mut words = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let end = match is_word(first) {
            true => rest.find(|sign| !is_word(sign)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (word, behind) = rest.split_at(end);
        words.push(word);
        rest = behind;
    }
    words
}

/// Adds a range to ranges that do not touch.
fn extend(ranges: &mut Vec<Range<usize>>, range: Range<usize>) {
    match ranges.last_mut() {
        Some(last) if last.end == range.start => last.end = range.end,
        _ => ranges.push(range),
    }
}

/// The line, with `..` in the place of the inner part of each long range. The begin of a line, such as `< #3 = `, stays.
fn without(line: &str, same: &[Range<usize>]) -> String {
    let mut out = String::new();
    let mut at = 0;
    for range in same {
        let begin = range.start + AROUND;
        let end = if range.end == line.len() { range.end } else { range.end.saturating_sub(AROUND) };
        let (begin, end) = (boundary(line, begin), boundary(line, end));
        if begin < end {
            out.push_str(line[at..begin].trim_end());
            out.push_str(" .. ");
            at = end + line[end..].len() - line[end..].trim_start().len();
        }
    }
    out.push_str(&line[at..]);
    out
}

/// The first place from `at` on where a character begins, or the end of the line.
fn boundary(line: &str, at: usize) -> usize {
    (at..line.len()).find(|at| line.is_char_boundary(*at)).unwrap_or(line.len())
}

/// The member that the place `at` of a line belongs to, in the form of conversations (`key: [{inner: ..}]`) or of JSON.
fn member(line: &str, at: usize) -> Option<String> {
    /// A part of the path: a key, or the index of an item.
    enum Step {
        Key(String),
        Item(usize),
    }
    let mut path = vec![Step::Key(String::new())];
    let mut key = String::new();
    let mut signs = line.char_indices().peekable();
    while let Some((place, sign)) = signs.next() {
        if place > at {
            break;
        }
        match sign {
            '"' => {
                let mut text = String::new();
                let mut end = line.len();
                while let Some((place, sign)) = signs.next() {
                    match sign {
                        '"' => {
                            end = place;
                            break;
                        }
                        '\\' => drop(signs.next()),
                        _ => text.push(sign),
                    }
                }
                if end >= at {
                    break;
                }
                key = text;
            }
            ':' if matches!(signs.peek(), None | Some((_, ' ' | '"' | '{' | '['))) => {
                if let Some(Step::Key(last)) = path.last_mut() {
                    *last = std::mem::take(&mut key);
                }
            }
            '{' => path.push(Step::Key(String::new())),
            '[' => path.push(Step::Item(0)),
            '}' | ']' if path.len() > 1 => drop(path.pop()),
            ',' => {
                key.clear();
                match path.last_mut() {
                    Some(Step::Item(index)) => *index += 1,
                    // The next member's key is not read yet.
                    Some(Step::Key(last)) => last.clear(),
                    None => {}
                }
            }
            sign if sign.is_alphanumeric() || sign == '_' => key.push(sign),
            _ => key.clear(),
        }
    }
    let mut out = String::new();
    for step in &path {
        match step {
            Step::Item(index) => _ = write!(out, "[{index}]"),
            Step::Key(key) if key.is_empty() => {}
            Step::Key(key) if out.is_empty() => out.push_str(key),
            Step::Key(key) => _ = write!(out, ".{key}"),
        }
    }
    (!out.is_empty()).then_some(out)
}

/// Each member once, in order.
fn listed(mut members: Vec<String>) -> String {
    members.dedup();
    let more = members.len().saturating_sub(NAMED);
    members.truncate(NAMED);
    let mut out = members.join(", ");
    if more > 0 {
        _ = write!(out, " and {more} more");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The answer of a `session/new` with two options, in the form of conversations.
    fn options(model: &str) -> String {
        let modes = r#"options: [{description: "Edit files: all of them, \"now\".", name: "Code", value: "code"}, {name: "Ask", value: "ask"}]"#;
        format!(
            r#"< #2 = {{configOptions: [{{category: "mode", currentValue: "code", id: "mode", {modes}}}, {{category: "model", currentValue: "{model}", description: "Which model answers.", id: "model", name: "Model", options: [{{name: "Fast", value: "fast"}}, {{name: "Smart", value: "smart"}}]}}], sessionId: <session-1>}}"#
        )
    }

    #[test]
    fn a_long_line_is_shown_by_the_word_that_has_changed_and_by_its_member() {
        let Changed { old, new, members } = changed(&options("fast"), &options("smart")).unwrap();
        assert_eq!(
            old,
            r#"< #2 = {configOptions: [{category: "mode .. }]}, {category: "model", currentValue: "fast", description: "Which model answers.", .. "#
        );
        assert_eq!(new, old.replace("\"fast\"", "\"smart\""));
        assert_eq!(members, "configOptions[1].currentValue");
    }

    #[test]
    fn each_changed_member_is_named_once() {
        let line = |text: &str, more: &str| {
            let steps: Vec<_> = (0..10).map(|step| format!("{{content: \"{text} {step}\"}}")).collect();
            format!("< <session-1> plan entries: [{}], title: \"a, b: c\"{more}", steps.join(", "))
        };
        let Changed { members, .. } = changed(&line("look into", ""), &line("read all of", "")).unwrap();
        let five: Vec<_> = (0..5).map(|step| format!("entries[{step}].content")).collect();
        assert_eq!(members, format!("{} and 5 more", five.join(", ")));
        let Changed { new, members, .. } = changed(&line("", ""), &line("", ", kind: \"edit\"")).unwrap();
        assert!(new.ends_with(r#"title: "a, b: c", kind: "edit""#), "{new}");
        assert!(members.contains("kind"), "{members}");
        // The same in JSON.
        let json = |mode: &str| format!(r#"{{"a":"{}","list":[1,{{"mode":"{mode}"}}]}}"#, "x".repeat(LONG));
        assert_eq!(changed(&json("on"), &json("off")).unwrap().members, "list[1].mode");
    }

    #[test]
    fn short_lines_and_lines_of_other_messages_stay_whole() {
        assert!(changed("< #1 = {a: 1}", "< #1 = {a: 2}").is_none());
        assert!(changed(&options("fast"), &"other ".repeat(60)).is_none());
    }

    #[test]
    fn signs_of_several_bytes_are_not_cut() {
        let line = |word: &str| format!("{}{word}{}", "é€ö ".repeat(60), " ü😀".repeat(60));
        let Changed { old, new, members } = changed(&line("one"), &line("two")).unwrap();
        assert!(old.contains("one") && new.contains("two") && new.len() < 200, "{old} {new}");
        assert_eq!(members, "");
    }
}
