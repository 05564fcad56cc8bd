//! The same client on the official SDK.

use std::{
    io::{self, BufRead, Write},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use agent_client_protocol::{
    AcpAgent, Agent, Client, Error,
    schema::ProtocolVersion,
    v1::{ConnectionTo, schema::*},
};

/// How long the program measures a slow consumer.
const WATCHED: Duration = Duration::from_secs(4);

fn tell(line: &str) {
    let mut stdout = io::stdout();
    let _ = writeln!(stdout, "{line}");
    let _ = stdout.flush();
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, agent, mode, count] = &arguments[..] else { panic!("AGENT MODE COUNT") };
    let (is_slow, count) = (mode != "read", count.clone());
    let updates = Arc::new(AtomicU64::new(0));
    let read = updates.clone();
    Client
        .v1()
        .on_receive_notification(
            async move |_: SessionNotification, _cx| {
                read.fetch_add(1, Ordering::Relaxed);
                if is_slow {
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
                Ok(())
            },
            agent_client_protocol::on_receive_notification!(),
        )
        .connect_with(agent.parse::<AcpAgent>()?, async move |connection: ConnectionTo<Agent>| {
            connection.send_request(InitializeRequest::new(ProtocolVersion::V1)).block_task().await?;
            let session = connection.send_request(NewSessionRequest::new("/")).block_task().await?.session_id;
            tell("ready");
            let mut input = io::stdin().lock().lines();
            input.next();
            let start = Instant::now();
            let text = ContentBlock::Text(TextContent::new(format!("stream {count} 100")));
            let answer = connection.send_request(PromptRequest::new(session, vec![text])).block_task();
            if is_slow {
                let _ = tokio::time::timeout(WATCHED, answer).await;
            } else {
                answer.await?;
            }
            tell(&format!("{} {}", updates.load(Ordering::Relaxed), start.elapsed().as_secs_f64()));
            input.next();
            // The program ends without waiting for the unread updates.
            std::process::exit(0)
        })
        .await
}
