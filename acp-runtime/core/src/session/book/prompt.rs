//! Large prompts: they are committed in parts while they are noted, so that there is no second copy of them.

use std::sync::Arc;

use super::{Book, said::MUCH};
use crate::{
    TARGET,
    session::{SessionOutput, journal::size_of_content, recorder::Recorder as _},
    values::{ContentBlock, TextContent},
};

impl Book {
    /// Notes the prompt of the turn that has begun. The part of a large one that is noted waits for the store.
    pub(crate) async fn prompted_by(self: &Arc<Self>, output: &SessionOutput, prompt: &[ContentBlock]) {
        if prompt.iter().map(size_of_content).sum::<usize>() <= MUCH {
            output.prompted(prompt);
            return;
        }
        let (mut id, mut has_room) = (None, true);
        for (number, part) in prompt.iter().flat_map(parts).enumerate() {
            match number {
                0 => id = output.prompted(&[part]),
                _ => self.clone().prompted(&[part], id.clone()),
            }
            if has_room
                && let Some(room) = self.clone().room()
                && let Err(error) = room.await
            {
                // The end of the turn tells the client.
                tracing::warn!(target: TARGET, %error, "a large prompt is not committed yet");
                has_room = false;
            }
        }
    }
}

/// A text in parts of at most [`MUCH`] bytes; any other block as it is.
fn parts(block: &ContentBlock) -> impl Iterator<Item = ContentBlock> {
    let (text, other) = match block {
        ContentBlock::Text(text) => (Some(text), None),
        other => (None, Some(other.clone())),
    };
    let mut rest = text.map(|text| &*text.text);
    let texts = std::iter::from_fn(move || {
        let (part, left) = split(rest?);
        rest = (!left.is_empty()).then_some(left);
        let (annotations, meta) = text.map(|text| (text.annotations.clone(), text.meta.clone()))?;
        let mut part = TextContent::new(part);
        (part.annotations, part.meta) = (annotations, meta);
        Some(ContentBlock::Text(part))
    });
    texts.chain(other)
}

fn split(text: &str) -> (&str, &str) {
    let mut end = text.len().min(MUCH);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.split_at(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_text_is_its_parts_and_a_small_block_is_one() {
        let text = |block: ContentBlock| match block {
            ContentBlock::Text(text) => text.text,
            other => panic!("{other:?}"),
        };
        for long in ["", "x", &"x".repeat(MUCH), &"€".repeat(MUCH)] {
            let all: Vec<String> = parts(&long.into()).map(text).collect();
            assert_eq!(all.concat(), long);
            assert!(all.iter().all(|part| part.len() <= MUCH) && all.len() <= long.len() / MUCH + 1);
        }
    }
}
