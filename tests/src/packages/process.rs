//! Runs a program to its end, under a time limit, and keeps its output.

use std::{
    fs::File,
    io::{Read as _, Seek as _},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// The result of a program that ended by itself or at the time limit.
pub struct Ended {
    /// The whole stdout.
    pub stdout: String,
    /// The whole stderr.
    pub stderr: String,
    /// The reason why it failed, if it failed.
    pub failure: Option<String>,
}

/// Runs `command` without input. Kills it when it has run for `limit`.
///
/// The output goes to files, so no thread has to read it while the program runs.
///
/// # Errors
///
/// The program does not start, or its end is not observable.
pub fn run(mut command: Command, limit: Duration) -> Result<Ended, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let say = |error: &dyn std::fmt::Display| format!("`{name}` could not be run: {error}");
    let mut stdout = tempfile::tempfile().map_err(|error| say(&error))?;
    let mut stderr = tempfile::tempfile().map_err(|error| say(&error))?;
    let copy = |file: &File| file.try_clone().map(Stdio::from).map_err(|error| say(&error));
    command.stdin(Stdio::null()).stdout(copy(&stdout)?).stderr(copy(&stderr)?);
    let mut child = command.spawn().map_err(|error| say(&error))?;

    let deadline = Instant::now() + limit;
    let status = loop {
        if let Some(status) = child.try_wait().map_err(|error| say(&error))? {
            break Some(status);
        }
        if Instant::now() > deadline {
            child.kill().and_then(|()| child.wait()).map_err(|error| say(&error))?;
            break None;
        }
        thread::sleep(Duration::from_millis(20));
    };
    let failure = match status {
        None => Some(format!("`{name}` was stopped after {} s", limit.as_secs())),
        Some(status) if !status.success() => Some(format!("`{name}` ended with {status}")),
        Some(_) => None,
    };
    Ok(Ended { stdout: text(&mut stdout), stderr: text(&mut stderr), failure })
}

fn text(file: &mut File) -> String {
    let mut bytes = Vec::new();
    file.rewind().and_then(|()| file.read_to_end(&mut bytes)).expect("a temporary file can be read");
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_takes_too_long_is_stopped() {
        let mut command = Command::new("sleep");
        command.arg("60");
        let begin = Instant::now();
        let ended = run(command, Duration::from_millis(100)).unwrap();
        assert!(ended.failure.unwrap().contains("stopped"));
        assert!(begin.elapsed() < Duration::from_secs(30));
    }

    #[test]
    fn a_program_that_fails_is_no_success() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo out; echo err >&2; exit 3"]);
        let ended = run(command, Duration::from_secs(30)).unwrap();
        assert_eq!((ended.stdout.as_str(), ended.stderr.as_str()), ("out\n", "err\n"));
        assert!(ended.failure.unwrap().contains('3'));
    }
}
