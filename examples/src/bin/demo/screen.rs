//! The format of the transcript: headings, tables, streamed text. It has colours only on a terminal.

use std::{
    env,
    io::{self, IsTerminal as _, Write as _},
    sync::atomic::{AtomicBool, Ordering},
};

use acp_client::{ConfigOption, CurrentValue, Options, values::ToolCallContent};

/// The place to which the transcript is written.
pub(crate) struct Screen {
    colours: bool,
    /// Whether a streamed line has not ended yet.
    in_line: AtomicBool,
}

/// The kind of a text, which decides its colour.
#[derive(Clone, Copy)]
pub(crate) enum Tone {
    /// A step of the client.
    Heading,
    /// The important part of a line.
    Strong,
    /// The unimportant part of a line.
    Faint,
    Good,
    Bad,
}

impl Tone {
    fn code(self) -> u8 {
        match self {
            Self::Heading => 36,
            Self::Strong => 1,
            Self::Faint => 2,
            Self::Good => 32,
            Self::Bad => 31,
        }
    }
}

impl Screen {
    pub(crate) fn new() -> Self {
        Self {
            colours: io::stdout().is_terminal() && env::var_os("NO_COLOR").is_none(),
            in_line: AtomicBool::new(false),
        }
    }

    /// The text in its colour.
    pub(crate) fn paint(&self, tone: Tone, text: &str) -> String {
        if self.colours { format!("\x1b[{}m{text}\x1b[0m", tone.code()) } else { text.to_owned() }
    }

    /// Prints the client's next step.
    pub(crate) fn step(&self, what: &str) {
        self.end_line();
        println!("\n{}", self.paint(Tone::Heading, &format!("▶ {what}")));
    }

    /// Prints one line of a step's result.
    pub(crate) fn line(&self, text: &str) {
        self.end_line();
        println!("  {text}");
    }

    /// Prints a piece of the agent's answer, as soon as it arrives.
    pub(crate) fn piece(&self, text: &str) {
        for line in text.split_inclusive('\n') {
            if !self.in_line.swap(!line.ends_with('\n'), Ordering::Relaxed) {
                print!("  ");
            }
            print!("{line}");
        }
        // Without a flush, a terminal shows text only at the end of a line. If this fails, the next line fails, too.
        let _ = io::stdout().flush();
    }

    /// Ends the streamed line, if there is one.
    pub(crate) fn end_line(&self) {
        if self.in_line.swap(false, Ordering::Relaxed) {
            println!();
        }
    }

    /// Prints the options as a table. Options whose value differs from `before` are marked.
    pub(crate) fn options(&self, options: &Options, before: Option<&Options>) {
        let head = ["option", "now", "offered", "what for"].map(str::to_owned);
        let rows: Vec<_> = options.iter().map(row).collect();
        let widths: [usize; 4] = std::array::from_fn(|column| {
            rows.iter().chain([&head]).map(|row| row[column].chars().count()).max().unwrap_or_default()
        });
        let pad = |row: &[String; 4]| {
            let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
            cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        };
        self.line(&self.paint(Tone::Faint, &format!("  {}", pad(&head))));
        for (option, row) in options.iter().zip(&rows) {
            let old = before.and_then(|before| before.get(option.id()));
            match old {
                Some(old) if old.current() != option.current() => {
                    self.line(&self.paint(Tone::Good, &format!("* {}", pad(row))))
                }
                _ => self.line(&format!("  {}", pad(row))),
            }
        }
    }

    /// Prints the content of a tool call.
    pub(crate) fn content(&self, content: &[ToolCallContent]) {
        for content in content {
            if let ToolCallContent::Diff(diff) = content {
                let old: Vec<_> = diff.old_text.as_deref().unwrap_or_default().lines().collect();
                for line in diff.new_text.lines().filter(|line| !old.contains(line)) {
                    self.line(&self.paint(Tone::Good, &format!("    + {line}")));
                }
            }
        }
    }
}

/// An option as the cells of its row.
fn row(option: &ConfigOption) -> [String; 4] {
    let (now, offered) = match option.current() {
        Some(CurrentValue::Id(id)) => (id.to_owned(), option.values().join(", ")),
        Some(CurrentValue::Boolean(on)) => (on.to_string(), "true, false".to_owned()),
        _ => Default::default(),
    };
    [option.id().to_owned(), now, offered, option.description().unwrap_or_default().to_owned()]
}
