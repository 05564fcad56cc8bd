//! The lines of a diff: what was removed and added, with lines around it, and what is left out between.

use similar::{ChangeTag, TextDiff};

use super::paper::Style;

/// How many lines around a change are shown.
const AROUND: usize = 2;

/// The lines of the change from one text to another.
pub(super) fn lines(old: &str, new: &str) -> Vec<(Style, String)> {
    let diff = TextDiff::from_lines(old, new);
    let mut lines = Vec::new();
    for (number, group) in diff.grouped_ops(AROUND).iter().enumerate() {
        if number > 0 {
            lines.push((Style::Dim, "  ..".to_owned()));
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let (style, sign) = match change.tag() {
                ChangeTag::Delete => (Style::Removed, '-'),
                ChangeTag::Insert => (Style::Added, '+'),
                ChangeTag::Equal => (Style::Dim, ' '),
            };
            lines.push((style, format!("{sign} {}", change.value().trim_end_matches(['\r', '\n']))));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn only_the_changes_and_the_lines_around_them_are_shown() {
        let old: String = (1..=20).map(|n| format!("{n}\n")).collect();
        let new = old.replace("5\n", "five\n").replace("20\n", "20\n21\n");
        let shown: Vec<_> = lines(&old, &new).into_iter().map(|(_, line)| line).collect();
        let around = ["  3", "  4", "- 5", "+ five", "  6", "  7", "  ..", "  13", "  14", "- 15", "+ 1five"];
        assert_eq!(shown[..around.len()], around);
        assert_eq!(shown.last().map(String::as_str), Some("+ 21"));
    }
}
