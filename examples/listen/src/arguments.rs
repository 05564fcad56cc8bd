//! The flags of an example.

use std::path::PathBuf;

use lexopt::{Arg, Error, Parser, ValueExt as _};

/// The flags that [`arguments`] reads, for `--help`.
pub const HELP: &str =
    "  --listen ADDRESS   serve HTTP instead of stdio, at 127.0.0.1:4000 or another address; port 0 stands for any
                     free one. The first line on stderr is the address, which also has a page for the browser
  --token-file FILE  clients log in with the token in FILE. Without it, the address must be this machine's own
  --no-login         whoever reaches the address may use the agent, with all that the agent may do
  --host NAME        the name or IP address by which other machines reach it; several are allowed
  --help             this text";

/// What a program was started for.
#[derive(Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The text of `--help`.
    Help,
    /// A client on stdin and stdout.
    Stdio,
    /// Clients over HTTP.
    Http(Listen),
}

/// Where a program listens, and for whom.
#[derive(Debug, PartialEq, Eq)]
pub struct Listen {
    /// The address, with its port.
    pub address: String,
    /// Who may use the agent.
    pub login: Login,
    /// The names of the server, beside those of this machine and beside the address.
    pub hosts: Vec<String>,
}

/// Who may use an agent.
#[derive(Debug, PartialEq, Eq)]
pub enum Login {
    /// Programs of this machine.
    Loopback,
    /// Who has the token in this file.
    Token(PathBuf),
    /// Whoever reaches it.
    None,
}

/// Reads the arguments of a program. `own` takes a flag of the program itself, by its name without the dashes, and its value. It returns whether
/// the program has this flag.
///
/// ```
/// use acp_example_listen::{Login, Wanted, arguments, lexopt::Parser};
///
/// let mut is_loud = false;
/// let own = |flag: &str, _: &mut Parser| Ok(std::mem::replace(&mut is_loud, flag == "loud") || flag == "loud");
/// let wanted = arguments(Parser::from_args(["--listen", "127.0.0.1:0", "--loud"]), own).unwrap();
/// assert!(is_loud && matches!(wanted, Wanted::Http(listen) if listen.login == Login::Loopback));
/// ```
///
/// # Errors
///
/// An argument is unknown, has no value, or needs another one.
pub fn arguments(
    mut parser: Parser,
    mut own: impl FnMut(&str, &mut Parser) -> Result<bool, Error>,
) -> Result<Wanted, Error> {
    let (mut address, mut token, mut is_open, mut hosts) = (None, None, false, Vec::new());
    while let Some(argument) = parser.next()? {
        let flag = match argument {
            Arg::Long(flag) => flag.to_owned(),
            other => return Err(other.unexpected()),
        };
        match &*flag {
            "help" => return Ok(Wanted::Help),
            "listen" => address = Some(parser.value()?.string()?),
            "token-file" => token = Some(PathBuf::from(parser.value()?)),
            "no-login" => is_open = true,
            "host" => hosts.push(parser.value()?.string()?),
            flag if own(flag, &mut parser)? => {}
            flag => return Err(Arg::Long(flag).unexpected()),
        }
    }
    let login = match (token, is_open) {
        (Some(_), true) => return Err("`--token-file` and `--no-login` are two logins: give one of them".into()),
        (Some(file), false) => Login::Token(file),
        (None, true) => Login::None,
        (None, false) => Login::Loopback,
    };
    match address {
        Some(address) => Ok(Wanted::Http(Listen { address, login, hosts })),
        None if login != Login::Loopback || !hosts.is_empty() => {
            Err("`--token-file`, `--no-login` and `--host` are for a server: give its address by `--listen`".into())
        }
        None => Ok(Wanted::Stdio),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(all: &[&str]) -> Result<Wanted, String> {
        arguments(Parser::from_args(all), |_, _| Ok(false)).map_err(|error| error.to_string())
    }

    #[test]
    fn an_address_needs_no_login_of_its_own() {
        let listen = |login, hosts: &[&str]| {
            let hosts = hosts.iter().map(ToString::to_string).collect();
            Ok(Wanted::Http(Listen { address: "localhost:0".to_owned(), login, hosts }))
        };
        assert_eq!(read(&[]), Ok(Wanted::Stdio));
        assert_eq!(read(&["--listen", "localhost:0"]), listen(Login::Loopback, &[]));
        let token = Login::Token("token".into());
        assert_eq!(read(&["--listen=localhost:0", "--token-file", "token", "--host", "a"]), listen(token, &["a"]));
        assert_eq!(read(&["--no-login", "--listen", "localhost:0"]), listen(Login::None, &[]));
        assert_eq!(read(&["--listen", "localhost:0", "--help"]), Ok(Wanted::Help));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (all, said) in [
            (&["--listen"][..], "missing argument for option '--listen'"),
            (&["--lisen", "localhost:0"], "invalid option '--lisen'"),
            (&["localhost:0"], "unexpected argument \"localhost:0\""),
            (&["--no-login"], "give its address by `--listen`"),
            (&["--host", "a"], "give its address by `--listen`"),
            (&["--listen", "localhost:0", "--no-login", "--token-file", "token"], "give one of them"),
        ] {
            let error = read(all).unwrap_err();
            assert!(error.contains(said), "{all:?}: {error}");
        }
    }
}
