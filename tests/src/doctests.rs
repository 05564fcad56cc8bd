//! The examples of the guide's pages that need more than the runtime: a client, a store, a vendor's types. The pages stand in
//! `acp_runtime::guide`, which leaves their examples out.

#[doc = include_str!("../../acp-runtime/src/guide/clients.md")]
mod clients {}

#[doc = include_str!("../../acp-runtime/src/guide/stores.md")]
mod stores {}

#[doc = include_str!("../../acp-runtime/src/guide/testing.md")]
mod testing {}

#[doc = include_str!("../../acp-runtime/src/guide/vendors.md")]
mod vendors {}
