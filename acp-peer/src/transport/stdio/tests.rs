//! Every kind of descriptor that a parent process may give. The tests use descriptors of this process, and those of a
//! child process for `Stdio::take`.

use std::fs::File;
use std::io::{Read as _, Seek, Write as _};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio as Standard};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::OFlags;
use tokio::runtime::{Builder, Runtime};

use super::super::pump::tests::{SOON, echo};
use super::classify::{Calls, Direction, Kind, classify};
use super::*;

fn runtimes() -> [Runtime; 2] {
    let single = Builder::new_current_thread().enable_all().build().unwrap();
    [single, Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()]
}

/// Serves `transport` on `runtime`, on its own thread and with a time limit.
fn serve(runtime: Runtime, transport: Stdio) -> thread::JoinHandle<usize> {
    let work = move || {
        runtime.block_on(async {
            let served = tokio::spawn(echo(transport, Limits::new(), 1));
            tokio::time::timeout(SOON, served).await.expect("the transport ends in time").unwrap().unwrap()
        })
    };
    thread::spawn(move || in_time(work))
}

fn lines(count: usize, length: usize) -> String {
    (0..count).map(|number| format!("{number:06} {}\n", "x".repeat(length))).collect()
}

/// The result of `work`, which runs on its own thread. Panics after a time limit, and leaves the thread alone.
fn in_time<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (to, done) = std::sync::mpsc::channel();
    thread::spawn(move || to.send(work()));
    done.recv_timeout(2 * SOON).expect("it is done in time")
}

/// Writes `input` and closes the writer. Starts to read after `pause`, and reads to the end.
fn converse(
    mut to: impl io::Write + Send + 'static,
    from: impl io::Read + Send + 'static,
    input: &str,
    pause: Duration,
) -> String {
    let input = input.to_owned();
    let writer = thread::spawn(move || to.write_all(input.as_bytes()));
    thread::sleep(pause);
    let received = read_all(from);
    writer.join().unwrap().unwrap();
    received
}

fn read_all(mut from: impl io::Read + Send + 'static) -> String {
    in_time(move || {
        let mut received = String::new();
        from.read_to_string(&mut received).map(|_| received)
    })
    .unwrap()
}

fn blocks(fd: impl AsFd) -> bool {
    !rustix::fs::fcntl_getfl(fd).unwrap().contains(OFlags::NONBLOCK)
}

#[test]
fn pipes_are_served_by_readiness_and_left_as_they_were() {
    for (runtime, (count, length)) in runtimes().into_iter().zip([(3, 10), (3000, 1500)]) {
        let (input, to) = io::pipe().unwrap();
        let (from, output) = io::pipe().unwrap();
        let (input_too, output_too) = (input.try_clone().unwrap(), output.try_clone().unwrap());
        assert!(matches!(classify(input.try_clone().unwrap().into(), Direction::In), Kind::Ready(_, Calls::File)));
        let served = serve(runtime, Stdio::from_fds(input, output));
        let expected = lines(count, length);
        thread::sleep(Duration::from_millis(20));
        assert!(blocks(&input_too) && blocks(&output_too), "others share these open files");
        drop((input_too, output_too));
        assert_eq!(converse(to, from, &expected, Duration::from_millis(100)), expected);
        assert_eq!(served.join().unwrap(), count);
    }
}

#[test]
fn sockets_are_served_by_readiness_and_left_as_they_were() {
    for (runtime, (count, length)) in runtimes().into_iter().zip([(3, 10), (3000, 1500)]) {
        let (input, to) = UnixStream::pair().unwrap();
        let (from, output) = UnixStream::pair().unwrap();
        let shared = [input.try_clone().unwrap(), output.try_clone().unwrap()];
        assert!(matches!(classify(input.try_clone().unwrap().into(), Direction::In), Kind::Ready(_, Calls::Socket)));
        let served = serve(runtime, Stdio::from_fds(input, output));
        thread::sleep(Duration::from_millis(20));
        assert!(shared.iter().all(blocks), "others share these open files");
        drop(shared);
        let expected = lines(count, length);
        assert_eq!(converse(to, from, &expected, Duration::from_millis(100)), expected);
        assert_eq!(served.join().unwrap(), count);
    }
}

#[test]
fn one_socket_serves_both_ways() {
    for runtime in runtimes() {
        let (near, mut far) = UnixStream::pair().unwrap();
        let served = serve(runtime, Stdio::from_fds(near.try_clone().unwrap(), near));
        far.write_all(b"one\n").unwrap();
        let mut received = [0; 4];
        far.set_read_timeout(Some(SOON)).unwrap();
        far.read_exact(&mut received).unwrap();
        assert_eq!(&received, b"one\n");
        far.write_all(b"two").unwrap();
        far.shutdown(std::net::Shutdown::Write).unwrap();
        assert_eq!(read_all(far), "two\n");
        assert_eq!(served.join().unwrap(), 2);
    }
}

#[test]
fn files_are_served_by_threads() {
    for runtime in runtimes() {
        let mut input = tempfile::tempfile().unwrap();
        let mut output = tempfile::tempfile().unwrap();
        let expected = lines(2000, 300);
        input.write_all(expected.as_bytes()).unwrap();
        input.rewind().unwrap();
        let served = serve(runtime, Stdio::from_fds(input, output.try_clone().unwrap()));
        assert_eq!(served.join().unwrap(), 2000);
        output.rewind().unwrap();
        assert_eq!(read_all(output), expected);
    }
}

#[test]
fn an_empty_device_and_a_full_one_end_the_connection() {
    for runtime in runtimes() {
        let empty = Stdio::from_fds(File::open("/dev/null").unwrap(), File::create("/dev/null").unwrap());
        assert_eq!(serve(runtime, empty).join().unwrap(), 0);
    }
    for runtime in runtimes() {
        let (input, mut to) = io::pipe().unwrap();
        let full = Stdio::from_fds(input, File::options().write(true).open("/dev/full").unwrap());
        let served = serve(runtime, full);
        to.write_all(b"one\n").unwrap();
        assert_eq!(served.join().unwrap(), 1, "although the input stays open");
    }
}

#[test]
fn a_pipe_with_a_name_ends_although_its_writer_left_before() {
    for runtime in runtimes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("input");
        rustix::fs::mkfifoat(rustix::fs::CWD, &path, rustix::fs::Mode::RWXU).unwrap();
        let both = File::options().read(true).write(true).open(&path).unwrap();
        let input = File::open(&path).unwrap();
        (&both).write_all(b"one\n").unwrap();
        drop(both);
        let (from, output) = io::pipe().unwrap();
        let served = serve(runtime, Stdio::from_fds(input, output));
        let received = read_all(from);
        assert_eq!((received.as_str(), served.join().unwrap()), ("one\n", 1));
    }
}

#[test]
fn a_terminal_is_served_even_when_others_made_it_non_blocking() {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    for (runtime, non_blocking) in runtimes().into_iter().zip([false, true]) {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap().into_string().unwrap();
        let extra = if non_blocking { OFlags::NONBLOCK } else { OFlags::empty() };
        let flags = OFlags::RDWR | OFlags::NOCTTY | extra;
        let terminal = rustix::fs::open(name, flags, rustix::fs::Mode::empty()).unwrap();
        let mut modes = rustix::termios::tcgetattr(&terminal).unwrap();
        modes.local_modes -= rustix::termios::LocalModes::ECHO;
        rustix::termios::tcsetattr(&terminal, rustix::termios::OptionalActions::Now, &modes).unwrap();

        let served = serve(runtime, Stdio::from_fds(terminal.try_clone().unwrap(), terminal));
        let mut master = File::from(master);
        thread::sleep(Duration::from_millis(50));
        for text in ["one", "two"] {
            master.write_all(format!("{text}\n").as_bytes()).unwrap();
            let mut received = [0; 5];
            master.read_exact(&mut received).unwrap();
            assert_eq!(received, format!("{text}\r\n").as_bytes());
        }
        // Control-D ends the input of a terminal.
        master.write_all(b"\x04").unwrap();
        assert_eq!(served.join().unwrap(), 2);
    }
}

#[test]
fn a_reader_that_leaves_ends_the_connection() {
    for runtime in runtimes() {
        let (input, mut to) = io::pipe().unwrap();
        let (from, output) = io::pipe().unwrap();
        let served = serve(runtime, Stdio::from_fds(input, output));
        to.write_all(b"one\n").unwrap();
        drop(from);
        to.write_all(b"two\n").unwrap();
        assert!(served.join().unwrap() <= 2);
    }
}

#[test]
fn a_pipe_whose_reader_has_left_before_ends_the_connection() {
    for runtime in runtimes() {
        let (input, mut to) = io::pipe().unwrap();
        let (from, output) = io::pipe().unwrap();
        drop(from);
        let served = serve(runtime, Stdio::from_fds(input, output));
        to.write_all(b"one\n").unwrap();
        assert_eq!(served.join().unwrap(), 1);
    }
}

/// This is not a test. The tests below start this program again, and run this function in the child.
#[test]
fn child() {
    let Ok(flavour) = std::env::var("ACP_STDIO_CHILD") else { return };
    let runtime = runtimes().into_iter().nth(flavour.parse().unwrap()).unwrap();
    runtime.block_on(async {
        let stdio = Stdio::take().unwrap();
        assert!(Stdio::take().unwrap_err().to_string().contains("already taken"));
        // This line separates the output of the test harness from the output of the child.
        (&File::from(stdio.output.try_clone().unwrap())).write_all(b"\nREADY\n").unwrap();
        println!("printed");
        // `cat` would take the messages, if stdin still had them.
        assert!(Command::new("sh").args(["-c", "echo from a child; cat"]).status().unwrap().success());
        for fd in [&stdio.input, &stdio.output] {
            assert!(rustix::io::fcntl_getfd(fd).unwrap().contains(rustix::io::FdFlags::CLOEXEC));
        }
        tokio::spawn(echo(stdio, Limits::new(), 1)).await.unwrap().unwrap();
    });
    std::process::exit(7);
}

fn start(flavour: usize, wrapper: Option<&str>) -> Command {
    let program = std::env::current_exe().unwrap();
    let mut command = Command::new(if wrapper.is_some() { "sh".into() } else { program.clone() });
    if let Some(script) = wrapper {
        command.args(["-c", script]).arg(program);
    }
    command.args(["transport::stdio::tests::child", "--exact", "--nocapture", "--test-threads=1"]);
    command.env("ACP_STDIO_CHILD", flavour.to_string());
    command.stderr(Standard::piped());
    command
}

/// The output after the mark, and stderr, of a child that must end by itself.
fn finish(mut child: Child, received: &str) -> (String, String) {
    let deadline = Instant::now() + SOON;
    let status = loop {
        match child.try_wait().unwrap() {
            Some(status) => break status,
            None if Instant::now() > deadline => {
                child.kill().unwrap();
                panic!("the child does not end");
            }
            None => thread::sleep(Duration::from_millis(5)),
        }
    };
    let errors = read_all(child.stderr.take().unwrap());
    assert_eq!(status.code(), Some(7), "{errors}");
    let (_, messages) = received.split_once("\nREADY\n").expect("the child got as far as its mark");
    (messages.to_owned(), errors)
}

#[test]
fn a_child_on_pipes_lets_nothing_but_messages_out() {
    for flavour in 0..2 {
        let mut child = start(flavour, None).stdin(Standard::piped()).stdout(Standard::piped()).spawn().unwrap();
        let (to, from) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let expected = lines(500, 500);
        let received = converse(to, from, &expected, Duration::ZERO);
        let (messages, errors) = finish(child, &received);
        assert_eq!(messages, expected);
        assert!(errors.contains("printed") && errors.contains("from a child"), "{errors}");
    }
}

#[test]
fn a_child_on_sockets_is_served_as_well() {
    for flavour in 0..2 {
        let (input, to) = UnixStream::pair().unwrap();
        let (from, output) = UnixStream::pair().unwrap();
        let child = start(flavour, None).stdin(OwnedFd::from(input)).stdout(OwnedFd::from(output)).spawn().unwrap();
        let expected = lines(500, 500);
        let received = converse(to, from, &expected, Duration::ZERO);
        assert_eq!(finish(child, &received).0, expected);
    }
}

#[test]
fn a_child_of_a_wrapper_shell_leaves_the_shell_its_output() {
    // A non-blocking flag on the shared pipe would make the `echo` commands of the shell fail.
    let script = r#""$0" "$@"; code=$?; i=0; while [ $i -lt 3000 ]; do echo "$i after it" || exit 1; i=$((i+1)); done; exit $code"#;
    for flavour in 0..2 {
        let mut child =
            start(flavour, Some(script)).stdin(Standard::piped()).stdout(Standard::piped()).spawn().unwrap();
        let (to, from) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let received = converse(to, from, "one\n", Duration::from_millis(300));
        let (messages, errors) = finish(child, &received);
        assert!(messages.starts_with("one\n") && messages.ends_with("2999 after it\n"), "{errors}");
    }
}

#[test]
fn a_child_without_standard_input_ends_at_once() {
    for flavour in 0..2 {
        let script = r#"exec "$0" "$@" <&-"#;
        let mut child = start(flavour, Some(script)).stdout(Standard::piped()).spawn().unwrap();
        let received = read_all(child.stdout.take().unwrap());
        assert_eq!(finish(child, &received).0, "");
    }
}
