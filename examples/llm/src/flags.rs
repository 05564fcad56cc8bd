//! The flags of the program.

use std::io::{self, Write as _};

use acp_example_listen::{HELP, Listen, Wanted, arguments, lexopt::Parser};
use anyhow::{Context, Result};

const USAGE: &str = "usage: llm [--login | --listen ADDRESS]

An agent on a server that speaks the chat API of OpenAI. It speaks the Agent Client Protocol over stdio, or over HTTP. The environment names the
server: OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL.

  --login            ask for the key of the server, and keep it";

#[derive(Default)]
pub(crate) struct Flags {
    /// A person enters the key of the server.
    pub(crate) login: bool,
    /// Clients come over HTTP, not over stdio.
    pub(crate) listen: Option<Listen>,
}

impl Flags {
    /// `None` if the person has read what there is, and nothing is to be done.
    pub(crate) fn read() -> Result<Option<Self>> {
        let mut flags = Self::default();
        let wanted = arguments(Parser::from_env(), |flag, _| {
            flags.login |= flag == "login";
            Ok(flag == "login")
        });
        match wanted.context("`llm --help` lists the flags")? {
            Wanted::Help => {
                writeln!(io::stdout(), "{USAGE}\n{HELP}")?;
                return Ok(None);
            }
            Wanted::Stdio => {}
            Wanted::Http(listen) => flags.listen = Some(listen),
        }
        Ok(Some(flags))
    }
}
