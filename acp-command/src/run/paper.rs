//! What `acp run` writes on: lines of the terminal, with colours where they are wanted, and above the prompt while the user types.

use std::{
    env,
    io::{self, IsTerminal as _, Write as _},
};

use rustyline::ExternalPrinter;

use crate::screen::visible;

/// How a text looks on a terminal with colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Plain,
    Bold,
    Dim,
    Added,
    Removed,
    Running,
    Asking,
}

impl Style {
    fn code(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Bold => "1",
            Self::Dim => "2",
            Self::Added => "32",
            Self::Removed => "31",
            Self::Running => "36",
            Self::Asking => "33",
        }
    }
}

pub(super) struct Paper {
    has_colours: bool,
    is_terminal: bool,
    /// Whether the output stands at the beginning of a line.
    is_at_start: bool,
    /// Writes above the prompt. It is there while the user types.
    above: Option<Box<dyn ExternalPrinter + Send>>,
    /// Whether the user types now.
    is_typing: bool,
    /// The open line above the prompt, because only whole lines can stand there.
    open: String,
}

impl Paper {
    pub(super) fn new() -> Self {
        let is_terminal = io::stdout().is_terminal();
        let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_dumb = env::var_os("TERM").is_none_or(|term| term == "dumb");
        Self {
            has_colours: is_terminal && !is_set("NO_COLOR") && !is_dumb,
            is_terminal,
            is_at_start: true,
            above: None,
            is_typing: false,
            open: String::new(),
        }
    }

    pub(super) fn has_colours(&self) -> bool {
        self.has_colours
    }

    /// Sets what writes above the prompt.
    pub(super) fn write_above_by(&mut self, above: Option<Box<dyn ExternalPrinter + Send>>) {
        self.above = above;
    }

    /// From here on, the user types.
    pub(super) fn typing_begins(&mut self) -> io::Result<()> {
        self.end_line()?;
        self.is_typing = true;
        Ok(())
    }

    /// The user has ended the line.
    pub(super) fn typing_ends(&mut self) -> io::Result<()> {
        self.is_typing = false;
        let open = std::mem::take(&mut self.open);
        if !open.is_empty() {
            self.put(&open)?;
            self.is_at_start = false;
            self.end_line()?;
        }
        Ok(())
    }

    /// Writes a piece of a text that goes on.
    pub(super) fn text(&mut self, style: Style, text: &str) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        self.is_at_start = text.ends_with('\n');
        let shown = self.styled(style, text);
        self.put(&shown)
    }

    /// Writes a whole line: a word in the gutter, and a text beside it. Further lines of the text stand below its first.
    pub(super) fn line(&mut self, gutter: (Style, &str), text: &str) -> io::Result<()> {
        self.end_line()?;
        let (style, word) = gutter;
        let word = self.styled(style, &format!("{word:<4}"));
        let text = self.styled(Style::Plain, text.trim_end()).replace('\n', "\n        ");
        self.put(format!("  {word}  {text}").trim_end())?;
        self.put("\n")
    }

    /// Writes a line below another one.
    pub(super) fn below(&mut self, style: Style, text: &str) -> io::Result<()> {
        self.end_line()?;
        let text = self.styled(style, text.trim_end());
        self.put(&format!("        {text}\n"))
    }

    /// The user has ended the line that was open.
    pub(super) fn ended(&mut self) {
        self.is_at_start = true;
    }

    /// Ends the line that is open.
    pub(super) fn end_line(&mut self) -> io::Result<()> {
        if !std::mem::replace(&mut self.is_at_start, true) {
            self.put("\n")?;
        }
        Ok(())
    }

    /// The text without what controls terminals, and with its colour.
    pub(super) fn styled(&self, style: Style, text: &str) -> String {
        let text = if self.is_terminal { visible(text) } else { text.to_owned() };
        if !self.has_colours || style == Style::Plain || text.is_empty() {
            return text;
        }
        format!("\x1b[{}m{text}\x1b[0m", style.code())
    }

    fn put(&mut self, text: &str) -> io::Result<()> {
        if self.is_typing
            && let Some(above) = &mut self.above
        {
            self.open.push_str(text);
            let Some(end) = self.open.rfind('\n') else { return Ok(()) };
            let rest = self.open.split_off(end + 1);
            let whole = std::mem::replace(&mut self.open, rest);
            return above.print(whole).map_err(io::Error::other);
        }
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        out.flush()
    }
}
