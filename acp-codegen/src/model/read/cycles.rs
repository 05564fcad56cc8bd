//! Types that contain themselves. Between structs a box is put (`boxes`); a union that leads back to itself without a list
//! in between has no size, and is refused here before rustc does so in words about generated code.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use crate::error::Result;
use crate::normalise::Normalised;
use crate::source::Source;
use crate::source::dialect::ref_name;

type Graph<'a> = HashMap<&'a str, Vec<String>>;

/// Refuses unions that contain themselves. Gives the structs that do.
pub(super) fn check(source: &Source, normalised: &Normalised) -> Result<HashSet<String>> {
    aliases(source, normalised)?;
    let mut graph: Graph<'_> = HashMap::new();
    for (name, schema) in &normalised.definitions {
        graph.insert(name, contained(normalised, name, schema));
    }
    let circular = circular(&graph);
    for (name, schema) in &normalised.definitions {
        if schema.get("properties").is_none() && circular.contains(name.as_str()) {
            return normalised.at(source, name, |at| {
                Err(at.reference(
                    format!("`{name}` contains itself"),
                    "put a list or a map in between, or make the branch that leads back an object of its own fields",
                ))
            });
        }
    }
    Ok(circular.into_iter().map(str::to_owned).collect())
}

/// A list has no type of its own in Rust: one of itself would be a name without end.
fn aliases(source: &Source, normalised: &Normalised) -> Result<()> {
    let is_alias = |schema: &Value| schema.get("properties").is_none() && schema.get("oneOf").is_none();
    let named = normalised.definitions.iter().filter(|(_, schema)| is_alias(schema));
    let mut graph: Graph<'_> = named.map(|(name, schema)| (name.as_str(), listed(schema))).collect();
    let known: HashSet<&str> = graph.keys().copied().collect();
    graph.values_mut().for_each(|targets| targets.retain(|target| known.contains(target.as_str())));
    let circular = circular(&graph);
    normalised.definitions.keys().find(|name| circular.contains(name.as_str())).map_or(Ok(()), |name| {
        normalised.at(source, name, |at| {
            Err(at.reference(format!("`{name}` is a list or a map of itself"), "put it into a property of an object"))
        })
    })
}

fn listed<'a>(schema: &'a Value) -> Vec<String> {
    let inner = |schema: &&'a Value| schema.get("items").or_else(|| schema.get("additionalProperties"));
    let innermost = std::iter::successors(Some(schema), inner).last();
    innermost.and_then(|schema| schema.get("$ref")).map(ref_name).into_iter().collect()
}

/// What a value of this definition holds inside itself; lists and maps hold their items elsewhere.
fn contained(normalised: &Normalised, name: &str, schema: &Value) -> Vec<String> {
    let mut out: Vec<String> = schema.get("$ref").map(ref_name).into_iter().collect();
    let properties = schema.get("properties").and_then(Value::as_object).into_iter().flat_map(|map| map.values());
    let branches = |schema: &Value| schema.get("oneOf").and_then(Value::as_array).cloned().unwrap_or_default();
    for property in properties {
        out.extend(property.get("$ref").map(ref_name));
        out.extend(branches(property).iter().filter_map(|branch| branch.get("$ref").map(ref_name)));
    }
    out.extend(branches(schema).iter().filter_map(|branch| branch.get("$ref").map(ref_name)));
    out.extend(normalised.flattened.get(name).map(|flattened| flattened.union.clone()));
    out
}

/// What leads back to itself: the strongly connected parts of the graph, by Kosaraju's way to find them, which takes as
/// long as the graph is large, and goes down no stack.
fn circular<'a>(graph: &'a Graph<'a>) -> HashSet<&'a str> {
    let mut containers: HashMap<&str, Vec<&str>> = HashMap::new();
    for (name, targets) in graph {
        targets.iter().for_each(|target| containers.entry(target).or_default().push(name));
    }
    let mut out = HashSet::new();
    let mut seen = HashSet::new();
    for last in finished(graph).into_iter().rev() {
        let mut part = Vec::new();
        let mut open = vec![last];
        while let Some(name) = open.pop() {
            if seen.insert(name) {
                part.push(name);
                open.extend(containers.get(name).into_iter().flatten());
            }
        }
        let alone = |name: &str| !graph.get(name).is_some_and(|targets| targets.iter().any(|target| target == name));
        if part.len() > 1 || part.iter().any(|name| !alone(name)) {
            out.extend(part);
        }
    }
    out
}

/// All names, each behind those that it leads to, where it is not led to by these.
fn finished<'a>(graph: &'a Graph<'a>) -> Vec<&'a str> {
    let mut out = Vec::with_capacity(graph.len());
    let mut seen = HashSet::new();
    for start in graph.keys().copied() {
        if !seen.insert(start) {
            continue;
        }
        let mut way = vec![(start, 0)];
        while let Some((name, next)) = way.last_mut() {
            match graph.get(name).and_then(|targets| targets.get(*next)) {
                Some(target) => {
                    *next += 1;
                    if seen.insert(target) {
                        way.push((target, 0));
                    }
                }
                None => out.extend(way.pop().map(|(name, _)| name)),
            }
        }
    }
    out
}
