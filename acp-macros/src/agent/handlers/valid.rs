//! Handlers in which the macro finds no mistakes. The compiler checks their types through the runtime's traits. A wrong
//! handler is left out, so that the same build still checks the others.

use proc_macro2::{Ident, TokenStream};
use syn::{Attribute, Type};

use super::arm::{Arm, Handler, NOT_LENT};
use super::attributes::OfAgents;
use super::command::Written;
use super::extension::Extension;
use super::hook::{self, Hook};
use super::life;
use super::method::PROMPT;
use super::named;
use super::names::{self, Named};
use super::parts::Place;
use super::restore::{self, Restore};
use super::role::ROLE;
use crate::diagnostics::Sink;
use crate::handlers::raw::{Block, Function};
use crate::handlers::signature::{self, Signature};
use crate::handlers::{block, conditions, draft};
use crate::text;

/// The handlers of one agent.
pub(super) struct Agent {
    pub(super) name: Type,
    /// The path of the runtime.
    pub(super) runtime: TokenStream,
    pub(super) handlers: Vec<Handler>,
    pub(super) hooks: Vec<Hook>,
    /// The types that the parameters name.
    pub(super) named: named::Named,
    /// Whether the agent has no `prompt` handler, as far as its one block tells.
    pub(super) lacks_prompt: bool,
    pub(super) soundness: Soundness,
    pub(super) place: Place,
}

/// The configurations in which the macro knows all handlers. Only in these can a handler be reported as missing.
pub(super) enum Soundness {
    Nowhere,
    /// All configurations in which none of these conditions holds.
    Except(Vec<Vec<Attribute>>),
}

impl Agent {
    /// Checks a block; `None` if no part of it can be used.
    pub(super) fn check(block: &Block<OfAgents>, place: &Place, sink: &Sink) -> Option<Self> {
        let before = sink.count();
        block::check_head(&block.head, &ROLE, sink)?;
        let mut handlers = Handlers { sink, valid: Vec::new(), hooks: Vec::new(), prompt: false };
        block::each_function(block, &ROLE, sink, |function, own| handlers.item(function, own));
        let Handlers { sink: _, valid: handlers, mut hooks, prompt } = handlers;
        hook::check_once(&mut hooks, sink);
        let name = (*block.head.self_ty).clone();
        let whole = block.rest.is_empty();
        // Of several blocks, the compiler knows the handlers.
        let lacks_prompt = !prompt && whole && matches!(place, Place::Only);
        let Once { kept: mut handlers, twice, doubled } = Once::check(handlers, sink);
        let mut broken = sink.conditions_since(before);
        broken.extend(doubled);
        let sound = whole && !lacks_prompt && twice.is_empty() && broken.iter().all(|cfgs| !cfgs.is_empty());
        let soundness = if sound { Soundness::Except(broken) } else { Soundness::Nowhere };
        let runtime = crate::agent::runtime(block.krate.as_ref());
        let named = named::Named::take(&name, &mut handlers, &mut hooks);
        Some(Self { name, runtime, handlers, hooks, named, lacks_prompt, soundness, place: place.clone() })
    }
}

struct Handlers<'a> {
    sink: &'a Sink,
    valid: Vec<Handler>,
    hooks: Vec<Hook>,
    /// Whether there is a `prompt` handler. It may have mistakes or a misspelt name.
    prompt: bool,
}

impl Handlers<'_> {
    fn item(&mut self, function: &Function, own: Option<&OfAgents>) {
        // With an attribute that makes it something else, the function was probably meant as the handler.
        self.prompt |= text::plain(&function.signature.ident) == PROMPT;
        let other = match own {
            Some(OfAgents::Hook(_)) => Some("#[on_change(..)]"),
            Some(OfAgents::Command(_) | OfAgents::Both(_)) => Some("#[command]"),
            None => function.ext.as_ref().map(|_| "#[ext(..)]"),
        };
        if !draft::stands_alone(function.draft.as_ref(), other, self.sink) {
            return;
        }
        let command = match own {
            Some(OfAgents::Both(command)) => return command.refuse_hook(self.sink),
            Some(OfAgents::Hook(on_change)) => return self.hooks.extend(hook::check(on_change, function, self.sink)),
            Some(OfAgents::Command(command)) => Some(command),
            None => None,
        };
        let handler = self.function(function, command);
        self.valid.extend(handler);
    }

    fn function(&mut self, function: &Function, command: Option<&Written>) -> Option<Handler> {
        let arm = match (command, &function.ext) {
            (Some(command), _) => boxed(command.check(function, self.sink)),
            (None, Some(ext)) => boxed(Extension::check(ext, function, self.sink)),
            (None, None) => match &function.draft {
                Some(word) => self.drafted(word, &function.signature),
                None => self.named(&function.signature),
            },
        };
        // If the function is not a handler, its signature is not checked.
        let known = arm.is_some() || function.ext.is_some() || command.is_some();
        let before = self.sink.count();
        if arm.as_ref().is_some_and(|arm| arm.is_notification()) {
            signature::check_silence(function, self.sink);
        }
        let silent = self.sink.count() == before;
        let unread = Some(&NOT_LENT).filter(|_| command.is_none());
        let not_lent = arm.as_ref().map_or(unread, |arm| arm.not_lent());
        let signature = if known { signature::check(function, not_lent, &ROLE, self.sink) } else { None };
        let Signature { name, cfgs, parameters, output } = signature.filter(|_| silent)?;
        Some(Handler { name, cfgs, arm: arm?, parameters, output, returned: None })
    }

    /// The arm of a function with `#[draft]`, whose word this is.
    fn drafted(&mut self, word: &Ident, signature: &syn::Signature) -> Option<Box<dyn Arm>> {
        if !cfg!(feature = "unstable-agent") {
            draft::needs_feature(word, "acp-agent-runtime", self.sink);
            return None;
        }
        #[cfg(feature = "unstable")]
        match super::draft::Draft::check(word, signature, self.sink) {
            super::draft::Meant::Draft(draft) => return boxed(Some(draft)),
            super::draft::Meant::Nothing => return None,
            super::draft::Meant::Named => {}
        }
        self.named(signature)
    }

    /// The arm of a function by its name.
    fn named(&mut self, signature: &syn::Signature) -> Option<Box<dyn Arm>> {
        if let Some(event) = life::event(&signature.ident) {
            return boxed(Some(event));
        }
        if restore::is_meant(&signature.ident) {
            return boxed(Some(Restore));
        }
        let named = names::check(signature, self.sink);
        if let Named::Handler(method) | Named::Meant(method) = named {
            self.prompt |= method.handler == PROMPT;
        }
        match named {
            // A draft that is stable, and for which the runtime has no code of its own yet.
            #[cfg(feature = "unstable")]
            Named::Handler(method) if super::draft::Draft::of(method).is_some() => {
                boxed(super::draft::Draft::of(method))
            }
            Named::Handler(method) => boxed(Some(method)),
            Named::Meant(_) | Named::Unknown => None,
        }
    }
}

fn boxed(arm: Option<impl Arm + 'static>) -> Option<Box<dyn Arm>> {
    Some(Box::new(arm?))
}

/// Handlers, one for each method. If a method has two handlers, neither is kept.
#[derive(Default)]
struct Once {
    kept: Vec<Handler>,
    /// The methods that have two handlers in every configuration.
    twice: Vec<String>,
    /// The conditions under which a method has two handlers.
    doubled: Vec<Vec<Attribute>>,
}

impl Once {
    fn check(handlers: Vec<Handler>, sink: &Sink) -> Self {
        let mut once = Self::default();
        for handler in handlers {
            match once.kept.iter().position(|first| first.meets(&handler)) {
                Some(first) => once.second(first, handler, sink),
                None => once.kept.push(handler),
            }
        }
        let Self { kept, twice, doubled: _ } = &mut once;
        kept.retain(|handler| !twice.contains(&handler.arm.wire()));
        once
    }

    /// Reports a second handler, unless the compiler does. Two handlers of a protocol's method have the same function name,
    /// and so have two functions for one event, and two commands that are named by their functions.
    fn second(&mut self, first: usize, second: Handler, sink: &Sink) {
        let first = &mut self.kept[first];
        let both = [first.cfgs.as_slice(), &second.cfgs].concat();
        match second.arm.doubled(first.name == second.name) {
            Some((at, text)) => sink.under(&both, || {
                sink.error(at, text).note(format_args!("the function `{}` handles it already", first.name));
            }),
            None if both.is_empty() => self.twice.push(second.arm.wire()),
            None => self.doubled.push(both.clone()),
        }
        if !both.is_empty() {
            first.stay_without(second, &both);
        }
    }
}

impl Handler {
    /// Whether both handlers exist in one configuration. If both have conditions, the macro cannot know this: with
    /// complementary `#[cfg]`s, only one of them exists.
    fn meets(&self, other: &Self) -> bool {
        self.arm.wire() == other.arm.wire() && (self.cfgs.is_empty() || other.cfgs.is_empty())
    }

    /// Keeps the handler without conditions, for the configurations in which the other handler does not exist.
    fn stay_without(&mut self, other: Self, both: &[Attribute]) {
        if other.cfgs.is_empty() {
            *self = other;
        }
        self.cfgs.push(conditions::not(both));
    }
}
