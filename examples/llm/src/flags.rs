//! The flags of the program.

use std::io::{self, Write as _};

use acp_example_listen::{
    HELP, Listen, Wanted, arguments,
    lexopt::{Error, Parser},
};

const USAGE: &str = "usage: llm [--login | --listen ADDRESS | --version]

An agent on a server that speaks the chat API of OpenAI. It speaks the Agent Client Protocol over stdio, or over HTTP. The environment names the
server: OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL.

  --login            ask for the key of the server, try it there, and keep it
  --version          the version of this program";

#[derive(Default)]
pub(crate) struct Flags {
    /// A person enters the key of the server.
    pub(crate) login: bool,
    /// Clients come over HTTP, not over stdio.
    pub(crate) listen: Option<Listen>,
}

impl Flags {
    /// `None` if the person has read what there is, and nothing is to be done.
    ///
    /// # Errors
    ///
    /// An argument is none of this program, or standard output is closed.
    pub(crate) fn read() -> Result<Option<Self>, Error> {
        let (mut flags, mut version) = (Self::default(), false);
        let wanted = arguments(Parser::from_env(), |flag, _| {
            match flag {
                "login" => flags.login = true,
                "version" => version = true,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        let text = match wanted {
            Wanted::Help => format!("{USAGE}\n{HELP}"),
            _ if version => format!("llm {}", env!("CARGO_PKG_VERSION")),
            Wanted::Http(_) if flags.login => {
                return Err("`--login` ends with the key, and `--listen` serves: give one of them".into());
            }
            Wanted::Http(listen) => {
                flags.listen = Some(listen);
                return Ok(Some(flags));
            }
            Wanted::Stdio => return Ok(Some(flags)),
        };
        writeln!(io::stdout(), "{text}").map_err(|error| Error::Custom(error.into()))?;
        Ok(None)
    }
}
