//! The struct and the keys of its `#[acp_agent(..)]`, as the author wrote them: parsed, but not checked.

use proc_macro2::TokenStream;
use syn::{DeriveInput, Expr, ExprLit, Ident, Lit, LitInt, LitStr, Meta, MetaNameValue, Path, Type};

use super::auth;
use super::parts::{lenient, store};
use crate::handlers::draft;
use crate::keys::{
    self, Element, Elsewhere, Entry, Flag, Given, Keyed, Keys as _, Reading, Vocabulary, keys, vocabulary,
};

keys! {
    /// In `#[acp_agent(..)]`.
    pub(crate) struct Keys in "agent", read(entry);
    /// | `name = "coder"` | a constant `&str`: a literal, `env!(..)` | the type's name in kebab case | `agentInfo.name` of `initialize` |
    name: Given<Expr> = entry.taking(TEXT, "\"coder\""),
    /// | `title = "Coder"` | a constant `&str` | none | `agentInfo.title`, the name for people |
    title: Given<Expr> = entry.taking(TEXT, "\"Coder\""),
    /// | `version = "1.2.3"` | a constant `&str` | the version of the author's package | `agentInfo.version` |
    version: Given<Expr> = entry.taking(TEXT, "\"1.2.3\""),
    /// | `config = Config` | a type | the agent itself | the struct of options, with `#[derive(ConfigOptions)]` |
    config: Given<Type> = named(entry, "Config"),
    /// | `session = Session` | a type | `()` | the state that a session keeps between turns |
    session: Given<Type> = named(entry, "Session"),
    /// | `shared = Core` | a type | `()` | the part of a session that all its handlers have, also beside a turn: [`Shared<Core>`](Shared) as a parameter. Each gets a clone. The type is `Send` and `Sync`, unless the agent is `local` |
    shared: Given<Type> = named(entry, "Core"),
    /// | `store = store` | a field | sessions end with the process | the field holds the [store](crate::store) of the sessions, as an `Arc`. The runtime lists, loads, resumes and deletes sessions by it. See [sessions that last](#sessions-that-last) |
    store: Given<store::Holder> = entry.taking(store::FIELD, "store"),
    /// | `store_version = 2` | a number | `1` | the version of the state that the store keeps; raise it when the type of `session` changes |
    store_version: Given<LitInt> = entry.assigned("2"),
    /// | `kept_for = "30d"` | string | sessions are kept until they are deleted | how long the store keeps a session after its last change: hours (`"12h"`), days or weeks (`"8w"`). Older ones are deleted while the agent runs, without a call of a handler. A session that a process has open is left alone, also while it rests |
    kept_for: Given<store::Time> = entry.taking(store::TIME, "\"30d\""),
    /// | `kept_at_most = 200` | a number | as many as there are | how many sessions the store keeps of a [principal](crate::transport::Principal), or of all clients without one: those with the latest changes. Others are deleted as with `kept_for` |
    kept_at_most: Given<LitInt> = entry.assigned("200"),
    /// | `replayed_at_most = 500` | a number | the whole history | how many entries of a long history a load replays: the last ones, from a prompt on. An entry is a message, a thought, a tool call or a plan. The client is told that the begin is not shown; [`session.history()`](crate::session::SessionHandle::history) has all |
    replayed_at_most: Given<LitInt> = entry.assigned("500"),
    /// | `auth(agent(..), terminal(..))` | a list | none | `authMethods` of `initialize`: the [ways to authenticate](#ways-to-authenticate) |
    auth: Keyed<Vec<auth::Method>> = auth::read(entry),
    /// | `needs_auth` | | sessions are for every client | sessions are opened, listed, deleted, prompted and changed only for a client that has authenticated; other clients are answered `-32000`. See [who may open sessions](#who-may-open-sessions) |
    needs_auth: Flag = entry.flag(),
    /// | `on_demand` | | a session that is not open is refused | a prompt or a change of options that names a session first lets the runtime resume it, as `session/resume` does: by the store, or by the handler `resume_session`. See [sessions on demand](#sessions-on-demand) |
    on_demand: Flag = entry.flag(),
    /// | `capabilities(image, ..)` | a list of words | none | [what no handler can imply](#capabilities); prompts and sessions that need a capability which is not listed are refused |
    capabilities: Given<Vec<Ident>> = words(entry, &CAPABILITIES, "image"),
    /// | `lenient(content, ..)` | a list of words | all is refused | [what is not refused](#leniency), but dropped or mended |
    lenient: Given<Vec<Ident>> = words(entry, &lenient::LENIENT, "content"),
    /// | `turns = "queue"` | string | `"refuse"` | the answer to a prompt during a turn: it is refused (`"refuse"`; on version 2 it waits), waits for its turn (`"queue"`), or goes to the handler `steer` (`"steer"`). See [prompts during a turn](#prompts-during-a-turn) |
    turns: Given<LitStr> = entry.assigned("\"queue\""),
    /// | `clients = "many"` | string | `"last"` | the clients of a session whose host serves [several](Host): the one that has opened it last (`"last"`); the one that has opened it first, while others are refused (`"first"`); or all that load or resume it (`"many"`). See [several clients of one session](#several-clients-of-one-session) |
    clients: Given<LitStr> = entry.assigned("\"many\""),
    /// | `ext_listing = "_vendor/extensions"` | a constant `&str` | none | lists the methods of `#[ext]` and `#[method]`, without prefixes, under this key of the `_meta` that `initialize` answers, each with `name`, `kind` (`request` or `notification`) and its doc comment as `description` |
    ext_listing: Given<Expr> = entry.taking(TEXT, "\"_vendor/extensions\""),
    /// | `local` | | the handlers' futures must be `Send` | the handlers' futures need not be `Send`: they stay on the thread that awaits `serve_stdio()`. With `config = ..`, an agent without hooks need not be `Send` or `Sync`. Its sessions and its hooks' futures must be `Send` |
    local: Flag = entry.flag(),
    /// | `crate = path` | path | `::acp_runtime` | the path of this crate; write this key on the `impl`, too |
    krate as "crate": Given<Path> = entry.assigned("acp"),
}

// The words have the names of functions of the runtime's `AgentInfo`.
vocabulary! {
    /// In `capabilities(..)` in `#[acp_agent(..)]`.
    pub(crate) CAPABILITIES in "capabilities";
    /// | `image` | refused | prompts may hold images |
    image,
    /// | `audio` | refused | prompts may hold audio |
    audio,
    /// | `embedded_context` | refused | prompts may hold resources with their content |
    embedded_context,
    /// | `mcp_http` | refused | sessions may name MCP servers that are reached by HTTP |
    mcp_http,
    /// | `mcp_sse` | refused | sessions may name MCP servers that are reached by server-sent events |
    mcp_sse,
    /// | `additional_directories` | refused | sessions may name directories beside their `cwd` |
    additional_directories,
}

/// The words that stand on a block.
const ON_A_BLOCK: Elsewhere = Elsewhere {
    words: &["part", "parts"],
    belongs: "belongs on an `impl` of the agent, not on its struct",
    cure: "move it to the `#[acp_agent(..)]` of the `impl`",
};

const TEXT: &str = "a text in quotes, or a constant";

pub(super) struct Declaration {
    pub(super) item: DeriveInput,
    pub(super) keys: Keys,
    /// Whether a key of a block is here. The main block then names no part.
    pub(super) has_keys_of_blocks: bool,
}

impl Declaration {
    pub(super) fn read(arguments: TokenStream, item: DeriveInput, reading: Reading<'_>) -> Self {
        let mut keys = Keys::default();
        let has_keys_of_blocks =
            keys::read_arguments_beside(arguments, &Keys::KNOWN, &ON_A_BLOCK, reading, |entry| keys.read(entry));
        Self { item, keys, has_keys_of_blocks }
    }
}

/// Reads a type. If there is none, the type is the error about it: handlers that name the type are right.
fn named(entry: Entry<'_>, example: &str) -> Given<Type> {
    let report = entry.sink.count();
    let Given { key, value } = entry.assigned(example);
    Keyed { key, value: value.or_else(|| entry.sink.as_type(report)) }
}

/// Reads a list such as `(image, audio)`.
fn words(entry: Entry<'_>, known: &Vocabulary, example: &str) -> Given<Vec<Ident>> {
    let list = entry.hints.list(known.module);
    let words = entry.list("words in parentheses, without values", example, word);
    words.value.iter().flatten().filter(|word| !draft::is_word(word)).for_each(|word| list.add(word));
    words
}

/// Reads one word. A word in quotes or with `= true` is a small mistake, and its meaning is clear.
fn word(tokens: &TokenStream) -> Element<Ident> {
    if let Ok(word) = syn::parse2(tokens.clone()) {
        return Element::Right(word);
    }
    let quoted = syn::parse2::<LitStr>(tokens.clone()).and_then(|word| word.parse());
    let stated = || match syn::parse2(tokens.clone()).ok()? {
        Meta::NameValue(MetaNameValue { path, value: Expr::Lit(ExprLit { lit: Lit::Bool(on), .. }), .. })
            if on.value =>
        {
            path.get_ident().cloned()
        }
        _ => None,
    };
    quoted.ok().or_else(stated).map_or(Element::Wrong, Element::Meant)
}
