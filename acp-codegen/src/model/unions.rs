//! Unions: told apart by a tag (with or without branches that have no tag), or by their shapes alone.

use super::Type;

/// A union whose branches carry a constant under the same key.
#[derive(Debug)]
pub(crate) struct Tagged {
    pub(crate) tag: String,
    pub(crate) variants: Vec<Variant>,
    /// The branches without a tag, tried in order when no tagged branch fits.
    pub(crate) fallbacks: Vec<Fallback>,
    /// Whether a known tag with content that does not fit is an error, and no fallback is tried.
    pub(crate) strict: bool,
}

impl Tagged {
    /// The branches without a tag that are recognised by their shape.
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
    /// Whether a value of one branch may fit an earlier branch, which would drop the values that it has no field for.
    pub(crate) overlap: bool,
}

#[derive(Debug)]
pub(crate) struct Variant {
    /// The tag's value, or the title if there is no tag.
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
    /// A union that must also be able to read the other members.
    pub(crate) also: Option<String>,
}

impl Other {
    /// The type of the kept content, in the union with this name.
    pub(crate) fn type_name(&self, union: &str) -> String {
        format!("{}{union}", self.ident)
    }
}
