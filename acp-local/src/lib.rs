//! Commands of this machine, for those who run them: an agent (the feature `local` of `acp-agent-runtime`), and a client for its
//! agent (`acp_client::parts`). [`Output`] keeps the last part of what a command prints, and [`exit_status`] tells its end
//! as the protocol does.
//!
//! ```
//! use acp_local::{Output, Partial};
//!
//! let (mut output, mut partial) = (Output::new(5), Partial::default());
//! output.push(b"one tw", &mut partial);
//! output.push("ö".as_bytes(), &mut partial);
//! output.finish(&mut partial);
//! assert_eq!(output.text(), " twö");
//! assert!(output.is_truncated());
//! ```
//!
//! See [Terminals](https://agentclientprotocol.com/protocol/v1/terminals).

mod exit;
mod output;

pub use exit::exit_status;
pub use output::{Output, Partial};
