//! Unions. A tag distinguishes their branches, or only the shapes do. A union with a tag may also have branches without
//! one.

use super::Type;

/// A union whose branches have a constant under the same key.
#[derive(Debug)]
pub(crate) struct Tagged {
    pub(crate) tag: String,
    pub(crate) variants: Vec<Variant>,
    /// The branches without a tag. If no tagged branch fits, they are tried in order.
    pub(crate) fallbacks: Vec<Fallback>,
    /// Whether a known tag decides. Then content that does not fit is an error, and no fallback is tried.
    pub(crate) strict: bool,
}

impl Tagged {
    /// The branches without a tag, except for the branch that keeps unknown values.
    pub(crate) fn shapes(&self) -> impl Iterator<Item = &Variant> {
        self.fallbacks.iter().filter_map(|fallback| match fallback {
            Fallback::Shape(variant) => Some(variant),
            Fallback::Other(_) => None,
        })
    }
}

#[derive(Debug)]
pub(crate) struct Untagged {
    pub(crate) variants: Vec<Variant>,
}

#[derive(Debug)]
pub(crate) struct Variant {
    /// The tag's value. If there is no tag, the title.
    pub(crate) wire: String,
    pub(crate) ident: String,
    pub(crate) docs: Option<String>,
    pub(crate) payload: Type,
}

#[derive(Debug)]
pub(crate) enum Fallback {
    /// A branch that is recognised by its shape.
    Shape(Variant),
    /// The branch that keeps unknown values.
    Other(Other),
}

#[derive(Debug)]
pub(crate) struct Other {
    pub(crate) ident: String,
    pub(crate) docs: Option<String>,
    /// The field that holds the tag.
    pub(crate) tag_ident: String,
    pub(crate) tag_docs: Option<String>,
    /// The required keys beside the tag, each with its type.
    pub(crate) required: Vec<(String, Type)>,
    /// A second union: the other members must also be readable as that union.
    pub(crate) also: Option<String>,
}

impl Other {
    /// The name of the type for the kept content, in the union with this name.
    pub(crate) fn type_name(&self, union: &str) -> String {
        format!("{}{union}", self.ident)
    }
}
