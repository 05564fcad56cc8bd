//! The contract between the macros' expansion and the runtime. Authors see this contract in error messages, and use
//! [`FromCall`] to write an extractor of their own.

mod answer;
mod assumed;
mod attachment;
mod call;
mod check;
mod declaration;
mod default;
mod event;
mod extract;
mod heard;
mod hook;
mod identity;
mod local;
mod local_shared;
mod named;
mod part;
mod route;
mod sent;
mod shared;
mod steered;
mod stored;
mod threading;

pub use answer::{
    Fallible, IntoAnswer, IntoHandlerError, IntoHandlerResult, Itself, OpenedSession, Plain, Short, WithId,
};
pub use assumed::{
    Assumed, Given, MayBeSent, MayShare, OwnConfig, Threads, declared, options_of, sent_between_threads,
    session_sent_between_threads,
};
pub(crate) use attachment::Attachment;
pub use call::{Call, CallGuard, PANICKED, Parts};
pub use check::{
    authenticates, changes_once, complete, distinct, extend_once, handled, lets_in, lists_extensions, opens_sessions,
    shares, takes_arguments, takes_no_arguments,
};
pub use declaration::{
    AgentDeclaration, DefaultSession, Extension, ExtensionKind, Handlers, OneBlockWithoutPart, is_method,
};
pub use default::{DefaultOf, MayLackDefault};
pub use event::SessionEvent;
pub use extract::{Authenticated, FromCall, MethodName, OfActiveSession, OfAnySession, RequestMeta, slot};
pub(crate) use heard::heard;
pub use heard::prepared;
pub use hook::{
    Changing, Draft, EveryOption, FromChange, Hook, HookAgent, IntoHookResult, OnChange, OnEveryChange, SharedInHooks,
    running,
};
pub use identity::{AgentInfo, AuthDeclaration};
pub use local::{Keeping, LocalAgent, StaysOnItsThread};
pub use named::{ConfigOf, MayName, Named, StateOf};
pub use part::{ByMainBlock, Letter, NamedPart, NamesPart, NamesPartsOnItsStruct, OneBlockPerPart, Part};
pub use route::Route;
pub(crate) use route::{Destination, is_opened_for, of_notification, of_request};
pub use sent::{AnyParams, Sent};
pub(crate) use shared::default_shared;
pub use shared::{
    CanBeCloned, CanBeShared, FromRef, GivenBy, HasDefault, KeepingShared, KeptShared, SharedByAll, SharedOnThread,
    SharedStays, Shares, State, Unshared, WithShared, shared_by_handlers, shared_on_one_thread,
};
pub use steered::{is_steered, steers};
pub(crate) use stored::serves;
pub use stored::{
    HoldsStore, MayLackRestore, ReadBack, Restored, Restores, StoreDeclaration, StoredSession, is_not_stored,
    is_stored, restores, session_kept_by_store,
};
pub use threading::{Keeps, Local, NotLocal, SendUnlessLocal, Shared, Threading};
pub(crate) use threading::{Kept as KeptAgent, Lent as LentAgent};
