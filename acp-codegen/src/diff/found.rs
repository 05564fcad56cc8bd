//! The changes that were found so far. For each, the items that it changes, and the differences of the generated module
//! that it explains.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use heck::ToSnakeCase as _;

use super::change::{Change, ChangeKind, Subject, Verdict};
use super::surface::{Method, Surface, Type};
use super::ty::Ty;
use super::types::{Id, Side, Types};
use super::verdict::{self, Steps};
use crate::model::handler_marker;

/// A change of a type or inside a type, before it is added.
pub(super) struct Finding<'a> {
    pub(super) subject: Subject,
    pub(super) what: ChangeKind,
    pub(super) item: String,
    pub(super) detail: String,
    /// Whether the change is about a draft.
    pub(super) draft: bool,
    /// For a field: its presence before and after.
    pub(super) steps: Steps,
    /// The generated items that differ.
    pub(super) items: Vec<String>,
    /// The definition that contains the change.
    pub(super) of: &'a str,
    /// The names in Rust of the changed fields or variants. Empty if the change is about the whole definition.
    pub(super) members: Vec<&'a str>,
    /// The verdict. Only set if the place decides more than the kind of the change.
    pub(super) verdict: Option<(Verdict, &'static str)>,
}

impl<'a> Finding<'a> {
    /// A change of `item` in the definition `of`. It has no further details, is not a draft, and is judged by its kind.
    pub(super) fn about(subject: Subject, what: ChangeKind, of: &'a str, item: String) -> Self {
        Self {
            subject,
            what,
            items: vec![item.clone()],
            item,
            detail: String::new(),
            draft: false,
            steps: (None, None),
            of,
            members: Vec::new(),
            verdict: None,
        }
    }

    fn judged(&self) -> (Verdict, &'static str) {
        if self.draft {
            return verdict::OF_DRAFTS;
        }
        self.verdict.unwrap_or_else(|| verdict::of(self.subject, self.what, self.steps))
    }
}

/// A definition that has changed.
#[derive(Clone, Copy)]
pub(super) struct Definition<'a> {
    pub(super) name: &'a str,
    pub(super) ty: &'a Type,
    /// Whether changes of it are about a draft.
    pub(super) draft: bool,
}

/// The changes of a generated item that were reported so far.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// The reported fields and variants. A field of a variant is `Variant.field`.
    members: HashSet<String>,
    /// Whether the item as a whole has become another one.
    pub(super) whole: bool,
    breaking: bool,
    compatible: bool,
    draft: bool,
}

impl Told {
    pub(super) fn of(&self, member: &str) -> bool {
        self.members.contains(member)
    }

    /// Whether the reported changes already explain further losses of the item. They do so if one of them breaks code
    /// anyway, or if they are all about drafts.
    pub(super) fn explains_losses(&self) -> bool {
        self.breaking || self.draft && !self.compatible
    }
}

pub(super) struct Found<'a> {
    pub(super) changes: Vec<Change>,
    pub(super) old: &'a Surface,
    pub(super) new: &'a Surface,
    told: HashMap<String, Told>,
    reach: Reach,
    types: Types,
    /// The types of the newer schema that have changed, or that lead to a changed type.
    pub(super) touched: HashSet<&'a str>,
}

impl<'a> Found<'a> {
    pub(super) fn new(old: &'a Surface, new: &'a Surface) -> Self {
        let (reach, types) = (Reach::of(&[old, new]), Types::of(old, new));
        Self { changes: Vec::new(), old, new, told: HashMap::new(), reach, types, touched: new.touched(old) }
    }

    /// The type's number in the older or the newer schema; the same type has the same number in both.
    pub(super) fn id(&mut self, side: Side, ty: &Ty) -> Id {
        self.types.id(side, ty)
    }

    /// The change of a type. `None` if both types are the same, even under other names.
    pub(super) fn retyped(&mut self, old: &Ty, new: &Ty) -> Option<ChangeKind> {
        let (old, new) = (self.types.id(Side::Old, old), self.types.id(Side::New, new));
        if old == new {
            None
        } else if self.types.is_wider(new, old) {
            Some(ChangeKind::Widened)
        } else if self.types.is_wider(old, new) {
            Some(ChangeKind::Narrowed)
        } else {
            Some(ChangeKind::Changed)
        }
    }

    /// The reported changes of a generated item, or of the type or method to which it belongs.
    pub(super) fn told(&self, item: &str) -> Option<&Told> {
        let owner = |surface: &'a Surface| surface.owners.get(item).map(String::as_str);
        self.told.get(item).or_else(|| self.told.get(owner(self.old).or_else(|| owner(self.new))?))
    }

    /// Adds a change of a method. `methods` has the changed method, and its former method if this was another one.
    pub(super) fn method(&mut self, what: ChangeKind, methods: &[&Method], detail: String, draft: bool) {
        let Some(method) = methods.first() else { return };
        let mut items = vec![marker(method), method.params.clone()];
        items.extend(method.response.iter().chain(&method.messages).cloned());
        let handler = method.agents_handler();
        let (verdict, why) = if draft { verdict::OF_DRAFTS } else { verdict::of_method(what, handler.is_some()) };
        let handlers = handler.map(str::to_owned).into_iter().collect();
        for method in methods {
            let names = match method.side {
                "agent" => "AgentMethodNames",
                "client" => "ClientMethodNames",
                "both" => "GeneralMethodNames",
                _ => "ProxyMethodNames",
            };
            self.tell(&marker(method), &[], (verdict, draft));
            self.tell(names, &[&method.wire.to_snake_case()], (verdict, draft));
            for (message, variant) in method.messages.iter().filter_map(|message| message.split_once("::")) {
                self.tell(message, &[variant], (verdict, draft));
            }
        }
        let (subject, item) = (Subject::Method, method.wire.clone());
        self.changes.push(Change { subject, item, what, detail, draft, verdict, why, items, handlers });
    }

    /// Adds a change of a whole definition.
    pub(super) fn whole(&mut self, what: ChangeKind, Definition { name, ty, draft }: Definition<'_>, detail: String) {
        self.add(Finding { detail, draft, ..Finding::about(Subject::Type, what, name, ty.label.clone()) });
    }

    /// Adds the change of a rule for wrong values, if the definition has gained or lost the rule.
    pub(super) fn rule(&mut self, of: Definition<'_>, (was, is): (bool, bool), words: &str) {
        match (was, is) {
            (false, true) => self.whole(ChangeKind::MoreLenient, of, words.to_owned()),
            (true, false) => self.whole(ChangeKind::LessLenient, of, format!("no longer: {words}")),
            _ => {}
        }
    }

    pub(super) fn add(&mut self, finding: Finding<'_>) {
        let (verdict, _) = finding.judged();
        let Finding { subject, draft, of, ref members, .. } = finding;
        for surface in [self.old, self.new] {
            let Some(ty) = surface.types.get(of) else { continue };
            match ty.place() {
                (item, None) => self.tell(item, members, (verdict, draft)),
                (item, Some(variant)) => {
                    let inside: Vec<String> = members.iter().map(|member| format!("{variant}.{member}")).collect();
                    let inside: Vec<&str> = inside.iter().map(String::as_str).collect();
                    self.tell(item, &inside, (verdict, draft));
                }
            }
        }
        if subject == Subject::Value {
            let functions: Vec<String> = members.iter().map(|member| member.to_snake_case()).collect();
            let functions: Vec<&str> = functions.iter().map(String::as_str).collect();
            for error in [self.old, self.new].iter().filter_map(|surface| surface.errors.get(of)).flatten() {
                self.tell(error, &functions, (verdict, draft));
            }
        }
        self.note(finding);
    }

    /// Adds a change of the meaning, which no item of the generated module shows.
    pub(super) fn note(&mut self, finding: Finding<'_>) {
        let (verdict, why) = finding.judged();
        let Finding { subject, what, item, detail, draft, steps: _, items, of, members: _, verdict: _ } = finding;
        let handlers = self.reach.handlers(of);
        self.changes.push(Change { subject, item, what, detail, draft, verdict, why, items, handlers });
    }

    fn tell(&mut self, item: &str, members: &[&str], (verdict, draft): (Verdict, bool)) {
        let told = self.told.entry(item.to_owned()).or_default();
        told.members.extend(members.iter().map(|member| (*member).to_owned()));
        told.draft |= draft;
        told.whole |= members.is_empty() && verdict == Verdict::Breaking;
        told.breaking |= !draft && verdict == Verdict::Breaking;
        told.compatible |= !draft && verdict != Verdict::Breaking;
    }
}

pub(super) fn marker(method: &Method) -> String {
    format!("methods::{}", handler_marker(&method.handler))
}

/// For every type, the handlers of agents whose params or result can contain it. The number is bounded, because an
/// unusual schema could otherwise take minutes.
struct Reach(BTreeMap<String, BTreeSet<String>>);

/// The limit of handlers that are named for a type. Version 1 has 23 with its drafts.
const NAMED: usize = 200;

impl Reach {
    fn of(surfaces: &[&Surface]) -> Self {
        let mut reach: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for surface in surfaces {
            for method in &surface.methods {
                let Some(handler) = method.agents_handler() else { continue };
                let mut seen: BTreeSet<&str> = BTreeSet::new();
                let mut next: Vec<&str> = vec![&method.params];
                next.extend(method.response.as_deref());
                while let Some(name) = next.pop() {
                    // If a type is inside another type, it has at least the handlers of the outer type.
                    let handlers = reach.entry(name.to_owned()).or_default();
                    if handlers.len() < NAMED && seen.insert(name) {
                        handlers.insert(handler.to_owned());
                        surface.types.get(name).into_iter().for_each(|ty| ty.each_name(&mut |name, _| next.push(name)));
                    }
                }
            }
        }
        Self(reach)
    }

    fn handlers(&self, ty: &str) -> BTreeSet<String> {
        self.0.get(ty).cloned().unwrap_or_default()
    }
}
