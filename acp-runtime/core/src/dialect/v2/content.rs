//! Blocks of content. Those of version 1 are those of version 2, but for the size of a link.
//!
//! See [Content](https://agentclientprotocol.com/protocol/v2/content).

use serde::{Serialize, Serializer};

use crate::values::ContentBlock;

/// A block of content. A link of version 1 may have a size below zero, which says nothing: it is left out.
pub(super) struct Block<'a>(pub(super) &'a ContentBlock);

impl Serialize for Block<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            ContentBlock::ResourceLink(link) if link.size.is_some_and(i64::is_negative) => {
                let mut link = link.clone();
                link.size = None;
                ContentBlock::ResourceLink(link).serialize(serializer)
            }
            block => block.serialize(serializer),
        }
    }
}
