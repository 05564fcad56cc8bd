//! Puts a box into every type that contains itself. Without a box, such a type would have no size. Between structs,
//! each circle gets one box, in the field that leads back. A union has no place for a box, so each field that leads
//! into such a union gets one. Lists and maps need no box, because they keep their items on the heap.

use std::collections::{HashMap, HashSet};

use super::cycles::Circular;
use crate::model::{Definition, Shape, Struct, Type};

/// For each definition, the fields that contain other definitions: the position of the field, and the position of the
/// definition.
type Held = Vec<(usize, usize)>;

/// Puts boxes into the fields of the structs that are `circular`.
pub(super) fn put(definitions: &mut [Definition], circular: &Circular) {
    if circular.is_empty() {
        return;
    }
    let names = definitions.iter().enumerate().map(|(position, definition)| (definition.name.as_str(), position));
    let positions: HashMap<&str, usize> = names.filter(|(name, _)| circular.contains_key(*name)).collect();
    let graph: Vec<Held> = definitions.iter().map(|definition| held(definition, &positions)).collect();
    // The order of the names is used, so that the types of fields do not change if a definition moves in the file.
    let mut starts: Vec<(&str, usize)> = positions.into_iter().collect();
    starts.sort_unstable();
    let starts: Vec<usize> = starts.into_iter().map(|(_, position)| position).collect();
    let into_unions = into_unions(definitions, &graph, circular);
    for (definition, field) in leading_back(&graph, &starts).into_iter().chain(into_unions) {
        if let Shape::Struct(structure) = &mut definitions[definition].shape {
            let ty = &mut structure.fields[field].ty;
            if let Type::Named(name) = ty {
                *ty = Type::Boxed(std::mem::take(name));
            }
        }
    }
}

fn held(Definition { name, shape, .. }: &Definition, positions: &HashMap<&str, usize>) -> Held {
    let Shape::Struct(structure) = shape else { return Held::new() };
    if !positions.contains_key(name.as_str()) {
        return Held::new();
    }
    let held = structure.fields.iter().enumerate().filter_map(|(field, content)| match &content.ty {
        Type::Named(name) => Some((field, *positions.get(name.as_str())?)),
        _ => None,
    });
    held.collect()
}

/// The fields that lead into a union of their own circle. They may lead there through an alias. A struct that contains
/// such a union flattened counts, too.
fn into_unions(definitions: &[Definition], graph: &[Held], circular: &Circular) -> Vec<(usize, usize)> {
    let is_plain = |shape: &Shape| matches!(shape, Shape::Struct(Struct { flattened: None, .. }));
    let circle = |position: usize| circular.get(&definitions[position].name);
    let all = graph.iter().enumerate().flat_map(|(from, held)| held.iter().map(move |(field, to)| (from, *field, *to)));
    let led = all.filter(|(from, _, to)| circle(*from) == circle(*to) && !is_plain(&definitions[*to].shape));
    led.map(|(from, field, _)| (from, field)).collect()
}

/// The fields that close a circle: each leads back to a struct on the path by which the walk came to the field.
fn leading_back(graph: &[Held], starts: &[usize]) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    let (mut seen, mut open) = (HashSet::new(), HashSet::new());
    for start in starts.iter().copied() {
        let mut way = if seen.insert(start) { vec![(start, 0)] } else { Vec::new() };
        open.extend(way.iter().map(|(start, _)| *start));
        while let Some((definition, next)) = way.last_mut() {
            match graph[*definition].get(*next) {
                Some((field, target)) => {
                    *next += 1;
                    if open.contains(target) {
                        out.push((*definition, *field));
                    } else if seen.insert(*target) {
                        open.insert(*target);
                        way.push((*target, 0));
                    }
                }
                None => {
                    open.remove(definition);
                    way.pop();
                }
            }
        }
    }
    out
}
