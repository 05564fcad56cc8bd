//! The differences inside a list of values or shapes, and in the order in which shapes are tried.

use super::change::{ChangeKind, Subject};
use super::found::{Definition, Finding, Found};
use super::growth::Growth;
use super::overlap::counterpart;
use super::surface::{Branch, By, Choice, Wire};
use super::verdict;

pub(super) fn of_choice(of: Definition<'_>, old: &Choice, new: &Choice, found: &mut Found<'_>) {
    let known = new.branches.iter().map(|branch| counterpart(&old.branches, branch)).collect();
    let choices = Choices { of, old, new, known };
    choices.branches(found);
    choices.orders(found);
    choices.growths(found);
    choices.rules(found);
}

/// A choice before and after.
struct Choices<'a> {
    of: Definition<'a>,
    old: &'a Choice,
    new: &'a Choice,
    /// For each branch of the newer choice, its position in the older one.
    known: Vec<Option<usize>>,
}

/// A branch without a constant, before and after.
struct Tried<'a> {
    was: &'a Branch,
    is: &'a Branch,
    /// The positions in the older and in the newer choice.
    was_at: usize,
    is_at: usize,
}

impl<'a> Choices<'a> {
    /// A change of a branch.
    fn about(&self, subject: Subject, what: ChangeKind, branch: &'a Branch) -> Finding<'a> {
        let Definition { name, ty, draft } = self.of;
        let item = format!("{}::{}", ty.label, branch.rust);
        Finding { draft, members: vec![&branch.rust], ..Finding::about(subject, what, name, item) }
    }

    fn branches(&self, found: &mut Found<'_>) {
        let Self { of, old, new, known } = self;
        for (index, after) in new.branches.iter().enumerate() {
            match known[index] {
                Some(position) => self.branch(&old.branches[position], after, found),
                None => {
                    let (detail, verdict) = match self.takes_from(index, found) {
                        Some(from) => (format!("{}, {from}", wire(after)), Some(verdict::TAKES_VALUES)),
                        None => (wire(after), None),
                    };
                    let about = self.about(subject(new), ChangeKind::Added, after);
                    found.add(Finding { detail, draft: of.draft || after.draft, verdict, ..about });
                }
            }
        }
        for (position, before) in old.branches.iter().enumerate() {
            if !known.contains(&Some(position)) {
                let about = self.about(subject(old), ChangeKind::Removed, before);
                found.add(Finding { detail: wire(before), draft: of.draft || before.draft, ..about });
            }
        }
    }

    fn branch(&self, before: &'a Branch, after: &'a Branch, found: &mut Found<'_>) {
        let Branch { wire: _, rust: _, ty: _, shown: _, required: _, draft: _ } = after;
        let retyped = found.retyped(&before.ty, &after.ty);
        let mut add = |what, detail, draft| {
            let about = self.about(subject(self.new), what, after);
            found.add(Finding { detail, draft, members: vec![&before.rust, &after.rust], ..about });
        };
        // If a whole type is a draft, the change of the type already tells this.
        if let Some(what) = ChangeKind::of_drafts(before.draft, after.draft).filter(|_| !self.of.draft) {
            add(what, wire(after), false);
        }
        let draft = self.of.draft || before.draft;
        if before.rust != after.rust {
            add(ChangeKind::Changed, format!("`{}` is now called `{}`", before.rust, after.rust), draft);
        }
        if before.wire != after.wire {
            add(ChangeKind::Changed, format!("{} is now {}", wire(before), wire(after)), draft);
        }
        if let Some(what) = retyped {
            add(what, format!("`{}` is now `{}`", before.ty, after.ty), draft);
        }
        if before.required != after.required {
            let fewer = after.required.is_subset(&before.required);
            let what = if fewer { ChangeKind::MoreLenient } else { ChangeKind::LessLenient };
            add(what, "what it must have beside the tag".to_owned(), draft);
        }
        self.shown(before, after, draft, found);
    }

    /// Reports the change of a branch's text. If the branch has a name of its own, a change of the name already covers
    /// the text.
    fn shown(&self, before: &Branch, after: &'a Branch, draft: bool, found: &mut Found<'_>) {
        let (Some(was), Some(is)) = (&before.shown, &after.shown) else { return };
        if was != is && before.rust == after.rust {
            let detail = format!("`{was}` is now shown as `{is}`");
            let about = self.about(Subject::Value, ChangeKind::Changed, after);
            found.add(Finding { detail, draft, verdict: Some(verdict::SHOWN_OTHERWISE), ..about });
        }
    }

    /// The way in which this new branch takes values from an older branch. `None` if it takes none.
    fn takes_from(&self, index: usize, found: &Found<'_>) -> Option<String> {
        let Self { of: _, old: _, new, known } = self;
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

    /// The branches that have no constant, before and after.
    fn tried(&self) -> Vec<Tried<'a>> {
        let Self { of: _, old, new, known } = self;
        let both = known.iter().enumerate().filter_map(|(is_at, was_at)| {
            let was_at = (*was_at)?;
            Some(Tried { was: &old.branches[was_at], is: &new.branches[is_at], was_at, is_at })
        });
        both.filter(|tried| tried.was.constant().is_none() && tried.is.constant().is_none()).collect()
    }

    /// Reports pairs of branches whose common values are now read as the other branch. There are two reasons: the two
    /// were tried in the other order before, or the union has changed its rule (the first branch that fits, or the
    /// branch that keeps most).
    fn orders(&self, found: &mut Found<'_>) {
        let (became_best, was_best) = (self.new.best && !self.old.best, self.old.best && !self.new.best);
        let tried = self.tried();
        for (index, first) in tried.iter().enumerate() {
            let overlaps = |second: &Tried<'_>| {
                found.new.branches_overlap(first.is, second.is) || found.old.branches_overlap(first.was, second.was)
            };
            let comes_first = |second: &Tried<'_>| {
                second.was_at < first.was_at || was_best && found.old.may_keep_more(second.was, first.was)
            };
            let may_be_better = |second: &Tried<'_>| became_best && found.new.may_keep_more(second.is, first.is);
            let behind = &tried[index + 1..];
            let (second, moved, detail) =
                if let Some(second) = stable_first(behind, |second| comes_first(second) && overlaps(second)) {
                    (second, first, format!("it is tried before `{}` now", second.is.rust))
                } else if let Some(second) = stable_first(behind, |second| may_be_better(second) && overlaps(second)) {
                    (second, second, format!("it is {} now", where_it_keeps_more(first.is)))
                } else {
                    continue;
                };
            let draft = self.of.draft || first.is.draft || second.is.draft;
            let about = self.about(Subject::Variant, ChangeKind::Reordered, moved.is);
            found.add(Finding { detail, draft, verdict: Some(verdict::TAKES_VALUES), ..about });
        }
    }

    /// Reports branches that stay in their place but take values which were read as another branch before. `orders`
    /// reports branches that change places.
    fn growths(&self, found: &mut Found<'_>) {
        let growth = Growth { old: found.old, new: found.new, best: self.old.best && self.new.best };
        let tried = self.tried();
        for grown @ Tried { was, is, .. } in &tried {
            let mut is_touched = was.required != is.required;
            is.ty.each_name(&mut |name| is_touched |= found.touched.contains(name));
            if !is_touched {
                continue;
            }
            let takes = |other: &Tried<'_>| {
                let is_tried_first = grown.is_at < other.is_at && grown.was_at < other.was_at;
                let is_better = growth.best && grown.is_at != other.is_at && found.new.may_keep_more(is, other.is);
                (is_tried_first || is_better) && growth.takes(was, is, other.was)
            };
            let Some(other) = stable_first(&tried, takes) else { continue };
            found.note(Finding {
                detail: format!("it takes values of `{}` now", other.is.rust),
                draft: self.of.draft || is.draft || other.is.draft,
                verdict: Some(verdict::TAKES_VALUES),
                ..self.about(Subject::Variant, ChangeKind::Widened, is)
            });
        }
    }

    /// Reports changes of the rules by which a branch is found.
    fn rules(&self, found: &mut Found<'_>) {
        let Self { of, old, new, known: _ } = self;
        let Choice { branches: _, by, best: _, default, unknown_is_default, other } = new;
        match (&old.by, by) {
            (By::Numbers(before), By::Numbers(after)) => {
                if let Some(what) = found.retyped(before, after) {
                    found.whole(what, *of, format!("a number of `{before}` is now one of `{after}`"));
                }
            }
            (By::Tag { key: before, strict: was }, By::Tag { key: after, strict: is }) => {
                if before != after {
                    let detail = format!("its variants were told apart by `{before}`, and are by `{after}`");
                    found.whole(ChangeKind::Changed, *of, detail);
                }
                found.rule(*of, (!was, !is), "what does not fit its tag may be another variant");
            }
            (By::Words, By::Words) | (By::Shape, By::Shape) => {}
            // The change of each branch already tells that it gained or lost its tag.
            (By::Shape, By::Tag { .. }) | (By::Tag { .. }, By::Shape) => {}
            (before, after) => {
                found.whole(ChangeKind::Changed, *of, format!("{} is now {}", told_by(before), told_by(after)));
            }
        }
        match (&old.other, other) {
            (None, Some(_)) => found.whole(ChangeKind::Opened, *of, String::new()),
            (Some(_), None) => found.whole(ChangeKind::Closed, *of, String::new()),
            (Some(before), Some(after)) => {
                if before.rust != after.rust {
                    let (was, is) = (&before.rust, &after.rust);
                    let detail = format!("what keeps unknown values, `{was}`, is now called `{is}`");
                    found.whole(ChangeKind::Changed, *of, detail);
                }
                self.shown(before, after, of.draft, found);
            }
            (None, None) => {}
        }
        if let (Some(before), Some(after)) = (&old.default, default)
            && before != after
        {
            found.whole(ChangeKind::Changed, *of, format!("its default was `{before}`, and is `{after}`"));
        }
        let unknown = (old.unknown_is_default, *unknown_is_default);
        found.rule(*of, unknown, "an unknown value reads as the default");
    }
}

/// The first branch that fits. A draft must not hide the change of a stable branch, so stable branches are tried first.
fn stable_first<'b, 'a>(tried: &'b [Tried<'a>], fits: impl Fn(&Tried<'a>) -> bool) -> Option<&'b Tried<'a>> {
    let stable = tried.iter().filter(|tried| !tried.is.draft).find(|tried| fits(tried));
    stable.or_else(|| tried.iter().find(|tried| fits(tried)))
}

/// The effect on a branch that fits a value, but is not the first one that fits.
fn where_it_keeps_more(first: &Branch) -> String {
    format!("read in place of `{}` where it keeps more of a value", first.rust)
}

fn wire(branch: &Branch) -> String {
    match &branch.wire {
        Wire::Constant(constant) => format!("`{constant}` on the wire"),
        Wire::Shape => "told by its shape".to_owned(),
        Wire::Unknown => "keeps what is unknown".to_owned(),
    }
}

fn told_by(by: &By) -> &'static str {
    match by {
        By::Words => "a list of texts",
        By::Numbers(_) => "a list of numbers",
        By::Tag { .. } | By::Shape => "a union",
    }
}

fn subject(choice: &Choice) -> Subject {
    if choice.is_of_constants() { Subject::Value } else { Subject::Variant }
}
