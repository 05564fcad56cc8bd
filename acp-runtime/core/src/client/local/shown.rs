//! The terminal that shows a command of the agent. A client of version 1 has none.

#[cfg(feature = "v2")]
pub(super) use self::terminal::Shown;

#[cfg(not(feature = "v2"))]
pub(super) use self::nothing::Shown;

#[cfg(feature = "v2")]
mod terminal {
    use std::{path::Path, sync::Arc};

    use crate::{
        client::{Client, foreground::ShowsCommand, local::system::SHELL},
        rpc::CancellationToken,
        values::{TerminalExitStatus, TerminalId},
    };

    /// The terminal of a command, if the client shows it.
    #[derive(Clone)]
    pub(in crate::client::local) struct Shown(Option<(Arc<dyn ShowsCommand>, CancellationToken)>);

    impl Shown {
        /// Shows the command, which has begun.
        pub(in crate::client::local) fn begin(client: &Client, program: &str, args: &[String], cwd: &Path) -> Self {
            let shown = client.foreground_handle().and_then(|session| {
                let cancel = CancellationToken::new();
                let shown = session.show_command(&|| line(program, args), cwd, &cancel)?;
                Some((shown, cancel))
            });
            Self(shown)
        }

        pub(in crate::client::local) fn id(&self) -> Option<&TerminalId> {
            self.0.as_ref().map(|(shown, _)| shown.id())
        }

        pub(in crate::client::local) fn output(&self, bytes: &[u8]) {
            if let Some((shown, _)) = &self.0 {
                shown.output(bytes);
            }
        }

        pub(in crate::client::local) fn exited(&self, status: Option<&TerminalExitStatus>) {
            if let Some((shown, _)) = &self.0 {
                shown.exited(status.cloned().unwrap_or_default());
            }
        }

        /// Waits for `work`, unless the client cancels the terminal.
        pub(in crate::client::local) async fn unless_cancelled<F: Future>(&self, work: F) -> Option<F::Output> {
            match &self.0 {
                Some((_, cancel)) => cancel.run_until_cancelled(std::pin::pin!(work)).await,
                None => Some(work.await),
            }
        }

        /// Waits until the client knows of the end of the command.
        pub(in crate::client::local) async fn told(&self) {
            if let Some((shown, _)) = &self.0 {
                shown.told().await;
            }
        }
    }

    /// The command as a user would write it.
    fn line(program: &str, args: &[String]) -> String {
        let (shell, before) = SHELL;
        if let Some((line, rest)) = args.split_last()
            && program == shell
            && rest == before
        {
            return line.clone();
        }
        let words = std::iter::once(program).chain(args.iter().map(String::as_str));
        words.map(word).collect::<Vec<_>>().join(" ")
    }

    fn word(word: &str) -> String {
        let is_plain = |char: char| char.is_alphanumeric() || "-_=./:,+@%".contains(char);
        if !word.is_empty() && word.chars().all(is_plain) {
            return word.to_owned();
        }
        format!("'{}'", word.replace('\'', r"'\''"))
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn a_command_is_shown_as_a_user_writes_it() {
            let args = |args: &[&str]| args.iter().map(|arg| (*arg).to_owned()).collect::<Vec<_>>();
            assert_eq!(line("cargo", &args(&["test", "--", "it's me", ""])), r"cargo test -- 'it'\''s me' ''");
            let (shell, before) = SHELL;
            assert_eq!(line(shell, &args(&[before, &["make | tail"]].concat())), "make | tail");
            assert_eq!(line(shell, &args(&["file.sh"])), format!("{shell} file.sh"));
        }
    }
}

#[cfg(not(feature = "v2"))]
mod nothing {
    use std::path::Path;

    use crate::{
        client::Client,
        values::{TerminalExitStatus, TerminalId},
    };

    /// Nothing.
    #[derive(Clone)]
    pub(in crate::client::local) struct Shown;

    impl Shown {
        pub(in crate::client::local) fn begin(_: &Client, _: &str, _: &[String], _: &Path) -> Self {
            Self
        }

        pub(in crate::client::local) fn id(&self) -> Option<&TerminalId> {
            None
        }

        pub(in crate::client::local) fn output(&self, _: &[u8]) {}

        pub(in crate::client::local) fn exited(&self, _: Option<&TerminalExitStatus>) {}

        pub(in crate::client::local) async fn unless_cancelled<F: Future>(&self, work: F) -> Option<F::Output> {
            Some(work.await)
        }

        pub(in crate::client::local) async fn told(&self) {}
    }
}
