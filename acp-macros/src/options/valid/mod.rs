//! The struct as a declaration without mistakes: ids are unique, kinds and categories are known, values and defaults
//! exist. The macro cannot see the types behind the names, so bounds of the runtime check the types. A field with
//! errors keeps its name and type, and the other fields are expanded beside it. So a build shows the errors of all
//! fields.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{ExprPath, Ident, LitBool, LitStr, Member, Type, Visibility};

pub(super) use self::kind::{Kind, Value};
use self::rules::{Graph, RawRules};
pub(super) use self::rules::{Reset, Rules};
use super::{Form, raw};
use crate::diagnostics::{Sink, listed};
use crate::keys::{Given, Keyed, Keys as _};
use crate::text::{self, Description, is_blank};

mod kind;
mod rules;

/// The categories that the protocol reserves. A test compares them with the schema.
pub(super) const CATEGORIES: &[&str] = &["mode", "model", "model_config", "thought_level"];
const FALLBACKS: &[&str] = &["select", "omit"];

pub(super) struct Struct {
    pub(super) form: Form,
    pub(super) name: Ident,
    pub(super) vis: Visibility,
    pub(super) krate: TokenStream,
    /// The function of the members that follow from the options.
    pub(super) members: Option<ExprPath>,
    pub(super) fields: Vec<Field>,
    /// Whether the whole struct has no errors. If not, the build fails.
    pub(super) sound: bool,
}

pub(super) enum Field {
    Option(Box<Declaration>),
    /// A field that is plain state of an agent that is its own config.
    Plain {
        member: Member,
        ty: Type,
    },
    /// A field whose struct has options. They are also options of this struct.
    Flatten {
        field: Ident,
        ty: Type,
    },
    /// An option with errors, which were reported.
    Broken {
        field: Ident,
        ty: Type,
    },
}

pub(super) struct Declaration {
    pub(super) field: Ident,
    pub(super) ty: Type,
    pub(super) id: LitStr,
    pub(super) label: String,
    pub(super) description: Option<Description>,
    pub(super) category: Option<LitStr>,
    pub(super) kind: Kind,
    /// Whether the option is also shown as the session's modes. `mirror = false` prevents this.
    pub(super) mirrored: bool,
    /// The place of `fallback`, and whether its value is `select`.
    pub(super) fallback: Option<(Ident, bool)>,
    /// The key `open`.
    pub(super) open: Option<Ident>,
    pub(super) rules: Rules,
}

impl Struct {
    /// Checks a struct. `None` for a generic struct, because its impls would need bounds that the author did not write.
    pub(super) fn check(raw: raw::Struct, sink: &Sink) -> Option<Self> {
        let raw::Struct { form, name, vis, generics, krate, members, shape } = raw;
        if !generics.params.is_empty() {
            sink.error(&generics, "a struct with config options cannot be generic")
                .note("its options are one table, the same for every session");
            return None;
        }
        let fields = fields_of(shape, form, &name, sink);
        let graph = Graph::check(&fields, form == Form::Agent, sink);
        let fields: Vec<_> = fields.into_iter().filter_map(|field| check_field(field, form, &graph, sink)).collect();
        check_ids(&fields, sink);
        check_modes(&fields, sink);
        Some(Self { form, name, vis, krate, members, fields, sound: !sink.failed() })
    }
}

fn fields_of(shape: raw::Shape, form: Form, name: &Ident, sink: &Sink) -> Vec<raw::Field> {
    match (shape, form) {
        (raw::Shape::Named(fields), _) => return fields,
        (raw::Shape::Tuple(fields), Form::Agent) => {
            for field in fields.iter().filter(|field| field.marked) {
                sink.error(&field.ty, "an option needs a field with a name: it is the option's id")
                    .help(format_args!("write `struct {name} {{ brave: bool, .. }}`"));
            }
            return fields;
        }
        (raw::Shape::Unit, Form::Agent) => {}
        (raw::Shape::Other(keyword), _) => not_named(sink, keyword, name),
        (raw::Shape::Tuple(_) | raw::Shape::Unit, Form::Config) => not_named(sink, name.to_token_stream(), name),
    }
    Vec::new()
}

fn not_named(sink: &Sink, at: TokenStream, name: &Ident) {
    sink.error(at, "`ConfigOptions` needs a struct with named fields, one for each option")
        .help(format_args!("write `struct {name} {{ .. }}`"))
        .note("the values of one select are an enum with `#[derive(SelectValue)]`");
}

/// Checks a field. `None` for a field without a name.
fn check_field(raw: raw::Field, form: Form, graph: &Graph, sink: &Sink) -> Option<Field> {
    let raw::Field { member, ty, description, marked, keys } = raw;
    if form == Form::Agent && !marked {
        return Some(Field::Plain { member, ty });
    }
    let Member::Named(field) = member else { return None };
    if keys.flatten.is_some() {
        check_flatten(&keys, sink);
        return Some(Field::Flatten { field, ty });
    }
    let raw::Keys {
        kind,
        id,
        name,
        category,
        default,
        values,
        depends_on,
        open,
        shown_if,
        reset,
        fallback,
        mirror,
        flatten: _,
        given: _,
    } = keys;
    let plain = text::plain(&field);
    let checked = kind::check(&plain, &field, &ty, kind::RawKind { kind, default, values }, sink);
    let id = check_id(id, &plain, &field, sink);
    let unread = category.as_ref().is_some_and(|category| category.value.is_none());
    let category = category.and_then(|category| category.value).map(|category| check_category(category, sink));
    let mirror = mirror.filter(|_| !unread);
    let boolean = checked.as_ref().is_some_and(|checked| checked.kind.is_boolean(&ty));
    let mirrored = mirror.is_none_or(|mirror| check_mirror(mirror, category.as_ref(), boolean, sink));
    let label = check_label(name, &plain, sink);
    let Some(checked) = checked else { return Some(Field::Broken { field, ty }) };
    let fallback = fallback.and_then(|fallback| check_fallback(fallback, &checked.kind, sink));
    let open = open.map(|open| open.key).filter(|open| {
        check_open(
            open,
            boolean,
            category.as_ref().is_some_and(|category| category.value() == "mode") && mirrored,
            sink,
        )
    });
    let raw = RawRules { depends_on, shown_if, reset, is_open: open.is_some() };
    let rules = graph.rules(&field, &ty, raw, &checked, sink);
    let kind = checked.kind;
    let option = Declaration { field, ty, id, label, description, category, kind, mirrored, fallback, open, rules };
    Some(Field::Option(Box::new(option)))
}

/// Refuses other keys beside `flatten`, because the other struct declares its options completely.
fn check_flatten(keys: &raw::Keys, sink: &Sink) {
    for key in keys.given().iter().filter(|key| *key != "flatten") {
        sink.error(key, format_args!("a field with `flatten` is no option, so it has no `{key}`"))
            .help("write `#[config_option(flatten)]`; the options of the other struct have keys of their own");
    }
}

/// Whether the option can be open, as far as the names of types show.
fn check_open(open: &Ident, boolean: bool, mode: bool, sink: &Sink) -> bool {
    if boolean {
        sink.error(open, "`open` belongs to a `Choice` or a `String`")
            .help("remove `open`")
            .note("an open option takes values that are not listed; a boolean is always on or off");
    } else if mode {
        sink.error(open, "an open option cannot be the session's mode")
            .help("add `mirror = false`, or remove `open`")
            .note("a client is told the list of modes once, when the session opens");
    }
    !boolean
}

fn check_fallback(fallback: Given<LitStr>, kind: &Kind, sink: &Sink) -> Option<(Ident, bool)> {
    let Keyed { key, value } = fallback;
    if matches!(kind, Kind::Text { .. } | Kind::Select(_)) {
        sink.error(&key, "`fallback` belongs to a boolean")
            .note("it says what a client without boolean options is shown; a select is shown to every client");
        return None;
    }
    let value = value?;
    let written = value.value();
    if !FALLBACKS.contains(&written.as_str()) {
        sink.error(&value, format_args!("`{written}` is nothing to fall back to"))
            .did_you_mean(&written, FALLBACKS.iter().copied())
            .note("`select` shows on and off to clients without boolean options; `omit`, as when left out, nothing");
        return None;
    }
    Some((key, written == "select"))
}

/// Whether the option is mirrored to the modes. Refuses `mirror` for options that cannot be.
fn check_mirror(mirror: Given<LitBool>, category: Option<&LitStr>, boolean: bool, sink: &Sink) -> bool {
    let Keyed { key, value } = mirror;
    if boolean {
        sink.error(&key, "`mirror` belongs to a select")
            .help("remove `mirror`")
            .note("a session's modes are a list to select from; a boolean is never shown as one of them");
    } else if category.is_none_or(|category| category.value() != "mode") {
        sink.error(&key, "`mirror` belongs to an option of category `mode`")
            .help("add `category = \"mode\"`, or remove `mirror`")
            .note("a mirrored option is shown as the session's modes, too");
    }
    value.is_none_or(|value| value.value)
}

fn check_id(id: Option<Given<LitStr>>, name: &str, field: &Ident, sink: &Sink) -> LitStr {
    let Some(id) = id.and_then(|id| id.value) else { return LitStr::new(name, field.span()) };
    if is_blank(&id) {
        sink.error(&id, "an option's id cannot be empty").help(format_args!("left out, the id is `{name}`"));
    }
    id
}

fn check_label(label: Option<Given<LitStr>>, name: &str, sink: &Sink) -> String {
    let title = text::title_case(name);
    let Some(label) = label.and_then(|label| label.value) else { return title };
    if is_blank(&label) {
        sink.error(&label, "an option's name cannot be empty").help(format_args!("left out, the name is `{title}`"));
    }
    label.value()
}

fn check_category(at: LitStr, sink: &Sink) -> LitStr {
    let written = at.value();
    if is_blank(&at) {
        sink.error(&at, "a category cannot be empty").help("leave `category` out for an option without one");
    } else if !written.starts_with('_') && !CATEGORIES.contains(&written.as_str()) {
        sink.error(&at, format_args!("the protocol knows no category `{written}`"))
            .did_you_mean(&written, CATEGORIES.iter().copied())
            .note(format_args!("it knows {}; one of your own begins with `_`: `_{written}`", listed(CATEGORIES)));
    }
    at
}

fn check_ids(fields: &[Field], sink: &Sink) {
    let mut earlier: Vec<&Declaration> = Vec::new();
    for option in fields.iter().filter_map(Field::as_option) {
        let id = option.id.value();
        if let Some(first) = earlier.iter().find(|first| first.id.value() == id) {
            sink.error(&option.id, format_args!("the option id `{id}` is used twice"))
                .note(format_args!("the field `{}` has it already", text::plain(&first.field)))
                .help("give one of them another: `id = \"..\"`");
        }
        earlier.push(option);
    }
}

/// Refuses a second option of category `mode`, because a session has one list of modes.
fn check_modes(fields: &[Field], sink: &Sink) {
    let mut modes = fields.iter().filter_map(Field::as_option).filter_map(|option| Some((option, option.mode()?)));
    let Some((first, _)) = modes.next() else { return };
    for (_, category) in modes {
        sink.error(category, "two options are the session's mode")
            .note(format_args!("the option `{}` is mirrored to the session's modes already", text::plain(&first.field)))
            .help("keep one of them out of the modes: `mirror = false`");
    }
}

impl Declaration {
    /// The category of the option, if it is `mode` and the option is mirrored.
    pub(super) fn mode(&self) -> Option<&LitStr> {
        let mirrored = self.mirrored && !self.kind.is_boolean(&self.ty);
        self.category.as_ref().filter(|category| mirrored && category.value() == "mode")
    }
}

impl Field {
    pub(super) fn as_option(&self) -> Option<&Declaration> {
        match self {
            Self::Option(option) => Some(option),
            Self::Plain { .. } | Self::Flatten { .. } | Self::Broken { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_categories_are_those_of_the_schema() {
        let schema: serde_json::Value =
            serde_json::from_str(include_str!("../../../../schema/v1/schema.json")).unwrap();
        let alternatives = schema["$defs"]["SessionConfigOptionCategory"]["anyOf"].as_array().unwrap();
        let reserved: Vec<_> = alternatives.iter().filter_map(|one| one["const"].as_str()).collect();
        assert_eq!(reserved, CATEGORIES);
    }
}
