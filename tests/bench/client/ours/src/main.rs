//! A client on `acp-client`: `bench-client-ours AGENT MODE COUNT`. It prints `ready`, and starts a turn when it reads a
//! line from stdin. Then it prints how many updates it read and how many seconds this took. It ends when it reads the
//! next line, or when stdin ends.

use std::{
    io::{self, BufRead, Write},
    time::{Duration, Instant},
};

use acp_client::{Endpoint, Result, Session, Turn};

/// How long the program measures a slow consumer.
const WATCHED: Duration = Duration::from_secs(4);

fn tell(line: &str) {
    let mut stdout = io::stdout();
    let _ = writeln!(stdout, "{line}");
    let _ = stdout.flush();
}

async fn read(turn: &mut Turn) -> Result<u64> {
    let mut updates = 0;
    while turn.next().await?.is_some() {
        updates += 1;
    }
    Ok(updates)
}

async fn slowly(turn: &mut Turn) -> Result<u64> {
    let (mut updates, start) = (0, Instant::now());
    while start.elapsed() < WATCHED && turn.next().await?.is_some() {
        updates += 1;
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    Ok(updates)
}

/// Reads slowly while another task waits for an answer that stands behind the updates.
async fn awaited(session: &Session, turn: &mut Turn) -> u64 {
    let answer = session.set_option("model", "smart");
    tokio::select! {
        // The turn ends early when it has sent more updates than the client may keep.
        updates = slowly(turn) => updates.unwrap_or_default(),
        _ = async { let _ = answer.await; std::future::pending::<()>().await } => 0,
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, agent, mode, count] = &arguments[..] else { panic!("AGENT MODE COUNT") };
    let connection = Endpoint::program(agent).connect().await?;
    let session = connection.new_session("/").await?;
    tell("ready");
    let mut input = io::stdin().lock().lines();
    input.next();
    let start = Instant::now();
    let mut turn = session.prompt(format!("stream {count} 100")).await?;
    let updates = match &**mode {
        "read" => read(&mut turn).await?,
        "slow" => slowly(&mut turn).await?,
        _ => awaited(&session, &mut turn).await,
    };
    tell(&format!("{updates} {}", start.elapsed().as_secs_f64()));
    input.next();
    Ok(())
}
