//! The page `a_whole_agent` quotes the example `llm`.

use super::{blocks, read};

/// A run of lines of a file.
struct Quote {
    file: String,
    lines: Vec<String>,
}

/// A line of a block that names the file of the lines behind it.
fn file_of(line: &str) -> Option<&str> {
    let file = line.strip_prefix("// ")?;
    (file.ends_with(".rs") && !file.contains(' ')).then_some(file)
}

fn quotes(page: &str) -> Vec<Quote> {
    let mut quotes: Vec<Quote> = Vec::new();
    for block in blocks(page, "```ignore") {
        let mut lines = block.lines();
        let mut file = lines.next().and_then(file_of).unwrap_or_else(|| panic!("a block names no file:\n{block}"));
        quotes.push(Quote { file: file.to_owned(), lines: vec![] });
        for line in lines {
            if line == "// .." || file_of(line).is_some() {
                file = file_of(line).unwrap_or(file);
                quotes.push(Quote { file: file.to_owned(), lines: vec![] });
            } else {
                quotes.last_mut().unwrap().lines.push(line.to_owned());
            }
        }
    }
    quotes
}

#[test]
fn every_quote_stands_in_its_file() {
    let page = read("acp-runtime/src/guide/a_whole_agent.md");
    let quotes = quotes(&page);
    assert!(quotes.len() > 20, "{} quotes: the blocks are not found", quotes.len());
    for Quote { file, lines } in quotes {
        let text = read(&format!("examples/llm/src/{file}"));
        let source: Vec<_> = text.lines().collect();
        assert!(!lines.is_empty(), "an empty quote of {file}");
        assert!(source.windows(lines.len()).any(|run| run == lines), "{file} does not say:\n{}", lines.join("\n"));
    }
}

/// The test of the order of prompts has the agent that authors copy.
#[test]
fn the_agent_of_the_page_on_turns_is_the_tested_one() {
    let page = read("acp-runtime/src/guide/turns.md");
    let agent = page.split("#[acp_agent(config").nth(1).and_then(|rest| rest.split("\n}\n").next()).unwrap();
    assert!(agent.contains("async fn steer"), "the agent is not found");
    assert!(read("tests/tests/wire/waiting/order.rs").contains(agent), "the test has another agent than:\n{agent}");
}

/// The page follows the example: a new handler of the agent needs a place there.
#[test]
fn every_handler_of_the_agent_is_quoted() {
    let page = read("acp-runtime/src/guide/a_whole_agent.md");
    let quoted: Vec<_> = quotes(&page).into_iter().flat_map(|quote| quote.lines).collect();
    let source = read("examples/llm/src/main.rs");
    let agent = source.split("#[acp_agent]\nimpl Llm {").nth(1).unwrap();
    let mut handlers = agent.lines().filter(|line| line.starts_with("    async fn ")).peekable();
    assert!(handlers.peek().is_some(), "the handlers are not found");
    let missing: Vec<_> = handlers.filter(|handler| !quoted.iter().any(|line| line == handler)).collect();
    assert!(missing.is_empty(), "the page does not show:\n{}", missing.join("\n"));
}
