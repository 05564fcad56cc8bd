//! Reads the methods from `x-method` and `x-side` of their payloads.

use std::collections::{HashMap, HashSet};

use heck::ToSnakeCase;
use serde_json::Value;

use super::names::is_ident;
use crate::error::{Error, Place, Result};
use crate::model::{Kind, Method, Side, handler_marker};
use crate::source::dialect::text;
use crate::source::{Source, advice};

enum Role {
    Params(Kind),
    Response,
}

pub(super) fn collect(source: &Source) -> Result<Vec<Method>> {
    let mut methods: Vec<Method> = Vec::new();
    let mut params: HashMap<(Side, Kind, &str), &str> = HashMap::new();
    let mut responses: HashMap<(Side, Kind, &str), &str> = HashMap::new();
    for (name, definition) in &source.definitions {
        let Some(wire) = definition.get("x-method") else { continue };
        source.at(name, |at| {
            let (wire, side) = (wire_name(wire, &at.key("x-method"))?, side(definition, at)?);
            match role(name, at)? {
                (_, Role::Response) => {
                    if let Some(other) = responses.insert((side, Kind::Request, wire), name) {
                        return Err(twice(wire, name, other, at));
                    }
                }
                (stem, Role::Params(kind)) => {
                    if let Some(other) = params.insert((side, kind, wire), name) {
                        return Err(twice(wire, name, other, at));
                    }
                    let draft = source.is_draft(name);
                    methods.push(Method { draft, ..method(source, definition, wire, side, kind, name, stem) });
                }
            }
            Ok(())
        })?;
    }
    for method in methods.iter_mut().filter(|method| method.kind == Kind::Request) {
        method.response = responses.remove(&(method.side, method.kind, method.wire.as_str())).map(str::to_owned);
        source.at(&method.params, |at| complete(method, at))?;
    }
    if let Some(((side, _, wire), name)) = responses.into_iter().min() {
        let notified = params.contains_key(&(side, Kind::Notification, wire));
        return source.at(name, |at| {
            Err(if notified {
                at.unsupported(format!("`{wire}` is a notification, but has a response"), "a notification has none")
            } else {
                at.unsupported(format!("`{wire}` has a response, but no request"), "define its params, too")
            })
        });
    }
    tell_kinds_apart(source, &mut methods);
    names_are_distinct(source, &methods)?;
    Ok(methods)
}

fn method(source: &Source, definition: &Value, wire: &str, side: Side, kind: Kind, params: &str, stem: &str) -> Method {
    let handler = source.overlay.handler(wire).map_or_else(|| stem.to_snake_case(), str::to_owned);
    let docs = text(definition, "description");
    Method { wire: wire.to_owned(), handler, side, kind, params: params.to_owned(), response: None, docs, draft: false }
}

fn wire_name<'a>(value: &'a Value, at: &Place<'_>) -> Result<&'a str> {
    let Some(name) = value.as_str().filter(|name| !name.is_empty()) else {
        return Err(at.unsupported("this method has no name", "give it as a text, such as `\"_acme.dev/review\"`"));
    };
    if name.contains(|char: char| char.is_whitespace() || char.is_control()) {
        return Err(at.name(
            format!("the name `{}` of a method holds blanks or control characters", name.escape_debug()),
            "it is compared whole, so write it without them",
        ));
    }
    Ok(name)
}

fn side(definition: &Value, at: &Place<'_>) -> Result<Side> {
    let Some(side) = definition.get("x-side") else {
        let help = "write beside `x-method`: `\"x-side\": \"agent\"`, or `client`, `protocol` (both) or `proxy`";
        return Err(at.unsupported("it is not said who receives this method", help));
    };
    match side.as_str() {
        Some("agent") => Ok(Side::Agent),
        Some("client") => Ok(Side::Client),
        // Three drafts of 2026 (1.4.0 to 1.5.1) have the word `both`.
        Some("protocol" | "both") => Ok(Side::Protocol),
        Some("proxy") => Ok(Side::Proxy),
        other => Err(at.key("x-side").unsupported(
            format!("{side} is no side that receives methods"),
            advice(other.unwrap_or_default(), &["agent", "client", "protocol", "proxy"]),
        )),
    }
}

fn role<'a>(name: &'a str, at: &Place<'_>) -> Result<(&'a str, Role)> {
    let roles = [
        ("Request", Role::Params(Kind::Request)),
        ("Notification", Role::Params(Kind::Notification)),
        ("Response", Role::Response),
    ];
    for (suffix, role) in roles {
        if let Some(stem) = name.strip_suffix(suffix).filter(|stem| !stem.is_empty()) {
            return Ok((stem, role));
        }
    }
    Err(at.name(
        format!("`{name}` belongs to a method, but does not say as what"),
        "let the name end in `Request`, `Response` or `Notification`",
    ))
}

fn complete(method: &Method, at: &Place<'_>) -> Result<()> {
    if method.response.is_some() {
        return Ok(());
    }
    let what = format!("`{}` is a request, but has no response", method.wire);
    Err(at.unsupported(what, "a request has exactly one response"))
}

/// Gives a notification's name a suffix, unless the overlay names it. A request and a notification may have the same
/// stem, as in `mcp/message`.
fn tell_kinds_apart(source: &Source, methods: &mut [Method]) {
    let requests = methods.iter().filter(|method| method.kind == Kind::Request);
    let taken: HashSet<String> = requests.map(|method| method.handler.clone()).collect();
    for method in methods.iter_mut().filter(|method| method.kind == Kind::Notification) {
        if taken.contains(&method.handler) && source.overlay.handler(&method.wire).is_none() {
            method.handler.push_str("_notification");
        }
    }
}

/// Checks that the Rust names of methods differ: the handler, its marker type, and the field in the list of names.
fn names_are_distinct(source: &Source, methods: &[Method]) -> Result<()> {
    let mut handlers: HashMap<String, &str> = HashMap::new();
    let mut fields: HashMap<(Side, String), &str> = HashMap::new();
    for method in methods {
        let Method { wire, handler, .. } = method;
        let refuse = |what: String, help: &str| source.at(&method.params, |at| Err(at.name(what, help)));
        let help = "name it under `handlers` in an overlay";
        if !is_ident(handler) || !is_ident(&handler_marker(handler)) {
            return refuse(format!("`{handler}` is no name for a function and a type"), help);
        }
        if let Some(other) = handlers.insert(handler_marker(handler), wire) {
            return refuse(format!("`{wire}` and `{other}` both give the handler `{handler}`"), help);
        }
        if !is_ident(&method.field()) {
            return refuse(format!("the method `{wire}` gives no Rust name"), "name it in letters, `_` and `/`");
        }
        if let Some(other) = fields.insert((method.side, method.field()), wire).filter(|other| *other != wire) {
            return refuse(
                format!("the methods `{wire}` and `{other}` give the same Rust name"),
                "rename one of the two",
            );
        }
    }
    Ok(())
}

fn twice(wire: &str, name: &str, other: &str, at: &Place<'_>) -> Error {
    at.name(
        format!("`{name}` and `{other}` both claim the method `{wire}`"),
        "give one of them an `x-method` of its own, or take it out",
    )
}
