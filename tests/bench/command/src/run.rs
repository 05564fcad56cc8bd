//! One run of a command: when its first byte came, when it had ended, and how much memory it took.

use std::{
    fs,
    io::Read,
    process::{Command, Stdio},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use crate::Result;

pub struct Ran {
    /// The first byte on stdout, in milliseconds since the start.
    pub first: f64,
    /// The end, in milliseconds.
    pub total: f64,
    /// The most memory that the process had, in MiB. Its children are not counted.
    pub peak: f64,
    pub text: String,
}

/// How often the peak is read. It only grows, so the last reading before the end counts.
const OFTEN: Duration = Duration::from_millis(1);

pub fn run(command: &mut Command) -> Result<Ran> {
    let begun = Instant::now();
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let mut stdout = child.stdout.take().ok_or("no stdout")?;
    let file = format!("/proc/{}/status", child.id());
    let has_ended = AtomicBool::new(false);
    let (read, peak) = thread::scope(|scope| {
        let peaks = scope.spawn(|| {
            let mut peak = 0;
            while !has_ended.load(Ordering::Relaxed) {
                peak = resident(&file).unwrap_or(peak).max(peak);
                thread::sleep(OFTEN);
            }
            peak
        });
        let read = (|| {
            let mut text = vec![0; 1];
            let first = stdout.read(&mut text).map(|_| begun.elapsed())?;
            stdout.read_to_end(&mut text)?;
            let status = child.wait()?;
            Ok::<_, std::io::Error>((text, first, begun.elapsed(), status))
        })();
        has_ended.store(true, Ordering::Relaxed);
        (read, peaks.join().unwrap_or_default())
    });
    let (text, first, total, status) = read?;
    if !status.success() {
        return Err(format!("{command:?}: {status}").into());
    }
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    Ok(Ran {
        first: milliseconds(first),
        total: milliseconds(total),
        peak: f64::from(peak) / 1024.0,
        text: String::from_utf8_lossy(&text).into_owned(),
    })
}

/// The most memory that a process had, in KiB.
fn resident(file: &str) -> Option<u32> {
    let status = fs::read_to_string(file).ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok())
}
