//! The dependencies between options. They are named by the names of fields, and must not go in a circle.

use std::collections::HashMap;

use syn::{ExprPath, Ident, Member, Type};

use super::kind::{Checked, Kind};
use crate::diagnostics::Sink;
use crate::keys::{Given, Keyed};
use crate::options::raw;
use crate::text;

/// The rules by which an option depends on others.
#[derive(Default)]
pub(in crate::options) struct Rules {
    /// The options that the functions get as arguments.
    pub(in crate::options) arguments: Vec<(Ident, Type)>,
    pub(in crate::options) values: Option<ExprPath>,
    pub(in crate::options) shown_if: Option<ExprPath>,
    pub(in crate::options) reset: Option<Reset>,
    /// The length of the longest path of dependencies from this option to an option without dependencies.
    pub(in crate::options) depth: usize,
}

pub(in crate::options) enum Reset {
    /// The word `default`.
    Default(Ident),
    /// The word `first`.
    First(Ident),
    By(ExprPath),
}

/// The keys that give the rules.
pub(super) struct RawRules {
    pub(super) depends_on: Option<Given<Vec<Ident>>>,
    pub(super) shown_if: Option<Given<ExprPath>>,
    pub(super) reset: Option<Given<ExprPath>>,
    pub(super) is_open: bool,
}

/// The options of a struct, each with its dependencies.
pub(super) struct Graph {
    nodes: HashMap<String, Node>,
    depths: HashMap<String, usize>,
}

struct Node {
    ty: Type,
    depends_on: Vec<Ident>,
    /// Whether all named options exist and can be dependencies.
    sound: bool,
}

impl Graph {
    /// Makes the graph. Reports names that are no options, and circles.
    pub(super) fn check(fields: &[raw::Field], marked_only: bool, sink: &Sink) -> Self {
        let mut graph = Self { nodes: HashMap::new(), depths: HashMap::new() };
        let mut order = Vec::new();
        for field in fields.iter().filter(|field| field.keys.flatten.is_none() && (field.marked || !marked_only)) {
            let Member::Named(name) = &field.member else { continue };
            let depends_on =
                field.keys.depends_on.as_ref().map_or_else(|| Some(Vec::new()), |given| given.value.clone());
            let sound = depends_on.is_some();
            let node = Node { ty: field.ty.clone(), depends_on: depends_on.unwrap_or_default(), sound };
            order.push(text::plain(name));
            graph.nodes.insert(text::plain(name), node);
        }
        for name in &order {
            graph.check_names(name, fields, sink);
        }
        for name in &order {
            let mut way = Vec::new();
            graph.measure(name, &mut way, sink);
        }
        graph
    }

    fn check_names(&mut self, name: &str, fields: &[raw::Field], sink: &Sink) {
        let Some(node) = self.nodes.get(name) else { return };
        let before = sink.count();
        let mut known: Vec<Ident> = Vec::new();
        for on in &node.depends_on {
            let written = text::plain(on);
            if written == name {
                sink.error(on, format_args!("the option `{name}` cannot depend on itself")).note(
                    "its functions are given the options that it depends on; `reset` gets its current value, too",
                );
            } else if !self.nodes.contains_key(&written) {
                unknown(on, &written, name, fields, self.nodes.keys(), sink);
            } else if known.contains(on) {
                sink.error(on, format_args!("`{written}` is named twice"))
                    .note("the functions are given each option once, in this order");
            } else {
                known.push(on.clone());
            }
        }
        if let Some(node) = self.nodes.get_mut(name) {
            node.depends_on = known;
            node.sound &= sink.count() == before;
        }
    }

    /// The depth of an option. `way` is the path that has led to the option.
    fn measure(&mut self, name: &str, way: &mut Vec<String>, sink: &Sink) -> usize {
        if let Some(depth) = self.depths.get(name) {
            return *depth;
        }
        way.push(name.to_owned());
        let mut depth = 0;
        for on in self.nodes.get(name).map_or_else(Vec::new, |node| node.depends_on.clone()) {
            let next = text::plain(&on);
            if let Some(start) = way.iter().position(|passed| *passed == next) {
                circle(&on, &way[start..], sink);
            } else {
                depth = depth.max(1 + self.measure(&next, way, sink));
            }
        }
        way.pop();
        self.depths.insert(name.to_owned(), depth);
        depth
    }

    /// The rules of one option.
    pub(super) fn rules(&self, field: &Ident, ty: &Type, raw: RawRules, checked: &Checked, sink: &Sink) -> Rules {
        let RawRules { depends_on, shown_if, reset, is_open } = raw;
        let name = text::plain(field);
        let unread = reset.as_ref().is_some_and(|reset| reset.value.is_none());
        let reset = reset.and_then(|reset| check_reset(&name, ty, reset, (checked, is_open), sink));
        let values = checked.values.clone();
        let used = values.is_some() || shown_if.is_some() || unread || matches!(reset, Some(Reset::By(_)));
        if let Some(depends_on) = depends_on.filter(|names| names.value.is_some() && !used) {
            sink.error(&depends_on.key, format_args!("the option `{name}` makes no use of what it depends on"))
                .help("say what follows: `values = path` (which values there are) or `shown_if = path` (whether it is there)")
                .note("the functions are given the options of `depends_on`, in that order");
        }
        // Without this return, the author's function would get other arguments than the author wrote, which is a second
        // error.
        let Some(node) = self.nodes.get(&name).filter(|node| node.sound) else { return Rules::default() };
        let types = |on: &Ident| Some((on.clone(), self.nodes.get(&text::plain(on))?.ty.clone()));
        let arguments = node.depends_on.iter().filter_map(types);
        Rules {
            arguments: arguments.collect(),
            values,
            shown_if: shown_if.and_then(|shown| shown.value),
            reset,
            depth: self.depths.get(&name).copied().unwrap_or(0),
        }
    }
}

fn unknown<'k>(
    on: &Ident,
    written: &str,
    name: &str,
    fields: &[raw::Field],
    options: impl Iterator<Item = &'k String>,
    sink: &Sink,
) {
    let report = sink.error(on, format_args!("`{name}` cannot depend on `{written}`: there is no such option"));
    let field =
        fields.iter().find(|field| matches!(&field.member, Member::Named(name) if text::plain(name) == written));
    match field {
        Some(field) if field.keys.flatten.is_some() => {
            report
                .note(format_args!("`{written}` is a struct of options; an option depends on those of its own struct"));
        }
        Some(_) => {
            report.help(format_args!("mark the field `{written}` with `#[config_option(..)]`, should it be an option"));
        }
        None => {
            let mut options: Vec<_> = options.map(String::as_str).filter(|option| *option != name).collect();
            options.sort_unstable();
            report.did_you_mean(written, options).note("an option is named as its field is");
        }
    }
}

fn circle(at: &Ident, way: &[String], sink: &Sink) {
    let mut names: Vec<_> = way.iter().map(|name| format!("`{name}`")).collect();
    names.extend(names.first().cloned());
    sink.error(at, format_args!("options depend on each other in a circle: {}", names.join(" -> ")))
        .note("options are resolved one after the other, each behind those it depends on");
}

fn check_reset(
    name: &str,
    ty: &Type,
    reset: Given<ExprPath>,
    (checked, is_open): (&Checked, bool),
    sink: &Sink,
) -> Option<Reset> {
    let Keyed { key, value: path } = reset;
    let fixed = match &checked.kind {
        kind if kind.is_boolean(ty) => "a boolean is always on or off",
        _ if is_open => "an open option keeps every value",
        Kind::Text { values: Some(_), .. } => "the values in `values(..)` are always offered",
        Kind::Text { .. } | Kind::Inferred(_) | Kind::Select(_) | Kind::Boolean(_) => {
            let path = path?;
            return Some(match path.path.get_ident() {
                Some(word) if word == "default" => Reset::Default(word.clone()),
                Some(word) if word == "first" => Reset::First(word.clone()),
                _ => Reset::By(path),
            });
        }
    };
    sink.error(&key, format_args!("the option `{name}` has nothing to reset: {fixed}"))
        .note("`reset` says what becomes of a value that is no longer offered");
    None
}
