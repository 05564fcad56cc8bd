//! The differences that are meant, each with its reason.

use serde_json::Value;

use crate::talk::Seen;

/// A difference: the begin of its places (with `*` for any text), what Agentao 0.5.17 has there, and why.
struct Listed {
    place: &'static str,
    why: &'static str,
}

const LISTED: &[Listed] = &[];

/// Compares what is seen of the two agents.
pub(crate) fn compare(theirs: &Seen, ours: &Seen) {
    let mut unlisted = Vec::new();
    let mut used = vec![false; LISTED.len()];
    let places: std::collections::BTreeSet<&String> = theirs.keys().chain(ours.keys()).collect();
    for place in places {
        let (of_them, of_us) = (theirs.get(place), ours.get(place));
        if of_them == of_us {
            continue;
        }
        match LISTED.iter().position(|listed| fits(listed.place, place)) {
            Some(at) => used[at] = true,
            None => unlisted.push(format!("{place}: {} is {}", shown(of_them), shown(of_us))),
        }
    }
    let unused: Vec<String> = LISTED
        .iter()
        .zip(used)
        .filter(|(_, used)| !used)
        .map(|(listed, _)| format!("{} ({})", listed.place, listed.why))
        .collect();
    assert!(unlisted.is_empty(), "they differ, and no entry of the list says why:\n{}", unlisted.join("\n"));
    assert!(unused.is_empty(), "these entries of the list have no difference any more:\n{}", unused.join("\n"));
}

fn shown(value: Option<&Value>) -> String {
    value.map_or("nothing".to_owned(), Value::to_string)
}

/// Whether a pattern fits a place.
fn fits(pattern: &str, place: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == place,
        Some((begin, rest)) => match place.strip_prefix(begin) {
            None => false,
            Some(place) => rest.is_empty() || place.char_indices().any(|(at, _)| fits(rest, &place[at..])),
        },
    }
}
