//! The agent over HTTP. Its first line is its URL. To each line on stdin it says what it has. `bench-http-ours MS` ends connections that
//! nobody reads after so many milliseconds.

#[path = "../../../ours/src/agent.rs"]
mod agent;

use std::{io, sync::atomic::Ordering, time::Duration};

use acp_http::{HttpOptions, ServeHttp as _, Stats};
use tokio::runtime::Handle;

#[tokio::main(flavor = "current_thread")]
async fn main() -> io::Result<()> {
    let mut options = HttpOptions::new();
    if let Some(detached) = std::env::args().nth(1).and_then(|millis| millis.parse().ok()) {
        options = options.detached_timeout(Duration::from_millis(detached));
    }
    let server = agent::Bench.serve_http("127.0.0.1:0").options(options).bind().await?;
    println!("{}", server.url());
    let (endpoint, runtime) = (server.endpoint(), Handle::current());
    std::thread::spawn(move || {
        for _ in io::stdin().lines() {
            let tasks = runtime.metrics().num_alive_tasks();
            let sessions = agent::SESSIONS.load(Ordering::Relaxed);
            let Stats { connections, readers, stalled, resumed, .. } = endpoint.stats();
            println!(
                "tasks={tasks} sessions={sessions} connections={connections} readers={readers} stalled={stalled} resumed={resumed}"
            );
        }
    });
    server.serve().await
}
