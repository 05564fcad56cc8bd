//! The tables of the pages `parameters` and `parameters_of_methods`, compared with the implementations of the traits for parameters.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    marker::PhantomData,
    path::Path,
};

use acp_runtime::{
    agent::MethodName,
    agent::RequestMeta,
    agent::Roots,
    agent::{Authenticated, ConnectionContext, FromCall, Handled, handlers},
    config::Changes,
    prelude::*,
    session::Ended,
    session::History,
    session::OpenedBy,
    session::TurnHandle,
    store::Kept,
};
use serde::de::DeserializeOwned;

use super::{blocks, read};

/// The two pages as one.
fn page() -> String {
    ["parameters", "parameters_of_methods"].map(|page| read(&format!("acp-runtime/src/guide/{page}.md"))).concat()
}

/// The words of the pages for methods that are no handlers by name.
const OWN: &str = "own methods";
const PREFIXES: &str = "prefixes";
const HOOKS: &str = "hooks";

#[derive(Default, serde::Deserialize)]
struct Session;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = false)]
    brave: bool,
}

#[derive(Clone, Default)]
struct Core;

#[acp_agent(config = Config, session = Session, shared = Core)]
struct Agent;

#[acp_agent]
impl Agent {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

/// Whether a handler of the method `M` takes a `T`. The compiler takes the constant of the type if its bounds are true, and
/// otherwise that of the trait.
struct Takes<M, T>(PhantomData<(M, T)>);

trait Refuses {
    const IS_TAKEN: bool = false;
}

impl<M, T> Refuses for Takes<M, T> {}

impl<M: Handled<Agent>, T: FromCall<'static, M, Agent>> Takes<M, T> {
    const IS_TAKEN: bool = true;
}

/// Whether a type can be the params of a method of the author's own.
struct Reads<T>(PhantomData<T>);

trait ReadsNot {
    const IS_READ: bool = false;
}

impl<T> ReadsNot for Reads<T> {}

impl<T: DeserializeOwned> Reads<T> {
    const IS_READ: bool = true;
}

/// The params of a method of the author's own.
#[derive(serde::Deserialize)]
struct Own {}

macro_rules! takers {
    ($type:ty; $($method:ident => $word:expr,)*) => {
        [$(($word, <Takes<handlers::$method, $type>>::IS_TAKEN)),*]
    };
}

/// The parameter as the page calls it, and the words for the handlers that take its type.
macro_rules! parameter {
    ($name:literal: $type:ty) => {{
        let takers = takers!($type;
            initialize => "`initialize`",
            authenticate => "`authenticate`",
            logout => "`logout`",
            new_session => "`new_session`",
            load_session => "`load_session`",
            resume_session => "`resume_session`",
            restore_session => "`restore_session`",
            list_sessions => "`list_sessions`",
            close_session => "`close_session`",
            delete_session => "`delete_session`",
            cancel => "`cancel`",
            session_opened => "`session_opened`",
            session_ended => "`session_ended`",
            prompt => "`prompt`",
            command => "commands",
            steer => "`steer`",
            Ext => OWN,
            ExtNotification => OWN,
            AnyRequest => PREFIXES,
            AnyNotification => PREFIXES,
        );
        ($name, words(&takers, <Reads<$type>>::IS_READ && $name != "your own type"))
    }};
}

/// The words of a row. Methods of the author's own take any type that can be read, so such a type is none of their parameters.
fn words(takers: &[(&'static str, bool)], is_read: bool) -> BTreeSet<&'static str> {
    let (mut taken, mut refused) = (BTreeSet::new(), BTreeSet::new());
    for (word, is_taken) in takers {
        if *is_taken {
            taken.insert(*word)
        } else {
            refused.insert(*word)
        };
    }
    assert!(taken.is_disjoint(&refused), "requests and notifications differ: {taken:?}");
    if refused.is_empty() {
        return BTreeSet::from(["any handler"]);
    }
    taken.retain(|word| !is_read || ![OWN, PREFIXES].contains(word));
    taken
}

fn parameters() -> BTreeMap<&'static str, BTreeSet<&'static str>> {
    let mut parameters = BTreeMap::from([
        parameter!("Client": Client),
        parameter!("RequestMeta": RequestMeta),
        parameter!("ConnectionContext": ConnectionContext),
        parameter!("Authenticated": Authenticated),
        parameter!("&SessionId": &'static SessionId),
        parameter!("SessionHandle<Config>": SessionHandle<Config>),
        parameter!("Option<SessionHandle<Config>>": Option<SessionHandle<Config>>),
        parameter!("Shared<T>": Shared<Core>),
        parameter!("Option<Shared<T>>": Option<Shared<Core>>),
        parameter!("&mut Session": &'static mut Session),
        parameter!("Turn<Config>": Turn<Config>),
        parameter!("Arguments": Arguments),
        parameter!("TurnHandle<Config>": TurnHandle<Config>),
        parameter!("Replay": Replay),
        parameter!("OpenedBy": OpenedBy),
        parameter!("Ended": Ended),
        parameter!("ClosedSession<Session>": ClosedSession<Session>),
        parameter!("Option<ClosedSession<Session>>": Option<ClosedSession<Session>>),
        parameter!("Restored<Session>": Restored<Session>),
        parameter!("Kept": Kept),
        parameter!("Roots": Roots),
        parameter!("History": History),
        parameter!("InitializeRequest": InitializeRequest),
        parameter!("AuthenticateRequest": AuthenticateRequest),
        parameter!("LogoutRequest": LogoutRequest),
        parameter!("NewSessionRequest": NewSessionRequest),
        parameter!("LoadSessionRequest": LoadSessionRequest),
        parameter!("ResumeSessionRequest": ResumeSessionRequest),
        parameter!("ListSessionsRequest": ListSessionsRequest),
        parameter!("CloseSessionRequest": CloseSessionRequest),
        parameter!("DeleteSessionRequest": DeleteSessionRequest),
        parameter!("CancelNotification": CancelNotification),
        parameter!("PromptRequest": PromptRequest),
        parameter!("your own type": Own),
        parameter!("MethodName": MethodName),
        parameter!("Change<T>": Change<bool>),
        parameter!("Changes<Config>": Changes<Config>),
        parameter!("&mut Config": &'static mut Config),
    ]);
    for of_hooks in implementations("FromChange<") {
        parameters.get_mut(&*of_hooks).unwrap_or_else(|| panic!("`{of_hooks}` is not listed here")).insert(HOOKS);
    }
    parameters
}

/// The types for which the core implements a trait for parameters, as the page calls them.
fn implementations(of: &str) -> BTreeSet<String> {
    let code = code(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../acp-runtime/core/src"));
    // The arguments of a macro's calls: `method!(prompt = Prompt(PromptRequest) -> PromptResponse)`.
    let arguments = |call: &str| -> Vec<String> {
        let calls = code.split(call).skip(1).filter_map(|call| call.split_once('('));
        calls.filter_map(|(_, arguments)| Some(arguments.split_once(')')?.0.to_owned())).collect()
    };
    // The types in the lines of a macro: `[A: Handlers] load_session: Replay = |parts| ..`.
    let lines = || -> Vec<String> {
        let heads = code.match_indices(" = |parts| ").map(|(at, _)| code[..at].rsplit("] ").next().unwrap());
        heads.filter_map(|head| Some(head.split_once(": ")?.1.split(", ").next()?.to_owned())).collect()
    };
    let named = |implementor: &str| {
        let name = implementor.replace("crate::session::", "").replace("'c ", "").replace("'a ", "");
        match &*name {
            "&mut S" => "&mut Session".to_owned(),
            "&mut C" => "&mut Config".to_owned(),
            // The params of a method of one's own.
            "T" => "your own type".to_owned(),
            name => name.replace("<C>", "<Config>").replace("<S>", "<Session>").replace("<V>", "<T>"),
        }
    };
    let mut found = BTreeSet::new();
    for (at, _) in code.match_indices(of) {
        let head = code[..at].rsplit(['{', '}', ';', ']']).next().unwrap().trim_start();
        let Some((_, implementor)) = code[at..].split_once(" for ").filter(|_| head.starts_with("impl")) else {
            continue;
        };
        let implementor = implementor.split(" where ").next().unwrap().split('{').next().unwrap().trim();
        match implementor {
            "$params" => found.extend(arguments(" method!(")),
            "$how" => found.extend(arguments(" event!(")),
            "T" => found.extend(["your own type".to_owned()]),
            "$taken" => found.extend(lines().iter().map(|line| named(line))),
            other => found.extend([named(other)]),
        }
    }
    found
}

/// The code of a folder in one line, without comments.
fn code(folder: &Path) -> String {
    let mut all = String::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all += &code(&path);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let source = fs::read_to_string(&path).unwrap();
            let lines = source.lines().map(str::trim).filter(|line| !line.starts_with("//"));
            lines.for_each(|line| all.extend([" ", line]));
        }
    }
    all
}

struct Row {
    parameter: String,
    takers: BTreeSet<String>,
    example: String,
    section: usize,
}

/// The page from heading to heading. In code, `# ` begins a hidden line.
fn sections(page: &str) -> Vec<String> {
    let (mut sections, mut is_code) = (vec![String::new()], false);
    for line in page.lines() {
        is_code ^= line.starts_with("```");
        if !is_code && line.starts_with("# ") {
            sections.push(String::new());
        }
        sections.last_mut().unwrap().extend([line, "\n"]);
    }
    sections
}

/// The rows of the page's tables, with the number of their section.
fn rows(page: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    for (section, text) in sections(page).into_iter().enumerate() {
        let lines = text.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| parameter "));
        for line in lines {
            let line = line.replace("\\|", "\u{1}");
            let cells: Vec<_> =
                line.trim_matches('|').split('|').map(|cell| cell.trim().replace('\u{1}', "|")).collect();
            let [parameter, takers, purpose, example] = &cells[..] else { panic!("a row of other columns: {line}") };
            assert!(purpose.len() > 10, "no purpose: {line}");
            let parameter = parameter.trim_start_matches('[').split("](").next().unwrap().trim_matches('`');
            rows.push(Row {
                parameter: parameter.to_owned(),
                takers: takers.split(", ").map(str::to_owned).collect(),
                example: example.trim_matches('`').to_owned(),
                section,
            });
        }
    }
    rows
}

#[test]
fn every_parameter_has_a_row_with_the_handlers_that_take_it() {
    let page = page();
    let told: BTreeMap<_, _> = rows(&page).into_iter().map(|row| (row.parameter, row.takers)).collect();
    let taken: BTreeMap<_, BTreeSet<_>> = parameters()
        .into_iter()
        .map(|(name, words)| (name.to_owned(), words.into_iter().map(str::to_owned).collect()))
        .collect();
    assert_eq!(told, taken);
}

/// The parameters in the errors of each handler are those that the page lists.
#[test]
fn every_error_lists_the_parameters_of_its_handler() {
    let page = page();
    let page = rows(&page);
    let code = read("acp-runtime/core/src/agent/expansion/by.rs");
    let mut handlers = 0;
    for line in code.lines().filter(|line| line.trim_start().starts_with('"') && line.contains(" takes ")) {
        let (who, takes) = line.trim().trim_start_matches('"').split_once(" takes ").unwrap();
        let takes = takes.split(';').next().unwrap().trim_end_matches('"');
        let told: BTreeSet<_> = takes.split(", ").map(|parameter| parameter.trim_matches('`').to_owned()).collect();
        let word = if who.starts_with("a command") { "commands" } else { who };
        let mut taken: BTreeSet<_> =
            page.iter().filter(|row| row.takers.contains(word)).map(|row| row.parameter.clone()).collect();
        if who.contains("during_turns") {
            // The turn that runs has the session.
            assert!(taken.remove("&mut Session"));
        }
        assert_eq!(told, taken, "{who}");
        handlers += 1;
    }
    assert_eq!(handlers, 17, "a handler's line is not found");
}

/// A new parameter of the core needs a place in [`parameters`].
#[test]
fn every_implementation_of_the_core_is_listed() {
    let parameters = parameters();
    let found = implementations("FromCall<");
    assert!(found.len() > 15, "the implementations are not found: {found:?}");
    let missing: Vec<_> = found.into_iter().filter(|name| !parameters.contains_key(&**name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn every_example_stands_in_the_code_of_its_section() {
    let page = page();
    let sections = sections(&page);
    for Row { parameter, example, section, .. } in rows(&page) {
        let code = blocks(&sections[section], "```").join("\n");
        assert!(code.lines().any(|line| line.trim() == example), "{parameter}: no line `{example}`");
    }
}
