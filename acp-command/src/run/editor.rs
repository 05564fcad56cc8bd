//! The line of the prompt: history, completion, lines that go on behind a backslash. A thread waits for the user.

use std::{
    io,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
};

use rustyline::{
    Behavior, ColorMode, CompletionType, Config, Context, Editor, ExternalPrinter, Helper,
    completion::{Completer, Pair},
    error::ReadlineError,
    highlight::Highlighter,
    hint::Hinter,
    history::FileHistory,
    validate::{ValidationContext, ValidationResult, Validator},
};
use tokio::sync::oneshot;

/// How many lines the history keeps.
const HISTORY: usize = 1000;

/// What the user has typed.
#[derive(Debug)]
pub(super) enum Typed {
    Line(String),
    /// Ctrl-C.
    Interrupted,
    /// Ctrl-D.
    End,
    Failed(String),
}

/// The words that can be completed, as they are now.
#[derive(Debug, Default)]
pub(super) struct Words {
    /// The first words of lines, with a hint for what follows.
    pub(super) commands: Vec<(String, Option<String>)>,
    /// The options, with their values.
    pub(super) options: Vec<(String, Vec<String>)>,
}

/// The line, and the thread that reads it.
pub(super) struct Line {
    asks: mpsc::Sender<(String, oneshot::Sender<Typed>)>,
    words: Arc<Mutex<Words>>,
}

impl Line {
    /// Starts the thread. The printer writes above the line.
    pub(super) fn new(
        has_colours: bool,
        history: Option<PathBuf>,
    ) -> Result<(Self, Option<Box<dyn ExternalPrinter + Send>>), ReadlineError> {
        let config = Config::builder()
            .max_history_size(HISTORY)?
            .history_ignore_dups(true)?
            .history_ignore_space(true)
            .completion_type(CompletionType::List)
            .behavior(Behavior::PreferTerm)
            .color_mode(if has_colours { ColorMode::Enabled } else { ColorMode::Disabled })
            .auto_add_history(true)
            .build();
        let mut editor = Editor::<Completions, FileHistory>::with_config(config)?;
        let words = Arc::new(Mutex::new(Words::default()));
        editor.set_helper(Some(Completions { words: words.clone(), has_colours }));
        if let Some(history) = &history {
            // The first run has none.
            let _ = editor.load_history(history);
        }
        // Without one, what is said while the user types stands in the user's line.
        let printer = editor.create_external_printer().ok().map(|printer| Box::new(printer) as Box<_>);
        let (asks, asked) = mpsc::channel::<(String, oneshot::Sender<Typed>)>();
        thread::spawn(move || {
            while let Ok((prompt, told)) = asked.recv() {
                let typed = match editor.readline(&prompt) {
                    Ok(line) => Typed::Line(line.replace("\\\n", "\n")),
                    Err(ReadlineError::Interrupted) => Typed::Interrupted,
                    Err(ReadlineError::Eof) => Typed::End,
                    Err(error) => Typed::Failed(error.to_string()),
                };
                if let (Typed::Line(_), Some(history)) = (&typed, &history) {
                    // A history that cannot be written lasts as long as this process.
                    let _ = editor.append_history(history);
                }
                if told.send(typed).is_err() {
                    return;
                }
            }
        });
        Ok((Self { asks, words }, printer))
    }

    /// Sets the words that can be completed, also while the user types.
    pub(super) fn set_words(&self, words: Words) {
        *self.words.lock().unwrap_or_else(PoisonError::into_inner) = words;
    }

    /// Begins to read a line.
    pub(super) fn read(&self, prompt: &str) -> oneshot::Receiver<Typed> {
        let (told, typed) = oneshot::channel();
        // If the thread has ended, the answer never comes, and the receiver says so.
        let _ = self.asks.send((prompt.to_owned(), told));
        typed
    }
}

struct Completions {
    words: Arc<Mutex<Words>>,
    has_colours: bool,
}

impl Completions {
    fn with<T>(&self, work: impl FnOnce(&Words) -> T) -> T {
        work(&self.words.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The words that fit behind a line, and where the open word begins.
fn fitting(words: &Words, line: &str) -> (usize, Vec<String>) {
    let begin = line.rfind(' ').map_or(0, |space| space + 1);
    let before: Vec<_> = line[..begin].split_whitespace().collect();
    let open = &line[begin..];
    let all: Vec<&String> = match *before {
        [] if line.starts_with(['/', ':']) => words.commands.iter().map(|(name, _)| name).collect(),
        [":set"] => words.options.iter().map(|(id, _)| id).collect(),
        [":set", id] => {
            words.options.iter().filter(|(option, _)| option == id).flat_map(|(_, values)| values).collect()
        }
        _ => Vec::new(),
    };
    (begin, all.into_iter().filter(|word| word.starts_with(open)).cloned().collect())
}

impl Completer for Completions {
    type Candidate = Pair;

    fn complete(&self, line: &str, pos: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let (begin, fitting) = self.with(|words| fitting(words, &line[..pos]));
        let pair = |word: String| Pair { replacement: format!("{word} "), display: word };
        Ok((begin, fitting.into_iter().map(pair).collect()))
    }
}

impl Hinter for Completions {
    type Hint = String;

    /// What a command takes.
    fn hint(&self, line: &str, pos: usize, _: &Context<'_>) -> Option<String> {
        let name = line.strip_suffix(' ').filter(|_| pos == line.len())?;
        self.with(|words| words.commands.iter().find(|(command, _)| command == name)?.1.clone())
    }
}

impl Highlighter for Completions {
    fn highlight_hint<'h>(&self, hint: &'h str) -> std::borrow::Cow<'h, str> {
        if self.has_colours { format!("\x1b[2m{hint}\x1b[0m").into() } else { hint.into() }
    }
}

impl Validator for Completions {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        let goes_on = context.input().ends_with('\\');
        Ok(if goes_on { ValidationResult::Incomplete } else { ValidationResult::Valid(None) })
    }
}

impl Helper for Completions {}

/// The file of the history, which only its user can read.
pub(super) fn history() -> io::Result<Option<PathBuf>> {
    let of = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let state = of("XDG_STATE_HOME").or_else(|| Some(of("HOME")?.join(".local/state")));
    let Some(folder) = state.map(|state| state.join("acp")) else { return Ok(None) };
    std::fs::create_dir_all(&folder)?;
    Ok(Some(folder.join("history")))
}

#[cfg(test)]
mod tests {
    use super::{Words, fitting};

    #[test]
    fn commands_options_and_values_are_completed() {
        let words = Words {
            commands: vec![("/plan".to_owned(), None), (":set".to_owned(), None)],
            options: vec![("model".to_owned(), vec!["fast".to_owned(), "deep".to_owned()])],
        };
        for (line, begin, expected) in [
            ("/p", 0, vec!["/plan"]),
            (":", 0, vec![":set"]),
            ("p", 0, vec![]),
            (":set m", 5, vec!["model"]),
            (":set model ", 11, vec!["fast", "deep"]),
            (":set model f", 11, vec!["fast"]),
            ("say /p", 4, vec![]),
        ] {
            let expected = expected.into_iter().map(ToOwned::to_owned).collect();
            assert_eq!(fitting(&words, line), (begin, expected), "{line:?}");
        }
    }
}
