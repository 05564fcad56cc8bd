//! The README, the pages of the guide and the CHANGELOG say the truth: their code and their commands run, pages quote the code of
//! examples, and they list every parameter that a handler may take.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod parameters;
mod quotes;
mod refusals;
mod runs;
mod shape;

use acp_tests::documents::read;

/// The code blocks of a text whose opening line is this fence.
fn blocks(text: &str, fence: &str) -> Vec<String> {
    let (mut blocks, mut open) = (Vec::new(), None::<String>);
    for line in text.lines() {
        match &mut open {
            _ if line.starts_with("```") => match open.take() {
                Some(block) => blocks.push(block),
                None => open = Some(line.to_owned()),
            },
            Some(block) => block.extend(["\n", line]),
            None => {}
        }
    }
    assert!(open.is_none(), "a block does not end");
    let of_fence = blocks.into_iter().filter_map(|block| {
        let (opening, code) = block.split_once('\n')?;
        (opening == fence).then(|| code.to_owned())
    });
    of_fence.collect()
}
