//! The agent over the HTTP crate of the official SDK. Its first line is its URL. To each line on stdin it says what it has.

#[path = "../../../official/src/agent.rs"]
mod agent;
#[path = "../../../official/src/config.rs"]
mod config;

use std::{
    io,
    sync::{Arc, Mutex, Weak},
};

use agent_client_protocol_http::AcpHttpServer;
use tokio::{net::TcpListener, runtime::Handle};

#[tokio::main(flavor = "current_thread")]
async fn main() -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}/acp", listener.local_addr()?);
    // Each connection has an agent of its own, whose sessions end with it.
    let agents: Arc<Mutex<Vec<Weak<Mutex<agent::State>>>>> = Arc::default();
    let (runtime, counted) = (Handle::current(), agents.clone());
    std::thread::spawn(move || {
        for _ in io::stdin().lines() {
            let tasks = runtime.metrics().num_alive_tasks();
            let mut agents = counted.lock().expect("no thread panics with the list");
            agents.retain(|agent| agent.strong_count() > 0);
            let sessions: usize =
                agents.iter().filter_map(Weak::upgrade).map(|agent| agent::lock(&agent).sessions.len()).sum();
            println!("tasks={tasks} sessions={sessions} connections={}", agents.len());
        }
    });
    let server = AcpHttpServer::new(move || {
        let state = Arc::default();
        agents.lock().expect("no thread panics with the list").push(Arc::downgrade(&state));
        agent::agent(state)
    });
    axum::serve(listener, server.into_router()).await
}
