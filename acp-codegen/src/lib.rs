//! Rust types and method tables from the published JSON schema of the Agent Client Protocol.
//!
//! An agent that speaks the protocol as it is needs none of this: `acp_runtime` has the types. This crate is for vendors, who
//! add methods by an [overlay](Builder::overlay) on the schema, for schemas of other protocols, and for following the schema
//! as it moves.
//!
//! # In a build script
//!
//! ```no_run
//! // build.rs
//! fn main() -> Result<(), acp_codegen::Error> {
//!     acp_codegen::Builder::new()
//!         .schema("schema/v1/schema.json")
//!         .overlay("schema/v1/overlay.json")
//!         .overlay("acme.json")
//!         .compile("acme")
//! }
//! ```
//!
//! The crate depends on this one as a build dependency, with `default-features = false`, and includes what was generated. That
//! refers to the crates `acp_runtime`, `serde` and `serde_json`, and expects these names beside it:
//!
//! ```ignore
//! // src/lib.rs
//! pub mod schema {
//!     pub use acp_runtime::schema::{IntoMaybeUndefined, IntoOption, MaybeUndefined, Meta};
//!     pub use serde_json::value::RawValue;
//!
//!     include!(concat!(env!("OUT_DIR"), "/acme.rs"));
//! }
//! ```
//!
//! A crate that depends on `acp-schema`, and not on the runtime, says so by [`Builder::crate_path`].
//!
//! A handler of the agent names its method by the marker that was generated, `#[ext(schema::methods::Review)]`. The package
//! `examples/vendor` of the repository does all of it.
//!
//! # At the command line
//!
//! | command | what it does |
//! |---|---|
//! | `acp-codegen generate --schema FILE --overlay FILE --out FILE` | the same, into a file to be checked in |
//! | `acp-codegen diff OLD NEW` | says what changed between two files or published versions, as the module `diff` does |
//! | `acp-codegen methods` | lists the methods, who receives them, and what they take |
//! | `acp-codegen pull` | in the toolkit's own repository: brings the newest published schema, and regenerates what follows from it |
//! | `acp-codegen check` | there, too: says whether all of that is up to date |
//! | `acp-codegen fetch` | brings the schemas of published versions into a folder |
//!
//! `acp-codegen help COMMAND` shows the arguments of each, with examples. In a checkout, `cargo run -p acp-codegen --` stands
//! for `acp-codegen`.
//!
//! # What it reads
//!
//! Every version of the npm package `@agentclientprotocol/sdk` from 0.4.9 to 2.4.0 generates. Before 1.3 the package shipped
//! one `schema.json` with drafts in it, from 1.3 a `v2/schema.unstable.json` beside it, and since 2.0 the four files that this
//! workspace holds, too.
//!
//! No schema makes it panic: what is not supported is an [`Error`] that names the file, the place in it, and what to do. All of
//! it is told at once, each with its place ([`Error::Several`]).
//!
//! A schema is bounded, too, far above any that is published: files of 32 MiB, 20,000 definitions with the overlays,
//! 500,000 values in all, 1,000 entries of an object or a list, 40 of these inside each other. No key is given twice.
//!
//! Time grows with the definitions, and no faster: version 1, and it beside itself 10 and 100 times, take in CPU seconds
//!
//! | copies | definitions | seconds | us/definition | relative | peak MB |
//! |---|---|---|---|---|---|
//! | 1 | 178 | 0.06 | 339 | 1.00 | 15 |
//! | 10 | 1780 | 0.63 | 356 | 1.05 | 54 |
//! | 100 | 17800 | 6.76 | 380 | 1.12 | 456 |
//!
//! on one core that others use, too; `cargo bench -p acp-codegen` repeats it. The relative time of a definition is what the
//! caches of the processor lose to a larger heap: the stages take a part of the schema at a time.
//!
//! # Schemas of other protocols
//!
//! Two sibling protocols generate, compile, and keep every value that their schemas describe: MCP (2025-11-25, 2026-07-28) and
//! the Debug Adapter Protocol. What a schema says, and what it becomes:
//!
//! | schema | Rust |
//! |---|---|
//! | a name that is not `PascalCase` (`JSONValue`, `FooXY`) | its `PascalCase` (`JsonValue`, `FooXy`), or what the overlay says under `names`; its other entries use that |
//! | an object, a union or an `enum` inside another definition | a type named after the place, `ToolInputSchema` |
//! | `allOf` of several | one type with the properties of all |
//! | a list of types | an enum of them |
//! | an `enum` of integers | an enum with a variant `Value1` for `1`, if there is no title or name in the overlay |
//! | an `enum` or `const` beside other branches | a type of its own; beside any text or integer, a list with a variant for any other |
//! | a `const` | a type with that one value, which `new` fills in, and which reads nothing else |
//! | a union without a tag | an enum; where a value fits several branches, the one that keeps most of it is read |
//! | a branch without a title | a variant called like its definition or type, `Object2` and `List2` where there are several |
//! | a union that leads back to itself through a property | an enum, and a `Box` in that property |
//! | an object of which nothing is said, alone or with `additionalProperties` | a map, which keeps its content |
//! | such an object that is the payload of a method, or that has `properties: {}` | a struct without fields |
//! | `additionalProperties` beside properties | a struct with a field `extra`, a map of what the schema says of the values |
//! | `additionalProperties: false` | nothing: what has no field is dropped in any case |
//! | an optional list or map | an `Option`: an empty one may say something, as a capability does |
//! | an optional value of any type | an `Option` in which `null` is a value |
//! | an optional value that may be `null` | an `Option`: absent and `null` are one, unless the overlay makes it three states |
//! | a `default` that is that of the Rust type (`false`, `0`, `""`, `[]`, `{}`, a constant) | the type, without an `Option`: absent is that value |
//! | any other `default` | an `Option`, of which the documentation says what absence means |
//! | `"default": null` | nothing: the value may be absent, or `null` where the type says so |
//! | `null` as a type | `()`, which `new` fills in where it is required |
//! | `integer` | `i64`; with a `format`, the type of that size |
//! | `number` | `f64`, written without a fraction where there is none; whole numbers are exact up to 2^53 |
//! | a definition that is a `number`, or a list or map of them | a type of its own around that, which is written so, too |
//! | bounds, patterns, formats of texts | nothing: decoding is lenient |
//!
//! Where a property has a rule of this protocol for wrong values (`x-deserialize-..`), an empty list or map is left out.
//! Properties that nobody described are dropped, unless `additionalProperties` says that there may be some.
//!
//! Other people's schemas can be mended in a copy, or by an overlay beside them. What is refused, and what to do:
//!
//! | schema | the error says | instead |
//! |---|---|---|
//! | a `default` that is no value of its property | is no value of this | another one, or none |
//! | tuples | the keyword `prefixItems` is not supported | `items`, for what any place may hold |
//! | keys by pattern | the keyword `patternProperties` is not supported | `additionalProperties` |
//! | `if`, `dependentRequired`, `propertyNames` and the like | is not supported | without: decoding is lenient |
//! | `"const": true`, `1.5`, `null` or an object | a `const` that is no string or integer | its `type` |
//! | an `enum` of texts and integers, or of anything else | not a list of texts, or of integers | an `anyOf` of two; or its `type` |
//! | a union that leads back to itself, with no property in between | contains itself | a branch that is an object |
//! | a list or map of itself | is a list or a map of itself | a union as what it holds |
//! | properties of one `allOf` that contradict each other | differs in schemas that hold together | one of the two |
//! | a `$ref` to another file, or to the whole | leads out of `$defs` | a definition |
//! | a `$ref` to a place inside a definition | leads into | a definition of its own |
//! | an integer format of 128 bits, or an unknown one | the integer format | none, or one of 8 to 64 bits |
//! | two branches of one name, or one that says nothing | are both called; has neither a tag nor a title | the entry that the error shows |

// `builder` leads a schema through these stages, each a folder that knows none of those behind it: `source` reads and checks
// it, `normalise` rewrites it rule by rule, `model` says in our own terms what it defines, `emit` makes Rust of that, and
// `format` prints it. On top stand `tables` and `diff`, which the stages do not know.
#[cfg(feature = "cli")]
pub mod diff;

mod builder;
mod emit;
mod error;
mod format;
mod model;
mod normalise;
mod output;
mod remarks;
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
#[doc(hidden)] // for the toolkit's own macros
pub use tables::{Tables, tables};
