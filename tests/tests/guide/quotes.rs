//! Pages that quote examples: `a_whole_agent` and `its_tools` quote `llm`, and `vendors` quotes `vendor`.

use super::{blocks, read};

/// The pages whose blocks ```` ```ignore ```` are quotes.
pub(super) const QUOTING: [&str; 3] = ["a_whole_agent", "its_tools", "vendors"];

/// The quotes of a page, and the folder of the quoted files.
fn quotes_of(page: &str) -> (Vec<Quote>, &'static str) {
    let folder = if page == "vendors" { "examples/vendor" } else { "examples/llm/src" };
    (quotes(&read(&format!("acp-runtime/src/guide/{page}.md"))), folder)
}

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
    let mut seen = 0;
    for (quotes, folder) in QUOTING.map(quotes_of) {
        assert!(quotes.len() > 1, "the blocks are not found");
        seen += quotes.len();
        for Quote { file, lines } in quotes {
            let text = read(&format!("{folder}/{file}"));
            let source: Vec<_> = text.lines().collect();
            assert!(!lines.is_empty(), "an empty quote of {file}");
            assert!(source.windows(lines.len()).any(|run| run == lines), "{file} does not say:\n{}", lines.join("\n"));
        }
    }
    assert!(seen > 20, "{seen} quotes: the blocks are not found");
}

/// The test of the order of prompts has the agent that authors copy.
#[test]
fn the_agent_of_the_page_on_turns_is_the_tested_one() {
    let page = read("acp-runtime/src/guide/turns.md");
    let agent = page.split("#[acp_agent(config").nth(1).and_then(|rest| rest.split("\n}\n").next()).unwrap();
    assert!(agent.contains("async fn steer"), "the agent is not found");
    assert!(read("tests/tests/wire/waiting/order.rs").contains(agent), "the test has another agent than:\n{agent}");
}

/// The pages follow the example: a new handler of the agent needs a place there.
#[test]
fn every_handler_of_the_agent_is_quoted() {
    let quoted = ["a_whole_agent", "its_tools"].map(|page| quotes_of(page).0).into_iter().flatten();
    let quoted: Vec<_> = quoted.flat_map(|quote| quote.lines).collect();
    let source = read("examples/llm/src/main.rs");
    let agent = source.split("#[acp_agent]\nimpl Llm {").nth(1).unwrap();
    let mut handlers = agent.lines().filter(|line| line.starts_with("    async fn ")).peekable();
    assert!(handlers.peek().is_some(), "the handlers are not found");
    let missing: Vec<_> = handlers.filter(|handler| !quoted.iter().any(|line| line == handler)).collect();
    assert!(missing.is_empty(), "the page does not show:\n{}", missing.join("\n"));
}
