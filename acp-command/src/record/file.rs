//! The file of a recording, which grows line by line.

use std::{
    fs::{File, OpenOptions},
    io::{self, Write as _},
    path::{Path, PathBuf},
    time::Instant,
};

use acp_judge::Party;

use crate::{exit::Failure, screen};

/// The highest number that a file's name gets.
const MOST: u32 = 100_000;

/// A recording that is being written.
pub(super) struct Tape {
    file: File,
    path: PathBuf,
    began: Instant,
    /// The lines that have not ended, of the client and of the agent.
    parts: [Vec<u8>; 2],
    has_failed: bool,
}

impl Tape {
    /// Makes a file that was not there.
    pub(super) fn create(path: &Path) -> Result<Self, Failure> {
        for number in 1..MOST {
            let path = numbered(path, number);
            match options().open(&path) {
                Ok(file) => {
                    let (parts, began) = (Default::default(), Instant::now());
                    return Ok(Self { file, path, began, parts, has_failed: false });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => {
                    let text = format!("the file of the recording, {}, cannot be made: {error}", path.display());
                    return Err(Failure::usage(text));
                }
            }
        }
        Err(Failure::usage(format!("there are {MOST} recordings of the name {}: remove some", path.display())))
    }

    /// Adds bytes of a party.
    pub(super) fn bytes(&mut self, from: Party, bytes: &[u8]) {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            let part = &mut self.parts[from as usize];
            part.extend_from_slice(piece);
            if part.ends_with(b"\n") {
                let mut line = std::mem::take(part);
                line.pop();
                self.write(from, Some(line));
            }
        }
    }

    /// Adds the end of a party's messages.
    pub(super) fn end(&mut self, from: Party) {
        let part = std::mem::take(&mut self.parts[from as usize]);
        if !part.is_empty() {
            self.write(from, Some(part));
        }
        self.write(from, None);
    }

    /// The conversation goes on without a recording that cannot be written.
    fn write(&mut self, from: Party, line: Option<Vec<u8>>) {
        let mut tape = acp_judge::Tape::new();
        tape.pass(self.began.elapsed());
        match line {
            Some(line) => tape.say(from, line),
            None => tape.hang_up(from),
        }
        if let Err(error) = self.file.write_all(tape.to_jsonl().as_bytes())
            && !std::mem::replace(&mut self.has_failed, true)
        {
            screen::tell(format_args!("acp: the recording {} is not whole: {error}", self.path.display()));
        }
    }
}

/// `trace.jsonl`, `trace.2.jsonl`, ..
fn numbered(path: &Path, number: u32) -> PathBuf {
    if number == 1 {
        return path.to_owned();
    }
    let end = path.extension().map(|end| format!(".{}", end.display())).unwrap_or_default();
    let stem = path.file_stem().unwrap_or_default().display();
    path.with_file_name(format!("{stem}.{number}{end}"))
}

/// Only this user may read a recording, because people's work is in it.
fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}
