//! The pages are short, and a reader finds each of them from the tables in front.

use acp_tests::documents::{GUIDE, pages, read};

#[test]
fn no_page_is_long() {
    let lines = |page: &String| read(&format!("{GUIDE}/{page}.md")).lines().count();
    let long: Vec<_> = pages().into_iter().map(|page| (lines(&page), page)).filter(|(lines, _)| *lines > 300).collect();
    assert!(long.is_empty(), "more than 300 lines: {long:?}");
}

#[test]
fn every_page_is_a_module_and_stands_in_the_tables_in_front() {
    let front = read(&format!("{GUIDE}/mod.rs"));
    let rows: Vec<_> = front.lines().filter_map(|line| line.strip_prefix("//! | ")?.split(" | ").next()).collect();
    for page in pages() {
        assert!(front.contains(&format!("include_str!(\"{page}.md\")")), "{page}.md is no page");
        assert!(front.contains(&format!("\npub mod {page} {{}}")), "{page}.md has a module of another name");
        let is_told = rows.iter().any(|row| row.contains(&format!("`{page}`")));
        assert!(is_told, "no table of guide/mod.rs has a row of `{page}`");
    }
}

/// A page begins with a sentence, which the list of modules shows.
#[test]
fn every_page_says_in_a_sentence_what_it_has() {
    for page in pages() {
        let text = read(&format!("{GUIDE}/{page}.md"));
        let mut lines = text.lines();
        let first = lines.next().unwrap();
        assert!(first.ends_with('.') && lines.next() == Some(""), "{page}.md begins with `{first}`");
    }
}

/// With 12 lines, modules and macros end within two screens: at 2,125 of 2,160 points, in a window of 1,400 points.
#[test]
fn the_front_page_of_the_crate_is_short() {
    let source = read("acp-runtime/src/lib.rs");
    let front: Vec<_> = source.lines().take_while(|line| line.starts_with("//!")).collect();
    assert!(front.len() > 8 && front.len() <= 12, "the front page has {} lines", front.len());
    assert!(front.iter().any(|line| line.starts_with("//! | ")), "it has no table of pages");
}
