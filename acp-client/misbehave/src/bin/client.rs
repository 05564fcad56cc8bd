//! A client of the misbehaving agent. It is a separate process, so that tests can signal it, kill it and measure it.
//!
//! The first argument selects the client's behaviour. The other arguments go to the agent. The client reports its
//! progress on stdout.

use std::{
    io::Write,
    time::{Duration, Instant},
};

use acp_client::{
    Connection, Endpoint, Result, Session, Signals, Stderr, Turn,
    parts::{Roots, Terminals},
    proxy::Proxy,
    transport::Stdio,
    values::CreateTerminalRequest,
};
use serde_json::json;
use tokio::{
    process::Command,
    runtime::Runtime,
    time::{sleep, timeout},
};

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let does = arguments.next().unwrap_or_default();
    let agent = std::env::current_exe().expect("a program has a path").with_file_name("misbehaving-agent");
    let mut command = Command::new(agent);
    command.args(arguments);
    if does == "proxy" {
        let runtime = Runtime::new().expect("a runtime starts");
        let stdio = Stdio::take().expect("nobody has taken it");
        let ended = runtime.block_on(Proxy::new().run_program(stdio, command));
        eprintln!("the proxy: {ended:?}");
        return Ok(());
    }
    let endpoint = Endpoint::command(command);
    let runtime = Runtime::new().expect("a runtime starts");
    match &*does {
        "wait" => runtime.block_on(wait(endpoint)),
        "wait and forward" => runtime.block_on(wait(endpoint.signals(Signals::Forward))),
        "save" => runtime.block_on(save(endpoint)),
        "command" => runtime.block_on(run_command(std::future::pending::<()>())),
        "command and forward" => runtime.block_on(run_command(wait(endpoint.signals(Signals::Forward)))),
        "command and exit" => runtime.block_on(run_command(async { std::process::exit(0) })),
        "drop" => {
            let connection = runtime.block_on(endpoint.connect())?;
            drop(runtime);
            drop(connection);
            say("dropped");
            std::thread::sleep(Duration::from_secs(60));
            Ok(())
        }
        "show a word" | "fill its stderr" => {
            // On its only thread, a write to stderr would stop everything.
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.expect("a runtime starts").block_on(show(endpoint.stderr(Stderr::Forward), &does))
        }
        "work" => runtime.block_on(work(endpoint)),
        "read slowly" => runtime.block_on(read_slowly(endpoint)),
        "await" => runtime.block_on(await_behind(endpoint)),
        "hear of strangers" => runtime.block_on(strangers(endpoint)),
        _ => {
            say("does not know what to do");
            Ok(())
        }
    }
}

fn say(what: &str) {
    let mut out = std::io::stdout().lock();
    // If the test has ended, nobody reads the reports, so an error does not matter.
    let _ = writeln!(out, "{what}").and_then(|()| out.flush());
}

async fn prompt(endpoint: Endpoint, text: &str) -> Result<(Connection, Session, Turn)> {
    let connection = endpoint.connect().await?;
    let session = connection.new_session("/").await?;
    let turn = session.prompt(text).await?;
    Ok((connection, session, turn))
}

/// Waits in a turn that does not end.
async fn wait(endpoint: Endpoint) -> Result<()> {
    let (_connection, _session, turn) = prompt(endpoint, "never answer").await?;
    say("ready");
    turn.finish().await.map(|_| ())
}

/// Handles Ctrl-C in the program instead of the library.
async fn save(endpoint: Endpoint) -> Result<()> {
    let connection = endpoint.connect().await?;
    let heard = tokio::signal::ctrl_c();
    tokio::pin!(heard);
    // The program receives the signal only after the first poll of `ctrl_c`.
    tokio::select! {
        biased;
        _ = &mut heard => {}
        () = sleep(Duration::from_millis(1)) => {}
    }
    say("ready");
    let _ = heard.await;
    sleep(Duration::from_millis(300)).await;
    say("saved");
    let exit = connection.close().await?;
    say(&format!("closed, {}", exit.map(|exit| exit.status.to_string()).unwrap_or_default()));
    Ok(())
}

/// Runs a command for an agent, and leaves it.
async fn run_command<T>(then: impl Future<Output = T>) -> Result<()> {
    let roots = Roots::new();
    roots.open("s", ["/"]);
    let terminals = Terminals::new(roots);
    let request = CreateTerminalRequest::new("s", "sleep 600 & exec sleep 600");
    terminals.create_terminal(request).await.expect("a shell starts");
    say("ready");
    then.await;
    Ok(())
}

/// Shows the agent's stderr.
async fn show(endpoint: Endpoint, what: &str) -> Result<()> {
    let (connection, _session, turn) = prompt(endpoint, what).await?;
    turn.finish().await?;
    say("answered");
    connection.close().await?;
    Ok(())
}

/// Runs turns without end, one after another.
async fn work(endpoint: Endpoint) -> Result<()> {
    let connection = endpoint.connect().await?;
    let session = connection.new_session("/").await?;
    say("ready");
    loop {
        session.prompt("on").await?.finish().await?;
    }
}

/// The highest memory use of this process, in KiB.
fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.unwrap_or_default().trim().trim_end_matches(" kB").to_owned()
}

async fn read_slowly(endpoint: Endpoint) -> Result<()> {
    let (_connection, _session, mut turn) = prompt(endpoint, "flood").await?;
    let began = Instant::now();
    let mut taken = 0;
    while began.elapsed() < Duration::from_secs(2) {
        turn.next().await?;
        taken += 1;
        sleep(Duration::from_millis(1)).await;
    }
    say(&json!({"peak": peak(), "taken": taken}).to_string());
    Ok(())
}

async fn await_behind(endpoint: Endpoint) -> Result<()> {
    let (connection, _session, turn) = prompt(endpoint, "flood with much").await?;
    let never = timeout(Duration::from_secs(8), connection.ext_request::<u32>("_never", &())).await;
    let pid: Result<u32> = connection.ext_request("_pid", &()).await;
    // A flood never ends by itself, so the wait needs a limit.
    let end = timeout(Duration::from_secs(10), turn.finish()).await;
    let error = end.ok().and_then(|end| end.err().map(|error| error.to_string()));
    say(&json!({"peak": peak(), "never": never.is_ok(), "answered": pid.is_ok(), "error": error}).to_string());
    Ok(())
}

async fn strangers(endpoint: Endpoint) -> Result<()> {
    let (_connection, _session, turn) = prompt(endpoint, "speak of strangers").await?;
    let end = turn.finish().await?;
    say(&json!({"peak": peak(), "reason": end.stop_reason.is_some()}).to_string());
    Ok(())
}
