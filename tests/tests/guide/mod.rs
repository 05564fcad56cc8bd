//! The pages of the guide say the truth: they quote the code of the example `llm`, and list every parameter that a handler may
//! take. The compiler checks their other examples, as doctests.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod parameters;
mod quotes;
mod refusals;

use std::{fs, path::Path};

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

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
