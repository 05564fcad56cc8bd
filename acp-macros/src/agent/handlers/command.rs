//! `#[command]`: the function runs when the user types `/` and its name. It is a turn, as `prompt` is. See [Slash
//! commands](https://agentclientprotocol.com/protocol/v1/slash-commands).

use heck::ToKebabCase;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::{Attribute, Ident, LitStr, Meta, Path};

use super::arm::{Arm, Handler, List};
use super::claimed::{self, Other};
use crate::diagnostics::{Sink, place, respan};
use crate::handlers::conditions;
use crate::handlers::raw::Function;
use crate::handlers::signature::{NotLent, Parameter};
use crate::keys::{self, Flag, Given, Keys as _, Reading, keys};
use crate::text;

const ATTRIBUTE: &str = "command";

keys! {
    /// In `#[command(..)]`.
    pub(crate) struct CommandKeys in "command", read(entry);
    /// | `name = "web"` | string | the function's name in kebab case | what the user types behind `/` |
    name: Given<LitStr> = entry.assigned("\"web\""),
    /// | `hint = "what to look for"` | string | the command has no arguments | clients show it where the user types the arguments; the function takes [`Arguments`](crate::session::Arguments) |
    hint: Given<LitStr> = entry.assigned("\"what to look for\""),
    /// | `hidden` | | sessions offer the command | a session offers it after [`show_command`](crate::session::SessionHandle::show_command) |
    hidden: Flag = entry.flag(),
    /// | `during_turns` | | the command is a turn of its session | the command runs at once, also [beside a turn](../guide/turns/index.html#commands-beside-a-turn); it does not take `&mut Session` |
    during_turns: Flag = entry.flag(),
}

/// The text about a session as `&mut` in a command that runs beside a turn.
const NOT_LENT_DURING_TURNS: NotLent = [
    "a command with `during_turns` is not lent the session as `&mut`",
    "put what it needs into a type of its own, with `shared = Core` on the struct, and take `Shared<Core>`; or remove `during_turns`, and the command waits for a turn of its own",
    "it may run while a turn does, which has the session",
];

/// The attribute, as the author wrote it.
pub(super) struct Written {
    /// The word `command`.
    at: Path,
    keys: CommandKeys,
    /// Whether it could be read.
    whole: bool,
}

/// A command in which the macro finds no mistakes.
pub(super) struct Command {
    name: String,
    /// The place of the name.
    at: TokenStream,
    description: TokenStream,
    hint: Option<LitStr>,
    hidden: bool,
    during_turns: bool,
}

/// Removes our attribute from the list, and reads it.
pub(super) fn take(attributes: &mut Vec<Attribute>, reading: Reading<'_>) -> Option<Written> {
    let sink = reading.sink;
    let mut found = None;
    attributes.retain(|attribute| {
        if let Some(command) = conditions::inside_condition(&attribute.meta, |meta| meta.path().is_ident(ATTRIBUTE)) {
            sink.error(&command, "`#[command]` cannot depend on a condition: without it, the function is no command")
                .help("write `#[cfg(..)]` and `#[command]` as two attributes of the function");
            found = Some(Written { at: command.path().clone(), keys: CommandKeys::default(), whole: false });
            return false;
        }
        if !attribute.path().is_ident(ATTRIBUTE) {
            return true;
        }
        if found.is_some() {
            sink.error(attribute, "a function is one command").help("let the function of another command call it");
        } else {
            found = Some(read(attribute, reading));
        }
        false
    });
    found
}

fn read(attribute: &Attribute, reading: Reading<'_>) -> Written {
    let sink = reading.sink;
    let before = sink.count();
    let mut keys = CommandKeys::default();
    match &attribute.meta {
        Meta::Path(_) => {}
        Meta::List(list) => match syn::parse2::<LitStr>(list.tokens.clone()) {
            Ok(name) => by_key(&name, sink),
            Err(_) => {
                let tokens = list.tokens.clone();
                keys::read_arguments(tokens, &CommandKeys::KNOWN, reading, |entry| keys.read(entry));
            }
        },
        Meta::NameValue(pair) => by_key(&pair.value, sink),
    }
    Written { at: attribute.path().clone(), keys, whole: sink.count() == before }
}

fn by_key(name: &impl ToTokens, sink: &Sink) {
    sink.error(name, "`#[command]` takes the name by its key")
        .help(format_args!("write `#[command(name = {})]`", name.to_token_stream()));
}

impl Written {
    /// The command, if the attribute and the function are right for one.
    pub(super) fn check(&self, function: &Function, sink: &Sink) -> Option<Command> {
        let Self { at: _, keys: CommandKeys { name, hint, hidden, during_turns, given: _ }, whole } = self;
        let before = sink.count();
        let ident = &function.signature.ident;
        if function.ext.is_some() {
            sink.error(ident, "a function is either a command or the handler of a method")
                .help("give each a function of its own");
        }
        check_ident(ident, name.is_some(), sink);
        let written = name.as_ref().and_then(|name| name.value.as_ref());
        let name = match written {
            Some(written) => check_name(written, sink),
            None => kebab(ident, sink),
        };
        let description = check_doc(&function.attributes, ident, sink);
        let hint = hint.as_ref().and_then(|hint| hint.value.clone());
        if let Some(hint) = hint.as_ref().filter(|hint| text::is_blank(hint)) {
            sink.error(hint, "a hint is not empty: clients show it where the user types the arguments")
                .help("write what the arguments are, or remove `hint`");
        }
        let right = *whole && sink.count() == before;
        let at = written.map_or_else(|| ident.to_token_stream(), ToTokens::to_token_stream);
        let (hidden, during_turns) = (hidden.is_some(), during_turns.is_some());
        right.then_some(Command { name: name?, at, description: description?, hint, hidden, during_turns })
    }

    /// Reports a function that is a hook, too.
    pub(super) fn refuse_hook(&self, sink: &Sink) {
        sink.error(&self.at, "a function is either a command or a hook").help("give each a function of its own");
    }
}

/// A function with the name of a handler would leave its method without one.
fn check_ident(name: &Ident, is_named: bool, sink: &Sink) {
    let help = if is_named {
        "give the function another name".to_owned()
    } else {
        let kebab = text::plain(name).to_kebab_case();
        format!("give the function another name, and write `#[command(name = {kebab:?})]`")
    };
    claimed::is_free(name, Other { meaning: "a command", attribute: "#[command]", help: Some(help) }, sink);
}

fn kebab(ident: &Ident, sink: &Sink) -> Option<String> {
    let name = text::plain(ident).to_kebab_case();
    if name.is_empty() {
        sink.error(ident, "a command needs a name").help("write `#[command(name = \"..\")]`");
        return None;
    }
    Some(name)
}

/// The name, if users can type it and a prompt can be told from it.
fn check_name(written: &LitStr, sink: &Sink) -> Option<String> {
    let name = written.value();
    let is_apart = |char: char| char.is_whitespace() || char.is_control() || char == '/';
    let words: Vec<_> = name.split(is_apart).filter(|word| !word.is_empty()).map(str::to_owned).collect();
    let meant = words.join("-").to_lowercase();
    let wrong = if meant.is_empty() {
        sink.error(written, "a command needs a name").help("write what the user types, as in `name = \"web\"`");
        return None;
    } else if name.starts_with('/') {
        "the name of a command stands without its `/`"
    } else if name.contains('/') {
        "the name of a command has no slash: a prompt such as `/usr/bin` is none"
    } else if name.contains(is_apart) {
        "the name of a command has no blanks: its arguments begin there"
    } else if name != name.to_lowercase() {
        "the name of a command is in lower case: it is compared as it stands"
    } else {
        return Some(name);
    };
    sink.error(written, wrong).help(format_args!("write `name = {meant:?}`"));
    None
}

/// The description; the runtime takes its first line.
fn check_doc(attributes: &[Attribute], ident: &Ident, sink: &Sink) -> Option<TokenStream> {
    let is_conditional = attributes.iter().any(|attribute| conditions::conditional(&attribute.meta).is_some());
    if text::description(attributes).is_none() && !is_conditional {
        sink.error(ident, "a command needs a doc comment: clients show it beside the name")
            .help("write `/// ..` above the function, and what the command does");
        return None;
    }
    Some(conditions::description(attributes))
}

impl Arm for Command {
    /// The name by which the agent finds the function. No method has a `*`, and no command a `/`.
    fn wire(&self) -> String {
        format!("*/{}", self.name)
    }

    fn marker(&self) -> TokenStream {
        if self.during_turns { quote!(command_during_turns) } else { quote!(command) }
    }

    /// The text that the user types.
    fn called(&self) -> TokenStream {
        format!("/{}", self.name).into_token_stream()
    }

    fn part(&self) -> Option<&'static str> {
        Some("Commands")
    }

    fn not_lent(&self) -> Option<&'static NotLent> {
        self.during_turns.then_some(&NOT_LENT_DURING_TURNS)
    }

    fn doubled(&self, named_alike: bool) -> Option<(TokenStream, String)> {
        (!named_alike).then(|| (self.at.clone(), format!("the command `/{}` has two functions", self.name)))
    }

    fn entry(&self) -> Option<(List, TokenStream)> {
        let Self { name: _, at, description, hint, hidden, during_turns } = self;
        let arm = self.wire();
        let hint = hint.as_ref().map_or_else(|| quote!(__acp::None), |hint| quote!(__acp::Some(#hint)));
        let during_turns = during_turns.then(|| quote!(.during_turns()));
        let new = quote!(__acp::DeclaredCommand::new(#arm, #description, #hint, #hidden) #during_turns);
        Some((List::Commands, respan(new, place(at))))
    }

    /// A hint and the parameter `Arguments` belong together. Only the compiler knows whether a type is `Arguments`.
    fn checks(&self, handler: &Handler) -> Vec<TokenStream> {
        let slots = handler.slots();
        match &self.hint {
            Some(hint) => {
                let each = slots.map(|(Parameter { cfgs, .. }, slot)| quote!(#(#cfgs)* #slot));
                vec![quote_spanned!(place(hint)=> __acp::takes_arguments(&[#(#each),*]);)]
            }
            None => slots
                .map(|(Parameter { cfgs, ty }, slot)| {
                    let takes = quote_spanned!(place(ty)=> __acp::takes_no_arguments(#slot););
                    quote!(#(#cfgs)* #takes)
                })
                .collect(),
        }
    }
}
