//! Rust types and method tables from the published JSON schema of the Agent Client Protocol.
//!
//! An agent that speaks the unchanged protocol does not need this crate, because `acp_runtime` has the types. This
//! crate is for vendors, who add methods by an [overlay](mod@overlay) on the schema. It is also for schemas of
//! other protocols, and for updates to new versions of the schema.
//!
//! # In a build script
//!
//! ```no_run
//! // build.rs
//! fn main() -> Result<(), acp_codegen::Error> {
//!     acp_codegen::Builder::v1().overlay("acme.json").compile("acme")
//! }
//! ```
//!
//! This crate carries the published schema. Your crate has this crate as a build dependency, with `default-features = false`, and
//! includes the generated code. The code has only what `acme.json` adds or changes: every other type is the runtime's. It uses the
//! crates `acp_runtime`, `serde` and `serde_json`:
//!
//! ```ignore
//! // src/lib.rs
//! pub mod schema {
//!     include!(concat!(env!("OUT_DIR"), "/acme.rs"));
//! }
//! ```
//!
//! A program that keeps the module to itself uses only a part of it. One attribute spares it the warnings about the rest:
//!
//! ```ignore
//! // src/main.rs
//! #[allow(dead_code)]
//! mod schema {
//!     include!(concat!(env!("OUT_DIR"), "/acme.rs"));
//! }
//! ```
//!
//! If your crate depends on `acp-schema` and not on the runtime, set [`Builder::crate_path`].
//!
//! A handler of the agent names its method by the generated marker, `#[ext(schema::methods::Review)]`. The agent calls the
//! client's methods by `client.call::<schema::methods::OpenEditor>(..)`, and a client on `acp-client` does both the other way round.
//! The package `examples/vendor` of the repository has such an agent. The page [`overlay`](mod@overlay) says what an overlay may contain.
//!
//! # At the command line
//!
//! | command | effect |
//! |---|---|
//! | `acp-codegen generate --schema FILE --overlay FILE --out FILE` | generates code into a file to be checked in |
//! | `acp-codegen diff OLD NEW` | reports the changes between two files or published versions, as the module `diff` does |
//! | `acp-codegen methods` | lists the methods, their receivers, and their params |
//! | `acp-codegen pull` | in the toolkit's own repository: downloads the newest published schema, and regenerates all files that depend on it |
//! | `acp-codegen regenerate` | in the same repository: regenerates them from the schemas that are there, also from one that you have edited, or that is not published |
//! | `acp-codegen check` | in the same repository: reports whether all these files are up to date |
//! | `acp-codegen fetch` | downloads the schemas of published versions into a folder |
//!
//! `acp-codegen help COMMAND` shows the arguments of each command, with examples. In a checkout of the repository, run
//! `cargo run -p acp-codegen --` instead of `acp-codegen`.
//!
//! # Supported schemas
//!
//! The generator supports every version of the npm package `@agentclientprotocol/sdk` from 0.4.9 to 2.4.0. Before 1.3,
//! the package contained one `schema.json` with drafts. From 1.3 on, it also contains a `v2/schema.unstable.json`.
//! Since 2.0, it also contains the four files of this workspace.
//!
//! The generator never panics because of a schema. If it does not support a construct, it returns an [`Error`] with the
//! file, the place in it, and the cure. One run reports all such errors, each with its place ([`Error::Several`]).
//!
//! The size of a schema is limited. The limits are far above any published schema: files of 32 MiB, 20,000 definitions
//! with the overlays, 500,000 values in all, 1,000 entries of an object or a list, and 40 nested objects or lists. In
//! an object, each key must be unique.
//!
//! The time grows linearly with the number of definitions. This table shows the CPU seconds for version 1, and for 10
//! and 100 copies of it:
//!
//! | copies | definitions | seconds | us/definition | relative | peak MB |
//! |---|---|---|---|---|---|
//! | 1 | 178 | 0.06 | 339 | 1.00 | 15 |
//! | 10 | 1780 | 0.63 | 356 | 1.05 | 54 |
//! | 100 | 17800 | 6.76 | 380 | 1.12 | 456 |
//!
//! The measurements come from one core that other programs also used. Repeat them with `cargo bench -p acp-codegen`.
//! The relative time of a definition grows, because a larger heap fits less well into the processor's caches. Therefore
//! the stages take one part of the schema at a time.
//!
//! # Schemas of other protocols
//!
//! The generator also supports two sibling protocols: MCP (2025-11-25, 2026-07-28) and the Debug Adapter Protocol.
//! Their code compiles, and keeps every value that their schemas describe. The table shows the Rust code for each
//! construct of a schema:
//!
//! | schema | Rust |
//! |---|---|
//! | a name that is not `PascalCase` (`JSONValue`, `FooXY`) | its `PascalCase` (`JsonValue`, `FooXy`), or the name from the overlay's `names`; the overlay's other entries use this name |
//! | an object, a union or an `enum` inside another definition | a type named after its place, `ToolInputSchema` |
//! | `allOf` with several schemas | one type with the properties of all |
//! | a list of types | an enum of them |
//! | an `enum` of integers | an enum with a variant `Value1` for `1`, if there is no title or name in the overlay |
//! | an `enum` or `const` beside other branches | a type of its own; if another branch accepts any text or any integer, an enum with a variant for all other values |
//! | a `const` | a type with that one value, which `new` fills in, and which reads nothing else |
//! | a union without a tag | an enum; if a value fits several branches, the branch that keeps most of it is read |
//! | a branch without a title | a variant with the name of its definition or type; `Object2` and `List2` if there are several |
//! | a union that leads back to itself through a property | an enum, and a `Box` in that property |
//! | an object without properties, alone or with `additionalProperties` | a map, which keeps its content |
//! | such an object that is the payload of a method, or that has `properties: {}` | a struct without fields |
//! | `additionalProperties` beside properties | a struct with a field `extra`, a map with values of the schema's type |
//! | `additionalProperties: false` | nothing: values without a field are always dropped |
//! | an optional list or map | an `Option`, because an empty one may have a meaning: for example, an empty object can advertise a capability |
//! | an optional value of any type | an `Option` in which `null` is a value |
//! | an optional value that may be `null` | an `Option`: absent and `null` mean the same, unless the overlay makes it three states |
//! | a `default` that is also the Rust type's (`false`, `0`, `""`, `[]`, `{}`, a constant) | the type, without an `Option`: absence means that value |
//! | any other `default` | an `Option`; its documentation says what absence means |
//! | `"default": null` | nothing: the value may be absent, or `null` if the type allows it |
//! | `null` as a type | `()`, which `new` fills in if the field is required |
//! | `integer` | `i64`; with a `format`, the type of that size |
//! | `number` | `f64`, whole numbers are written without a fraction, and are exact up to 2^53 |
//! | a definition that is a `number`, or a list or map of them | a type of its own, which is written in the same way |
//! | bounds, patterns, formats of texts | nothing: decoding is lenient |
//!
//! If a property has a rule of this protocol for wrong values (`x-deserialize-..`), an empty list or map is not
//! written. Unknown properties are dropped, unless `additionalProperties` allows them.
//!
//! To correct a schema of other people, edit a copy of it, or write an overlay beside it. The table shows the refused
//! constructs, and what to write instead:
//!
//! | schema | the error says | instead |
//! |---|---|---|
//! | a `default` that is no value of its property | is no value of this | another one, or none |
//! | tuples | the keyword `prefixItems` is not supported | `items` with a type for all places |
//! | keys by pattern | the keyword `patternProperties` is not supported | `additionalProperties` |
//! | `if`, `dependentRequired`, `propertyNames` and the like | is not supported | leave them out: decoding is lenient |
//! | `"const": true`, `1.5`, `null` or an object | a `const` that is no string or integer | its `type` |
//! | an `enum` of texts and integers, or of anything else | not a list of texts, or of integers | an `anyOf` of two; or its `type` |
//! | a union that leads back to itself, with no property in between | contains itself | a branch that is an object |
//! | a list or map of itself | is a list or a map of itself | a union as its item |
//! | properties of one `allOf` that contradict each other | differs in schemas that hold together | one of the two |
//! | a `$ref` to another file, or to the whole document | leads out of `$defs` | a definition |
//! | a `$ref` to a place inside a definition | leads into | a definition of its own |
//! | an integer format of 128 bits, or an unknown one | the integer format | none, or one of 8 to 64 bits |
//! | two branches with the same name, or a branch with neither a tag nor a title | are both called; has neither a tag nor a title | the entry that the error shows |

// `builder` takes a schema through these stages. Each stage is a folder, and does not use the later ones. `source`
// reads and checks the schema, `normalise` rewrites it rule by rule, `model` has the definitions in our own terms,
// `emit` makes Rust code from the model, `reuse` leaves out what another crate has, and `format` prints the code. `tables` and `diff` use the stages, but the
// stages do not use them.
#[cfg(feature = "cli")]
pub mod diff;

mod builder;
#[doc(hidden)] // for the toolkit itself
#[cfg(feature = "drafts")]
pub mod drafts;
mod emit;
mod error;
mod format;
mod model;
mod normalise;
mod output;
mod remarks;
mod reuse;
mod source;
mod stack;
mod tables;

pub use builder::{Builder, Generated};
pub use error::{Error, Location, Result};
#[doc(hidden)] // for the command
#[cfg(feature = "cli")]
pub use output::replace_all;
#[doc(hidden)] // `Generated::write` is for others
pub use output::write_if_changed;
#[doc = include_str!("overlay.md")]
pub mod overlay {}
#[doc(hidden)] // for the toolkit's own macros
pub use tables::{Tables, tables};
