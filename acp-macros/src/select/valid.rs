//! The enum as a list of values that a client can show: there is at least one, ids are unique, and either all values
//! have a group or none has.

use proc_macro2::TokenStream;
use syn::{Ident, LitStr};

use super::raw::{self, VariantKeys};
use crate::diagnostics::Sink;
use crate::text::{self, Description, is_blank};

pub(super) struct Enum {
    pub(super) name: Ident,
    pub(super) krate: TokenStream,
    pub(super) values: Vec<Value>,
}

pub(super) struct Value {
    pub(super) variant: Ident,
    pub(super) id: LitStr,
    pub(super) label: String,
    pub(super) description: Option<Description>,
    pub(super) group: Option<LitStr>,
}

impl Enum {
    /// Checks an enum. `None` if there is nothing to expand after a reported error.
    pub(super) fn check(raw: raw::Enum, sink: &Sink) -> Option<Self> {
        let raw::Enum { name, generics, krate, variants } = raw;
        if !generics.params.is_empty() {
            sink.error(&generics, "an enum of select values cannot be generic")
                .note("its values are one table, the same for every session");
        }
        let variants = match variants {
            Ok(variants) => variants,
            Err(keyword) => {
                sink.error(keyword, "`SelectValue` needs an enum, one variant for each value")
                    .note("the options themselves are a struct with `#[derive(ConfigOptions)]`");
                return None;
            }
        };
        if variants.is_empty() {
            sink.error(&name, format_args!("`{name}` has nothing to select from")).help("add a variant for each value");
        }
        let values: Vec<_> = variants.into_iter().map(|variant| check_variant(variant, sink)).collect();
        check_ids(&values, sink);
        check_groups(&values, sink);
        Some(Self { name, krate, values })
    }
}

fn check_variant(raw: raw::Variant, sink: &Sink) -> Value {
    let raw::Variant { name, fields, description, keys } = raw;
    let VariantKeys { id, name: label, group, given: _ } = keys;
    let plain = text::plain(&name);
    if let Some(fields) = fields {
        sink.error(fields, format_args!("the value `{plain}` cannot carry data"))
            .note("a client sends the id of a value and nothing else")
            .help(format_args!("write `{plain}` alone"));
    }
    let id = id.and_then(|id| id.value).unwrap_or_else(|| LitStr::new(&text::snake_case(&plain), name.span()));
    if is_blank(&id) {
        sink.error(&id, "a value's id cannot be empty")
            .help(format_args!("left out, the id is `{}`", text::snake_case(&plain)));
    }
    let title = text::title_case(&plain);
    let label = label.and_then(|label| label.value);
    if let Some(label) = label.as_ref().filter(|label| is_blank(label)) {
        sink.error(label, "a value's name cannot be empty").help(format_args!("left out, the name is `{title}`"));
    }
    let label = label.map_or(title, |label| label.value());
    // If a group could not be read, the value still counts as grouped.
    let group = group.map(|group| group.value.unwrap_or_else(|| LitStr::new(&plain, name.span())));
    Value { variant: name, id, label, description, group }
}

fn check_ids(values: &[Value], sink: &Sink) {
    for (position, value) in values.iter().enumerate() {
        let id = value.id.value();
        let earlier = values[..position].iter().find(|earlier| earlier.id.value() == id);
        if let Some(earlier) = earlier.filter(|_| !id.is_empty()) {
            sink.error(&value.id, format_args!("two values have the id `{id}`"))
                .note(format_args!("`{}` has it already; an id is the variant in snake case", earlier.variant))
                .help("rename one, or give it an id: `#[select_value(id = \"..\")]`");
        }
    }
}

fn check_groups(values: &[Value], sink: &Sink) {
    for value in values {
        match &value.group {
            None if values.iter().any(|other| other.group.is_some()) => {
                sink.error(&value.variant, format_args!("the value `{}` has no group, others have", value.variant))
                    .note("a client is shown either groups or one flat list")
                    .help("add `#[select_value(group = \"..\")]`");
            }
            Some(group) if group_id(group).is_empty() => {
                sink.error(group, "a group's name needs a letter or a digit: its id is made of them")
                    .help("write `group = \"Small\"`");
            }
            Some(group) => check_group_id(group, values, sink),
            None => {}
        }
    }
}

/// Refuses two spellings of one group. They would be two headers with one id.
fn check_group_id(group: &LitStr, values: &[Value], sink: &Sink) {
    let first = values.iter().filter_map(|value| value.group.as_ref()).find(|first| group_id(first) == group_id(group));
    if let Some(first) = first.filter(|first| first.value() != group.value()) {
        sink.error(group, format_args!("the groups `{}` and `{}` have the same id", first.value(), group.value()))
            .note(format_args!("a group's id is its name in snake case: `{}`", group_id(group)))
            .help("write both alike");
    }
}

pub(super) fn group_id(group: &LitStr) -> String {
    text::snake_case(&group.value())
}
