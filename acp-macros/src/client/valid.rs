//! Handlers in which the macro finds no mistakes. The compiler checks their types through the traits of `acp-client`. A
//! wrong handler is left out, so that the same build still checks the others.

use proc_macro2::TokenStream;
use syn::{Attribute, Ident, Type};

use super::foreign::Foreign;
use super::keys::Given;
use super::names::{self, NOT_LENT, Named, ROLE};
use crate::diagnostics::{Sink, listed};
use crate::handlers::extensions::{self, Extended};
use crate::handlers::raw::{Block, Function};
use crate::handlers::signature::{self, Output, Parameter, Signature};
use crate::handlers::{block, draft};
use crate::methods::{Kind, Method};
use crate::updates::Update;

const TERMINAL: [&str; 5] =
    ["create_terminal", "terminal_output", "wait_for_terminal_exit", "kill_terminal", "release_terminal"];
const CREATE_ELICITATION: &str = "create_elicitation";
const COMPLETE_ELICITATION: &str = "complete_elicitation";

/// The handlers of one client.
pub(super) struct Client {
    pub(super) name: Type,
    /// The path of the crate `acp-client`.
    pub(super) runtime: TokenStream,
    pub(super) keys: Given,
    pub(super) handlers: Vec<Handler>,
    /// Whether the macro knows all handlers, so that it can report a missing one.
    pub(super) sound: bool,
}

pub(super) struct Handler {
    pub(super) name: Ident,
    pub(super) cfgs: Vec<Attribute>,
    pub(super) serves: Serves,
    pub(super) parameters: Vec<Parameter>,
    pub(super) output: Output,
}

/// The messages that a handler handles.
pub(super) enum Serves {
    Method(&'static Method),
    /// A kind of update.
    Update(&'static Update),
    /// All updates that have no function of their own.
    Updates,
    Extension(Extended),
    /// A method that is a draft.
    #[cfg_attr(not(feature = "unstable"), expect(dead_code, reason = "without the feature, no draft is handled"))]
    Draft(&'static Method),
}

impl Client {
    /// Checks a block; `None` if no part of it can be used.
    pub(super) fn check(block: &Block<Foreign>, keys: Given, sink: &Sink) -> Option<Self> {
        let before = sink.count();
        block::check_head(&block.head, &ROLE, sink)?;
        let mut functions = Functions { sink, valid: Vec::new(), names: Vec::new() };
        block::each_function(block, &ROLE, sink, |function, foreign| match foreign {
            Some(foreign) => foreign.refuse(function, sink),
            None => {
                let handler = functions.function(function);
                functions.valid.extend(handler);
            }
        });
        let Functions { sink: _, valid: handlers, names } = functions;
        let whole = block.rest.is_empty();
        if whole {
            // The others may be handlers of the base.
            if keys.base.is_none() {
                check_terminals(&names, sink);
            }
            // The base may say it, and it may have the handler.
            if keys.whole && keys.base.is_none() {
                check_elicitation(&names, &keys, sink);
            }
        }
        let handlers = once(handlers, sink);
        let sound = whole && sink.count() == before;
        let name = (*block.head.self_ty).clone();
        Some(Self { name, runtime: super::runtime(block.krate.as_ref()), keys, handlers, sound })
    }
}

/// A handler that exists, or that the author meant to write.
struct Present {
    handler: &'static str,
    at: Ident,
    cfgs: Vec<Attribute>,
}

/// Checks that all handlers of terminals exist. One capability stands for all of them: if an agent may create a
/// terminal, it also calls the others.
fn check_terminals(names: &[Present], sink: &Sink) {
    let Some(there) = names.iter().find(|present| TERMINAL.contains(&present.handler)) else { return };
    let is_missing = |name: &&&str| !names.iter().any(|present| present.handler == **name);
    let missing: Vec<_> = TERMINAL.iter().filter(is_missing).collect();
    if missing.is_empty() {
        return;
    }
    let is = if missing.len() == 1 { "is" } else { "are" };
    sink.under(&there.cfgs, || {
        sink.error(
            &there.at,
            format_args!("a client handles all five methods of terminals or none; {} {is} missing", listed(&missing)),
        )
        .help("add the missing handlers, or leave out all of them")
        .note("one capability stands for all: an agent that may create a terminal calls the others, too");
    });
}

/// Checks that there is a key for elicitations. Only the key tells in which ways the client can ask its user.
fn check_elicitation(names: &[Present], keys: &Given, sink: &Sink) {
    let find = |handler: &str| names.iter().find(|present| present.handler == handler);
    let Given { form, url, .. } = keys;
    match (find(CREATE_ELICITATION), form.as_ref().or(url.as_ref())) {
        (Some(Present { at, cfgs, .. }), None) => sink.under(cfgs, || {
            sink.error(
                at,
                "no agent calls `create_elicitation`: nothing says in which ways the client can ask its user",
            )
            .help("write `#[acp_client(elicitation(form))]`, or `elicitation(form, url)` if it can open pages, too");
        }),
        (None, Some(word)) => {
            sink.error(word, "`elicitation` is stated, but there is no handler `create_elicitation` to carry it out")
                .help("add `async fn create_elicitation(&self, request: CreateElicitationRequest) -> Result<ElicitationAction>`");
        }
        _ => {}
    }
    if let (Some(Present { at, cfgs, .. }), None) = (find(COMPLETE_ELICITATION), url) {
        sink.under(cfgs, || {
            sink.error(at, "no agent calls `complete_elicitation`: it is about pages, which this client does not open")
                .help("write `#[acp_client(elicitation(url))]`, or leave the handler out");
        });
    }
}

struct Functions<'a> {
    sink: &'a Sink,
    valid: Vec<Handler>,
    names: Vec<Present>,
}

impl Functions<'_> {
    fn function(&mut self, function: &Function) -> Option<Handler> {
        let other = function.ext.as_ref().map(|_| "#[ext(..)]");
        if !draft::stands_alone(function.draft.as_ref(), other, self.sink) {
            return None;
        }
        let serves = match &function.ext {
            Some(ext) => {
                let method = ext.method.as_ref().filter(|method| method.check(&ROLE, self.sink));
                method.cloned().map(Serves::Extension)
            }
            None => match &function.draft {
                Some(word) => self.drafted(word, function),
                None => self.named(function),
            },
        };
        // If the function is not a handler, its signature is not checked.
        let known = serves.is_some() || function.ext.is_some();
        let before = self.sink.count();
        if serves.as_ref().is_some_and(Serves::is_silent) {
            signature::check_silence(function, self.sink);
        }
        let silent = self.sink.count() == before;
        let signature = known.then(|| signature::check(function, Some(&NOT_LENT), &ROLE, self.sink)).flatten();
        let Signature { name, cfgs, parameters, output } = signature.filter(|_| silent)?;
        Some(Handler { name, cfgs, serves: serves?, parameters, output })
    }

    fn drafted(&mut self, word: &Ident, function: &Function) -> Option<Serves> {
        if !cfg!(feature = "unstable-client") {
            draft::needs_feature(word, "acp-client", self.sink);
            return None;
        }
        #[cfg(feature = "unstable")]
        return names::check_draft(word, &function.signature.ident, self.sink).map(Serves::Draft);
        #[cfg(not(feature = "unstable"))]
        self.named(function)
    }

    fn named(&mut self, function: &Function) -> Option<Serves> {
        let (handler, serves) = match names::check(&function.signature, self.sink) {
            Named::Method(method) if method.handler == "session_update" => (method.handler, Some(Serves::Updates)),
            Named::Method(method) => (method.handler, Some(Serves::Method(method))),
            Named::Update(update) => (update.kind, Some(Serves::Update(update))),
            Named::Meant(handler) => (handler, None),
            Named::Unknown => return None,
        };
        self.names.push(Present { handler, at: function.signature.ident.clone(), cfgs: function.cfgs() });
        serves
    }
}

impl Serves {
    /// Whether the handler's result is not sent to the agent.
    fn is_silent(&self) -> bool {
        match self {
            Self::Method(method) | Self::Draft(method) => method.kind == Kind::Notification,
            Self::Update(_) | Self::Updates => true,
            Self::Extension(method) => matches!(method, Extended::Named { kind: extensions::Kind::Notification, .. }),
        }
    }
}

/// Reports a second handler of an extension, and leaves it out. Two handlers of a protocol's method have the same
/// function name, so the compiler reports these. If both have conditions, only one may exist at a time.
fn once(handlers: Vec<Handler>, sink: &Sink) -> Vec<Handler> {
    let mut kept: Vec<Handler> = Vec::new();
    for handler in handlers {
        let meets =
            |first: &&Handler| first.wire() == handler.wire() && (first.cfgs.is_empty() || handler.cfgs.is_empty());
        match (kept.iter().find(meets), &handler.serves) {
            (Some(first), Serves::Extension(method)) => {
                let both = [first.cfgs.as_slice(), &handler.cfgs].concat();
                sink.under(&both, || {
                    sink.error(method, format_args!("`{}` has two handlers", handler.wire()))
                        .note(format_args!("the function `{}` handles it already", first.name));
                });
            }
            (Some(_), _) => {}
            (None, _) => kept.push(handler),
        }
    }
    kept
}

impl Handler {
    /// The name of the method or update in messages.
    fn wire(&self) -> String {
        match &self.serves {
            Serves::Method(method) | Serves::Draft(method) => method.wire.to_owned(),
            Serves::Update(update) => update.kind.to_owned(),
            Serves::Updates => "session/update".to_owned(),
            Serves::Extension(method) => method.wire(),
        }
    }
}
