//! The struct as a form: it has questions, their ids are unique, formats are known, and limits and defaults agree as far
//! as they are literals. Bounds of the runtime check the types, because the macro cannot see the types behind names.

use proc_macro2::{Ident, TokenStream};
use syn::{Expr, ExprLit, ExprUnary, Lit, LitStr, Type, UnOp};

use super::format;
use super::raw::{self, Keys};
use crate::diagnostics::{Sink, code, listed};
use crate::keys::{Given, Keyed};
use crate::text::{self, Description, is_blank};

/// The formats of the protocol. A test compares them with the schema.
pub(super) const FORMATS: &[&str] = &["email", "uri", "date", "date-time"];

pub(super) struct Struct {
    pub(super) name: Ident,
    pub(super) krate: TokenStream,
    pub(super) title: String,
    pub(super) description: Option<Description>,
    pub(super) questions: Vec<Question>,
}

pub(super) struct Question {
    pub(super) field: Ident,
    pub(super) ty: Type,
    pub(super) id: LitStr,
    pub(super) title: String,
    pub(super) description: Option<Description>,
    pub(super) default: Option<Expr>,
    pub(super) min: Option<Keyed<Expr>>,
    pub(super) max: Option<Keyed<Expr>>,
    pub(super) format: Option<Keyed<LitStr>>,
    pub(super) pattern: Option<Keyed<LitStr>>,
}

impl Struct {
    /// Checks a struct. `None` if there is nothing to expand after a reported error.
    pub(super) fn check(raw: raw::Struct, sink: &Sink) -> Option<Self> {
        let raw::Struct { name, generics, krate, title, description, fields } = raw;
        if !generics.params.is_empty() {
            sink.error(&generics, "a struct of questions cannot be generic").note("its questions are one form");
        }
        let fields = match fields {
            Ok(fields) => fields,
            Err(at) => {
                sink.error(at, "`Questions` needs a struct with named fields, one for each question")
                    .help(format_args!("write `struct {name} {{ .. }}`"))
                    .note("the values of one question are an enum with `#[derive(SelectValue)]`");
                return None;
            }
        };
        if fields.is_empty() {
            sink.error(&name, format_args!("`{name}` asks nothing")).help("add a field for each question");
        }
        let title = label(title, &name, sink);
        let questions: Vec<_> = fields.into_iter().map(|field| check_field(field, sink)).collect();
        check_ids(&questions, sink);
        Some(Self { name, krate, title, description, questions })
    }
}

fn check_field(raw: raw::Field, sink: &Sink) -> Question {
    let raw::Field { name, ty, description, keys } = raw;
    let Keys { default, min, max, format, pattern, title, id, given: _ } = keys;
    let plain = text::plain(&name);
    let id = id.and_then(|id| id.value).unwrap_or_else(|| LitStr::new(&plain, name.span()));
    if is_blank(&id) {
        sink.error(&id, "a question's id cannot be empty").help(format_args!("left out, the id is `{plain}`"));
    }
    let title = label(title, &name, sink);
    let format = format.and_then(known).filter(|Keyed { value, .. }| is_format(value, sink));
    let [min, max] = [min, max].map(|limit| limit.and_then(known).filter(|limit| is_number(limit, sink)));
    let default = default.and_then(|default| default.value).filter(|default| !is_converted(&plain, default, sink));
    check_limits(min.as_ref(), max.as_ref(), default.as_ref(), sink);
    check_written(format.as_ref(), default.as_ref(), sink);
    Question { field: name, ty, id, title, description, default, min, max, format, pattern: pattern.and_then(known) }
}

/// The key with its value. A value that could not be read was reported.
fn known<T>(Keyed { key, value }: Given<T>) -> Option<Keyed<T>> {
    value.map(|value| Keyed { key, value })
}

fn label(title: Option<Given<LitStr>>, name: &Ident, sink: &Sink) -> String {
    let own = text::title_case(&text::plain(name));
    let Some(title) = title.and_then(|title| title.value) else { return own };
    if is_blank(&title) {
        sink.error(&title, "a title cannot be empty").help(format_args!("left out, the title is `{own}`"));
    }
    title.value()
}

fn is_format(format: &LitStr, sink: &Sink) -> bool {
    let written = format.value();
    let is_known = FORMATS.contains(&written.as_str());
    if !is_known {
        sink.error(format, format_args!("no format of a text is called `{written}`"))
            .did_you_mean(&written, FORMATS.iter().copied())
            .note(format_args!("the formats are {}", listed(FORMATS)));
    }
    is_known
}

/// Refuses a literal that is no number. The compiler knows the value of a constant.
fn is_number(Keyed { key, value }: &Keyed<Expr>, sink: &Sink) -> bool {
    let is_wrong = matches!(value, Expr::Lit(ExprLit { lit, .. }) if !matches!(lit, Lit::Int(_) | Lit::Float(_)));
    if is_wrong {
        let meant = code(value).replace('"', "");
        let example = if meant.parse::<f64>().is_ok() { meant } else { "1".to_owned() };
        sink.error(value, format_args!("`{key}` takes a number")).help(format_args!("write `{key} = {example}`"));
    }
    !is_wrong
}

/// Refuses `"a".to_string()`. rustc would propose to borrow it.
fn is_converted(name: &str, default: &Expr, sink: &Sink) -> bool {
    let converted = text::converted(default);
    if let Some(text) = converted {
        sink.error(default, format_args!("the default of `{name}` is a text, and made a `String` for you"))
            .help(format_args!("write `default = {:?}`", text.value()));
    }
    converted.is_some()
}

fn check_limits(min: Option<&Keyed<Expr>>, max: Option<&Keyed<Expr>>, default: Option<&Expr>, sink: &Sink) {
    let [least, greatest] = [min, max].map(|limit| limit.and_then(|limit| number(&limit.value)));
    if let (Some(least), Some(greatest), Some(max)) = (least, greatest, max)
        && least > greatest
    {
        sink.error(&max.value, format_args!("no answer is possible: `max` is {greatest}, and `min` is {least}"))
            .help("exchange the two numbers");
        return;
    }
    let Some(default) = default else { return };
    let Some((size, what)) = size(default) else { return };
    let (key, limit, beyond) = match (least, greatest) {
        (Some(least), _) if size < least => ("min", least, "less"),
        (_, Some(greatest)) if size > greatest => ("max", greatest, "more"),
        _ => return,
    };
    sink.error(default, format_args!("the default {what} {size}, which is {beyond} than `{key} = {limit}`"))
        .note("a form begins with its defaults, and the user may accept it as it is");
}

/// Refuses a default that the runtime would refuse as an answer.
fn check_written(format: Option<&Keyed<LitStr>>, default: Option<&Expr>, sink: &Sink) {
    let (Some(format), Some(Expr::Lit(ExprLit { lit: Lit::Str(text), .. }))) = (format, default) else { return };
    let word = format.value.value();
    if let Some(what) = format::lacks(&word, &text.value()) {
        sink.error(text, format_args!("the default is not {what}, which `format = {word:?}` asks for"))
            .note("a form begins with its defaults, and the user may accept it as it is");
    }
}

/// The measure of a default that limits apply to, and the begin of the sentence about it.
fn size(default: &Expr) -> Option<(f64, &'static str)> {
    #[expect(clippy::cast_precision_loss, reason = "nobody writes so long a literal")]
    match default {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some((text.value().chars().count() as f64, "has the length")),
        Expr::Array(list) => Some((list.elems.len() as f64, "has the count")),
        _ => Some((number(default)?, "is")),
    }
}

/// The value of a number that is a literal.
fn number(expr: &Expr) -> Option<f64> {
    match expr {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => number.base10_digits().parse().ok(),
        Expr::Lit(ExprLit { lit: Lit::Float(number), .. }) => number.base10_digits().parse().ok(),
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => number(expr).map(|number| -number),
        _ => None,
    }
}

/// The value of a whole number that is a literal.
pub(super) fn whole(expr: &Expr) -> Option<u64> {
    match expr {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => number.base10_digits().parse().ok(),
        _ => None,
    }
}

fn check_ids(questions: &[Question], sink: &Sink) {
    for (position, question) in questions.iter().enumerate() {
        let id = question.id.value();
        let earlier = questions[..position].iter().find(|earlier| earlier.id.value() == id);
        if let Some(earlier) = earlier.filter(|_| !id.trim().is_empty()) {
            sink.error(&question.id, format_args!("two questions have the id `{id}`"))
                .note(format_args!("`{}` has it already; an id is the field's name", earlier.field))
                .help("rename one, or give it an id: `#[question(id = \"..\")]`");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::FORMATS;

    #[test]
    fn formats_are_those_of_the_schema() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../schema/v1/schema.json");
        let schema = std::fs::read_to_string(path).expect("the schema of version 1");
        let schema: serde_json::Value = serde_json::from_str(&schema).expect("it is JSON");
        let words = schema["$defs"]["StringFormat"]["oneOf"].as_array().expect("the words").iter();
        let words: Vec<_> = words.map(|word| word["const"].as_str().expect("a word")).collect();
        assert_eq!(words, FORMATS);
    }
}
