//! Types that contain themselves. Between structs typify puts a box; a union that leads back to itself without a list
//! in between has no size, and is refused here before rustc does so in words about generated code.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::payload::ref_name;
use crate::error::Result;
use crate::normalise::Normalised;
use crate::source::Source;

type Graph<'a> = HashMap<&'a str, Vec<String>>;

/// Refuses unions that contain themselves. Gives what reaches any other circle.
pub(super) fn check(source: &Source, normalised: &Normalised) -> Result<HashSet<String>> {
    let mut graph: Graph<'_> = HashMap::new();
    for (name, schema) in &normalised.definitions {
        graph.insert(name, contained(normalised, name, schema));
    }
    trim(&mut graph);
    for name in normalised.definitions.keys() {
        let is_union = normalised.definitions[name].get("properties").is_none();
        if is_union && graph.contains_key(name.as_str()) && leads_back(&graph, name) {
            return source.at(normalised.origin(name), |at| {
                Err(at.reference(
                    format!("`{name}` contains itself"),
                    "put a list or a map in between, or make the branch that leads back an object of its own fields",
                ))
            });
        }
    }
    Ok(graph.into_keys().map(str::to_owned).collect())
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

/// Leaves only definitions from which a cycle can be reached: the rest, by far the most, contains an end.
fn trim(graph: &mut Graph<'_>) {
    let mut containers: HashMap<String, Vec<&str>> = HashMap::new();
    let mut open: HashMap<&str, usize> = HashMap::new();
    for (name, targets) in graph.iter() {
        open.insert(name, targets.len());
        targets.iter().for_each(|target| containers.entry(target.clone()).or_default().push(name));
    }
    let mut ends: Vec<&str> = open.iter().filter(|(_, count)| **count == 0).map(|(name, _)| *name).collect();
    while let Some(end) = ends.pop() {
        graph.remove(end);
        for container in containers.get(end).into_iter().flatten() {
            if let Some(count) = open.get_mut(container) {
                *count -= 1;
                if *count == 0 {
                    ends.push(container);
                }
            }
        }
    }
}

fn leads_back(graph: &Graph<'_>, start: &str) -> bool {
    let mut seen = HashSet::new();
    let mut next = vec![start];
    while let Some(name) = next.pop() {
        for target in graph.get(name).into_iter().flatten() {
            if target == start {
                return true;
            }
            if seen.insert(target.as_str()) {
                next.push(target);
            }
        }
    }
    false
}
