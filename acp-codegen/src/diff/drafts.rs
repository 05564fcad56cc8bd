//! Finds the drafts without a mark of their own. The schemas mark the method, field or branch where a draft begins, but
//! often not the types to which it leads.

use std::collections::BTreeSet;

use super::surface::{Method, Surface};
use crate::model::Envelope;

/// The mark of drafts in the published schemas. An error code has its title before the mark.
const MARK: &str = "**UNSTABLE**";

pub(super) fn is_marked(docs: Option<&str>) -> bool {
    docs.and_then(|docs| docs.trim_start().lines().next()).is_some_and(|first| first.contains(MARK))
}

/// Whether the payload is marked as a draft in the list of a side's messages. Some methods are marked only there.
pub(super) fn is_marked_payload(envelopes: &[Envelope], payload: &str) -> bool {
    let mut members = envelopes.iter().flat_map(|envelope| &envelope.payloads);
    members.any(|member| member.definition == payload && is_marked(member.docs.as_deref()))
}

/// Marks the types to which a draft leads, unless a stable item also leads to them. Stable items are `messages`, the
/// stable methods, and the types without references.
pub(super) fn mark_what_only_drafts_use(surface: &mut Surface, messages: &BTreeSet<String>) {
    let mut referred = BTreeSet::new();
    let mut begun = BTreeSet::new();
    for method in &surface.methods {
        referred.extend(payloads(method));
        begun.extend(payloads(method).filter(|_| method.draft));
    }
    for (name, ty) in &surface.types {
        ty.each_name(&mut |name, draft| {
            referred.insert(name);
            if draft {
                begun.insert(name);
            }
        });
        if ty.draft {
            begun.insert(name);
        }
    }
    let mut stable: BTreeSet<&str> = messages.iter().map(String::as_str).collect();
    stable.extend(surface.methods.iter().filter(|method| !method.draft).flat_map(payloads));
    stable.extend(surface.types.keys().map(String::as_str).filter(|name| !referred.contains(name)));
    let stable = reached(surface, stable, false);
    let drafts = reached(surface, begun, true);
    let drafts: BTreeSet<String> = drafts.difference(&stable).map(|name| (*name).to_owned()).collect();
    for (_, ty) in surface.types.iter_mut().filter(|(name, _)| drafts.contains(*name)) {
        ty.draft = true;
    }
}

fn payloads(method: &Method) -> impl Iterator<Item = &str> {
    [Some(&method.params), method.response.as_ref()].into_iter().flatten().map(String::as_str)
}

/// The types to which these types lead. `through_drafts` tells whether a path may contain a draft.
fn reached<'a>(surface: &'a Surface, from: BTreeSet<&'a str>, through_drafts: bool) -> BTreeSet<&'a str> {
    let mut seen = BTreeSet::new();
    let mut next: Vec<&str> = from.into_iter().collect();
    while let Some(name) = next.pop() {
        let Some(ty) = surface.types.get(name).filter(|ty| through_drafts || !ty.draft) else { continue };
        if seen.insert(name) {
            ty.each_name(&mut |name, draft| {
                if through_drafts || !draft {
                    next.push(name);
                }
            });
        }
    }
    seen
}
