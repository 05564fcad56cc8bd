//! The differences inside a list of values or shapes, and in the order in which shapes are tried.

use super::change::{ChangeKind, Subject};
use super::found::{Finding, Found};
use super::growth::Growth;
use super::overlap::counterpart;
use super::surface::{Branch, By, Choice, Type, Wire};
use super::verdict;

pub(super) fn of_choice(name: &str, ty: &Type, old: &Choice, new: &Choice, draft: bool, found: &mut Found<'_>) {
    let Choice { branches: _, by, best: _, default, unknown_is_default, other } = new;
    let known: Vec<Option<usize>> = new.branches.iter().map(|branch| counterpart(&old.branches, branch)).collect();
    branches(name, ty, (old, new, &known), draft, found);
    orders(name, ty, (old, new, &known), draft, found);
    growths(name, ty, (old, new, &known), draft, found);
    let whole = |what, detail, found: &mut Found<'_>| found.whole(what, name, ty, detail, draft);
    match (&old.by, by) {
        (By::Numbers(before), By::Numbers(after)) => {
            if let Some(what) = found.retyped(before, after) {
                whole(what, format!("a number of `{before}` is now one of `{after}`"), found);
            }
        }
        (By::Tag { key: before, strict: was }, By::Tag { key: after, strict: is }) => {
            if before != after {
                whole(
                    ChangeKind::Changed,
                    format!("its variants were told apart by `{before}`, and are by `{after}`"),
                    found,
                );
            }
            match (was, is) {
                (false, true) => whole(
                    ChangeKind::LessLenient,
                    "no longer: what does not fit its tag may be another variant".to_owned(),
                    found,
                ),
                (true, false) => {
                    whole(ChangeKind::MoreLenient, "what does not fit its tag may be another variant".to_owned(), found)
                }
                _ => {}
            }
        }
        (By::Words, By::Words) | (By::Shape, By::Shape) => {}
        // The change of each branch already tells that it gained or lost its tag.
        (By::Shape, By::Tag { .. }) | (By::Tag { .. }, By::Shape) => {}
        (before, after) => {
            whole(ChangeKind::Changed, format!("{} is now {}", told_by(before), told_by(after)), found);
        }
    }
    match (&old.other, other) {
        (None, Some(_)) => whole(ChangeKind::Opened, String::new(), found),
        (Some(_), None) => whole(ChangeKind::Closed, String::new(), found),
        (Some(before), Some(after)) => {
            if before.rust != after.rust {
                let detail = format!("what keeps unknown values, `{}`, is now called `{}`", before.rust, after.rust);
                whole(ChangeKind::Changed, detail, found);
            }
            shown(name, &ty.label, before, after, draft, found);
        }
        (None, None) => {}
    }
    if let (Some(before), Some(after)) = (&old.default, default)
        && before != after
    {
        whole(ChangeKind::Changed, format!("its default was `{before}`, and is `{after}`"), found);
    }
    match (old.unknown_is_default, *unknown_is_default) {
        (false, true) => whole(ChangeKind::MoreLenient, "an unknown value reads as the default".to_owned(), found),
        (true, false) => {
            whole(ChangeKind::LessLenient, "no longer: an unknown value reads as the default".to_owned(), found)
        }
        _ => {}
    }
}

fn told_by(by: &By) -> String {
    match by {
        By::Words => "a list of texts".to_owned(),
        By::Numbers(_) => "a list of numbers".to_owned(),
        By::Tag { .. } | By::Shape => "a union".to_owned(),
    }
}

fn subject(choice: &Choice) -> Subject {
    if choice.is_of_constants() { Subject::Value } else { Subject::Variant }
}

/// The older and the newer choice. Also, for each branch of the newer one, its position in the older one.
type Pair<'a> = (&'a Choice, &'a Choice, &'a [Option<usize>]);

fn branches(name: &str, ty: &Type, pair: Pair<'_>, draft: bool, found: &mut Found<'_>) {
    let (old, new, known) = pair;
    let label = &ty.label;
    let mut met = vec![false; old.branches.len()];
    for (index, after) in new.branches.iter().enumerate() {
        let item = format!("{label}::{}", after.rust);
        let position = known[index];
        let before = position.map(|position| &old.branches[position]);
        let retyped = before.and_then(|before| found.retyped(&before.ty, &after.ty));
        let takes_from = if before.is_none() { takes_from(found, pair, index) } else { None };
        let members = || before.map(|before| before.rust.as_str()).into_iter().chain([after.rust.as_str()]).collect();
        let mut add = |what, detail, draft, verdict| {
            let about = Finding::about(subject(new), what, name, item.clone());
            found.add(Finding { detail, draft, members: members(), verdict, ..about });
        };
        let Some((before, position)) = before.zip(position) else {
            let (detail, verdict) = match takes_from {
                Some(from) => (format!("{}, {from}", wire(after)), Some(verdict::TAKES_VALUES)),
                None => (wire(after), None),
            };
            add(ChangeKind::Added, detail, draft || after.draft, verdict);
            continue;
        };
        met[position] = true;
        let Branch { wire: _, rust: _, ty: _, shown: _, required: _, draft: _ } = after;
        if let Some(what) = ChangeKind::of_drafts(before.draft, after.draft).filter(|_| !draft) {
            add(what, wire(after), false, None);
        }
        let draft = draft || before.draft;
        if before.rust != after.rust {
            add(ChangeKind::Changed, format!("`{}` is now called `{}`", before.rust, after.rust), draft, None);
        }
        if before.wire != after.wire {
            add(ChangeKind::Changed, format!("{} is now {}", wire(before), wire(after)), draft, None);
        }
        if let Some(what) = retyped {
            let detail = format!("`{}` is now `{}`", before.ty, after.ty);
            add(what, detail, draft, None);
        }
        if before.required != after.required {
            let what = if after.required.is_subset(&before.required) {
                ChangeKind::MoreLenient
            } else {
                ChangeKind::LessLenient
            };
            add(what, "what it must have beside the tag".to_owned(), draft, None);
        }
        shown(name, label, before, after, draft, found);
    }
    for before in old.branches.iter().zip(met).filter_map(|(before, met)| (!met).then_some(before)) {
        let item = format!("{label}::{}", before.rust);
        found.add(Finding {
            detail: wire(before),
            draft: draft || before.draft,
            members: vec![&before.rust],
            ..Finding::about(subject(old), ChangeKind::Removed, name, item)
        });
    }
}

/// The change of a branch's text. If the branch has a name of its own, a change of the name already covers the text.
fn shown(name: &str, label: &str, before: &Branch, after: &Branch, draft: bool, found: &mut Found<'_>) {
    let (Some(was), Some(is)) = (&before.shown, &after.shown) else { return };
    if was == is || before.rust != after.rust {
        return;
    }
    let item = format!("{label}::{}", after.rust);
    found.add(Finding {
        detail: format!("`{was}` is now shown as `{is}`"),
        draft,
        members: vec![&after.rust],
        verdict: Some(verdict::SHOWN_OTHERWISE),
        ..Finding::about(Subject::Value, ChangeKind::Changed, name, item)
    });
}

/// The way in which this new branch takes values from an older branch. `None` if it takes none.
fn takes_from(found: &Found<'_>, (_, new, known): Pair<'_>, index: usize) -> Option<String> {
    let added = &new.branches[index];
    let mut shapes = new.branches.iter().enumerate().filter(|(_, branch)| branch.wire == Wire::Shape);
    let taken = shapes.find(|(position, shape)| {
        let was_there = known[*position].is_some() && !shape.draft;
        was_there
            && match (&added.wire, &new.by) {
                // If no branch has the shape's tag, the tag is an unknown key, unless the shape describes this key.
                (Wire::Constant(_), By::Tag { key, .. }) => found.new.describes(shape, key, added),
                (Wire::Constant(_), _) => false,
                (Wire::Shape | Wire::Unknown, _) => {
                    let may_be_read = *position > index || new.best && found.new.may_keep_more(added, shape);
                    may_be_read && found.new.branches_overlap(added, shape)
                }
            }
    });
    taken.map(|(position, branch)| match position < index {
        true => format!("and {}", where_it_keeps_more(branch)),
        false => format!("in front of `{}`", branch.rust),
    })
}

/// The effect on a branch that fits a value, but is not the first one that fits.
fn where_it_keeps_more(first: &Branch) -> String {
    format!("read in place of `{}` where it keeps more of a value", first.rust)
}

/// Reports pairs of branches whose common values are now read as the other branch. There are two reasons: the two were
/// tried in the other order before, or the union has changed its rule (the first branch that fits, or the branch that
/// keeps most).
fn orders<'a>(name: &str, ty: &Type, (old, new, known): Pair<'a>, draft: bool, found: &mut Found<'_>) {
    let is_tried = |branch: &Branch| !matches!(branch.wire, Wire::Constant(_));
    let both = new.branches.iter().zip(known).filter_map(|(branch, position)| Some((branch, (*position)?)));
    let both: Vec<_> = both.filter(|(branch, at)| is_tried(branch) && is_tried(&old.branches[*at])).collect();
    for (index, (first, was_at)) in both.iter().enumerate() {
        let behind = &both[index + 1..];
        let overlaps = |(second, other_was_at): &&(&Branch, usize)| {
            found.new.branches_overlap(first, second)
                || found.old.branches_overlap(&old.branches[*was_at], &old.branches[*other_was_at])
        };
        let was_better = |at: usize| found.old.may_keep_more(&old.branches[at], &old.branches[*was_at]);
        let comes_first = |(_, other_was_at): &&(&Branch, usize)| {
            other_was_at < was_at || old.best && !new.best && was_better(*other_was_at)
        };
        let may_be_better =
            |(second, _): &&(&Branch, usize)| new.best && !old.best && found.new.may_keep_more(second, first);
        // A draft must not hide the change of a stable branch, so stable branches are tried first.
        let find = |which: &dyn Fn(&&(&'a Branch, usize)) -> bool| {
            let candidates = || behind.iter().filter(|other| which(other));
            let stable = candidates().filter(|(second, _)| !second.draft).find(overlaps);
            stable.or_else(|| candidates().find(overlaps)).map(|(second, _)| *second)
        };
        let (second, moved, detail) = if let Some(second) = find(&comes_first) {
            (second, *first, format!("it is tried before `{}` now", second.rust))
        } else if let Some(second) = find(&may_be_better) {
            (second, second, format!("it is {} now", where_it_keeps_more(first)))
        } else {
            continue;
        };
        let item = format!("{}::{}", ty.label, moved.rust);
        let finding = Finding {
            detail,
            draft: draft || first.draft || second.draft,
            members: vec![&moved.rust],
            verdict: Some(verdict::TAKES_VALUES),
            ..Finding::about(Subject::Variant, ChangeKind::Reordered, name, item)
        };
        found.add(finding);
    }
}

/// Reports branches that stay in their place but take values which were read as another branch before. `orders` reports
/// branches that change places.
fn growths(name: &str, ty: &Type, (old, new, known): Pair<'_>, draft: bool, found: &mut Found<'_>) {
    let growth = Growth { old: found.old, new: found.new, best: old.best && new.best };
    let is_tried = |branch: &Branch| !matches!(branch.wire, Wire::Constant(_));
    let both = new.branches.iter().zip(known).filter_map(|(branch, position)| Some((branch, (*position)?)));
    let both: Vec<_> = both.filter(|(branch, at)| is_tried(branch) && is_tried(&old.branches[*at])).collect();
    for (index, (grown, was_at)) in both.iter().enumerate() {
        let was = &old.branches[*was_at];
        let mut is_touched = was.required != grown.required;
        grown.ty.each_name(&mut |name| is_touched |= found.touched.contains(name));
        if !is_touched {
            continue;
        }
        let takes = |(place, (other, other_was_at)): &(usize, &(&Branch, usize))| {
            let is_tried_first = index < *place && was_at < other_was_at;
            let is_better = growth.best && *place != index && found.new.may_keep_more(grown, other);
            (is_tried_first || is_better) && growth.takes(was, grown, &old.branches[*other_was_at])
        };
        // A draft must not hide the change of a stable branch, so stable branches are tried first.
        let others = || both.iter().enumerate();
        let stable = others().filter(|(_, (other, _))| !other.draft).find(takes);
        let Some((_, (other, _))) = stable.or_else(|| others().find(takes)) else { continue };
        found.note(Finding {
            detail: format!("it takes values of `{}` now", other.rust),
            draft: draft || grown.draft || other.draft,
            verdict: Some(verdict::TAKES_VALUES),
            ..Finding::about(Subject::Variant, ChangeKind::Widened, name, format!("{}::{}", ty.label, grown.rust))
        });
    }
}

fn wire(branch: &Branch) -> String {
    match &branch.wire {
        Wire::Constant(constant) => format!("`{constant}` on the wire"),
        Wire::Shape => "told by its shape".to_owned(),
        Wire::Unknown => "keeps what is unknown".to_owned(),
    }
}
