//! Handlers in which the macro finds no mistakes. The compiler checks their types through the runtime's traits. A wrong
//! handler is left out, so that the same build still checks the others.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Attribute, Ident, Type};

use super::attributes::Own;
use super::command::{Command, Written};
use super::hook::{self, Hook};
use super::life::{self, Event};
use super::named;
use super::names::{self, Named};
use super::parts::Place;
use super::role::{NOT_LENT_TO_THE_END, ROLE};
use super::{params, restore, taken};
use crate::diagnostics::Sink;
use crate::handlers::block;
use crate::handlers::conditions;
use crate::handlers::extensions::{self, Ext, Extended};
use crate::handlers::raw::{Block, Function};
use crate::handlers::signature::{self, Output, Parameter, Signature};
use crate::methods::{Kind, Method};
use crate::text;

const PROMPT: &str = "prompt";

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

pub(super) struct Handler {
    pub(super) name: Ident,
    pub(super) cfgs: Vec<Attribute>,
    pub(super) serves: Serves,
    pub(super) parameters: Vec<Parameter>,
    pub(super) output: Output,
    /// The return type, if it names a type of the parameters.
    pub(super) returned: Option<Type>,
}

/// The messages that a handler serves.
pub(super) enum Serves {
    Method(&'static Method),
    Extension {
        method: Extended,
        description: TokenStream,
    },
    Command(Command),
    Life(Event),
    /// A stored session is opened again.
    Restore,
}

impl Serves {
    fn is_notification(&self) -> bool {
        match self {
            Self::Method(method) => matches!(method.kind, Kind::Notification),
            Self::Extension { method, .. } => method.kind() == Some(extensions::Kind::Notification),
            Self::Command(_) | Self::Life(_) | Self::Restore => false,
        }
    }
}

impl Agent {
    /// Checks a block; `None` if no part of it can be used.
    pub(super) fn check(block: &Block<Own>, place: &Place, sink: &Sink) -> Option<Self> {
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
    fn item(&mut self, function: &Function, own: Option<&Own>) {
        // With an attribute that makes it something else, the function was probably meant as the handler.
        self.prompt |= text::plain(&function.signature.ident) == PROMPT;
        match own {
            Some(Own::Both(command)) => command.refuse_hook(self.sink),
            Some(Own::Hook(on_change)) => self.hooks.extend(hook::check(on_change, function, self.sink)),
            Some(Own::Command(command)) => {
                let handler = self.function(function, Some(command));
                self.valid.extend(handler);
            }
            None => {
                let handler = self.function(function, None);
                self.valid.extend(handler);
            }
        }
    }

    fn function(&mut self, function: &Function, command: Option<&Written>) -> Option<Handler> {
        let serves = match (command, &function.ext) {
            (Some(command), _) => command.check(function, self.sink).map(Serves::Command),
            (None, Some(ext)) => extension(ext, function, self.sink),
            (None, None) => self.method(function),
        };
        let is_prompt = matches!(&serves, Some(Serves::Method(method)) if method.handler == PROMPT);
        // If the function is not a handler, its signature is not checked.
        let known = serves.is_some() || function.ext.is_some() || command.is_some();
        let before = self.sink.count();
        if serves.as_ref().is_some_and(Serves::is_notification) {
            signature::check_silence(function, self.sink);
        }
        let silent = self.sink.count() == before;
        let not_lent = match serves {
            _ if is_prompt || command.is_some() => None,
            Some(Serves::Life(Event::Ended)) => Some(&NOT_LENT_TO_THE_END),
            _ => Some(&ROLE.not_lent),
        };
        let signature = if known { signature::check(function, not_lent, &ROLE, self.sink) } else { None };
        let Signature { cfgs, parameters } = signature.filter(|_| silent)?;
        let name = function.signature.ident.clone();
        Some(Handler { name, cfgs, serves: serves?, parameters, output: signature::output(function), returned: None })
    }

    fn method(&mut self, function: &Function) -> Option<Serves> {
        if let Some(event) = life::event(&function.signature.ident) {
            return Some(Serves::Life(event));
        }
        if restore::is_meant(&function.signature.ident) {
            return Some(Serves::Restore);
        }
        let named = names::check(&function.signature, self.sink);
        if let Named::Handler(method) | Named::Meant(method) = named {
            self.prompt |= method.handler == PROMPT;
        }
        match named {
            Named::Handler(method) => Some(Serves::Method(method)),
            Named::Meant(_) | Named::Unknown => None,
        }
    }
}

fn extension(ext: &Ext, function: &Function, sink: &Sink) -> Option<Serves> {
    let method = ext.method.as_ref().filter(|method| method.check(&ROLE, sink))?.clone();
    if !taken::is_free_of_method(&function.signature.ident, &method, sink) || !params::check(&method, function, sink) {
        return None;
    }
    let description = conditions::description(&function.attributes);
    Some(Serves::Extension { method, description })
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
        kept.retain(|handler| !twice.contains(&handler.wire()));
        once
    }

    /// Reports a second handler of an extension or a command. Two handlers of a protocol's method have the same function
    /// name, so the compiler reports these, two functions for one event, and two commands that are named by their functions.
    fn second(&mut self, first: usize, second: Handler, sink: &Sink) {
        let first = &mut self.kept[first];
        let both = [first.cfgs.as_slice(), &second.cfgs].concat();
        match &second.serves {
            Serves::Extension { method, .. } => two_handlers(method, &method.doubled(), &first.name, &both, sink),
            Serves::Command(Command { name, at, .. }) if first.name != second.name => {
                two_handlers(at, &format!("the command `/{name}` has two functions"), &first.name, &both, sink);
            }
            _ if both.is_empty() => self.twice.push(second.wire()),
            _ => self.doubled.push(both.clone()),
        }
        if !both.is_empty() {
            first.stay_without(second, &both);
        }
    }
}

fn two_handlers(at: &impl ToTokens, doubled: &str, first: &Ident, both: &[Attribute], sink: &Sink) {
    sink.under(both, || {
        sink.error(at.to_token_stream(), doubled).note(format_args!("the function `{first}` handles it already"));
    });
}

impl Handler {
    /// Whether both handlers exist in one configuration. If both have conditions, the macro cannot know this: with
    /// complementary `#[cfg]`s, only one of them exists.
    fn meets(&self, other: &Self) -> bool {
        self.wire() == other.wire() && (self.cfgs.is_empty() || other.cfgs.is_empty())
    }

    /// Keeps the handler without conditions, for the configurations in which the other handler does not exist.
    fn stay_without(&mut self, other: Self, both: &[Attribute]) {
        if other.cfgs.is_empty() {
            *self = other;
        }
        self.cfgs.push(conditions::not(both));
    }

    /// The method's name in messages.
    pub(super) fn wire(&self) -> String {
        match &self.serves {
            Serves::Method(method) => method.wire.to_owned(),
            Serves::Extension { method, .. } => method.wire(),
            Serves::Command(command) => command.arm(),
            Serves::Life(event) => event.function().to_owned(),
            Serves::Restore => restore::ARM.to_owned(),
        }
    }
}
