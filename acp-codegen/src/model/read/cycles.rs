//! Types that contain themselves. If the path has a field of a struct, `boxes` puts a box there. If a union leads back
//! to itself without such a field, it has no size. This module refuses such a union. Otherwise rustc would report
//! errors in the generated code.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use crate::error::Result;
use crate::normalise::Normalised;
use crate::source::Source;
use crate::source::dialect::ref_name;

type Graph<'a> = HashMap<&'a str, Vec<String>>;

/// The definitions that contain themselves. Each has the number of its circle: definitions that lead to each other have
/// the same number.
pub(super) type Circular = HashMap<String, usize>;

/// Refuses definitions that contain themselves without a field on the path. Returns all other definitions that contain
/// themselves.
pub(super) fn check(source: &Source, normalised: &Normalised) -> Result<Circular> {
    aliases(source, normalised)?;
    let graph = |fields: bool| -> Graph<'_> {
        let held = |(name, schema): (&'_ String, &Value)| contained(normalised, name, schema, fields);
        normalised.definitions.iter().map(|(name, schema)| (name.as_str(), held((name, schema)))).collect()
    };
    let without_fields = graph(false);
    let endless = circular(&without_fields);
    if let Some(name) = normalised.definitions.keys().find(|name| endless.contains_key(name.as_str())) {
        return normalised.at(source, name, |at| {
            Err(at.reference(
                format!("`{name}` contains itself"),
                "let the branch that leads back be an object, with what it leads to in a property, in the schema or in a copy of it",
            ))
        });
    }
    Ok(circular(&graph(true)).into_iter().map(|(name, circle)| (name.to_owned(), circle)).collect())
}

/// Refuses the alias of a list that contains itself. A list has no type of its own in Rust, so such an alias would not
/// end.
fn aliases(source: &Source, normalised: &Normalised) -> Result<()> {
    let is_alias = |schema: &Value| schema.get("properties").is_none() && schema.get("oneOf").is_none();
    let named = normalised.definitions.iter().filter(|(_, schema)| is_alias(schema));
    let mut graph: Graph<'_> = named.map(|(name, schema)| (name.as_str(), listed(schema))).collect();
    let known: HashSet<&str> = graph.keys().copied().collect();
    graph.values_mut().for_each(|targets| targets.retain(|target| known.contains(target.as_str())));
    let circular = circular(&graph);
    normalised.definitions.keys().find(|name| circular.contains_key(name.as_str())).map_or(Ok(()), |name| {
        normalised.at(source, name, |at| {
            Err(at.reference(
                format!("`{name}` is a list or a map of itself"),
                "let what it holds be an object or a union, in the schema or in a copy of it",
            ))
        })
    })
}

fn listed<'a>(schema: &'a Value) -> Vec<String> {
    let inner = |schema: &&'a Value| schema.get("items").or_else(|| schema.get("additionalProperties"));
    let innermost = std::iter::successors(Some(schema), inner).last();
    innermost.and_then(|schema| schema.get("$ref")).map(ref_name).into_iter().collect()
}

/// The definitions inside of a value of this definition. With `fields`, also the definitions in its fields. Lists and
/// maps do not count, because they keep their items on the heap.
fn contained(normalised: &Normalised, name: &str, schema: &Value, fields: bool) -> Vec<String> {
    let mut out: Vec<String> = schema.get("$ref").map(ref_name).into_iter().collect();
    let properties = schema.get("properties").and_then(Value::as_object).filter(|_| fields);
    let branches = |schema: &Value| schema.get("oneOf").and_then(Value::as_array).cloned().unwrap_or_default();
    for property in properties.into_iter().flat_map(|map| map.values()) {
        out.extend(property.get("$ref").map(ref_name));
        out.extend(branches(property).iter().filter_map(|branch| branch.get("$ref").map(ref_name)));
    }
    out.extend(branches(schema).iter().filter_map(|branch| branch.get("$ref").map(ref_name)));
    out.extend(normalised.flattened.get(name).map(|flattened| flattened.union.clone()));
    out
}

/// The definitions that lead back to themselves. These are the strongly connected parts of the graph, by Kosaraju's
/// algorithm. It takes linear time, and this code does not recurse.
fn circular<'a>(graph: &'a Graph<'a>) -> HashMap<&'a str, usize> {
    let mut containers: HashMap<&str, Vec<&str>> = HashMap::new();
    for (name, targets) in graph {
        targets.iter().for_each(|target| containers.entry(target).or_default().push(name));
    }
    let mut out = HashMap::new();
    let mut seen = HashSet::new();
    for (circle, last) in finished(graph).into_iter().rev().enumerate() {
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
            out.extend(part.into_iter().map(|name| (name, circle)));
        }
    }
    out
}

/// All names in such an order that each name comes after the names to which it leads.
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
