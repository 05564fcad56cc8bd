//! Our client drives the same agents over the network: the servers of HTTP and WebSocket that the SDKs have.

use std::process::Stdio;

use acp_client::{Endpoint, http::Http, values::StopReason};
use acp_tests::packages::{self, Installed, rust};
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::{Child, Command},
};

use crate::agents::{
    install, node,
    person::Person,
    python,
    sdk::{Manners, Strangers, converse},
    source, target, within_limit,
};

/// The ways to a server.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Http1,
    Http2,
    WebSocket,
}

/// A server, until its drop.
struct Server {
    url: String,
    _process: Child,
}

impl Server {
    /// Starts a server whose first line is its URL.
    async fn start(mut command: Command) -> Self {
        let mut process = command.stdout(Stdio::piped()).kill_on_drop(true).spawn().unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let url = lines.next_line().await.unwrap().expect("it says its URL");
        Self { url, _process: process }
    }
}

async fn drive(start: &impl Fn() -> Command, ways: &[Way], manners: &Manners) {
    for way in ways {
        // The script counts sessions, and the agents keep them for all connections.
        let server = Server::start(start()).await;
        let http = match way {
            Way::Http1 => Http::new(&server.url),
            Way::Http2 => Http::new(&server.url).prior_knowledge(true),
            Way::WebSocket => Http::new(server.url.replace("http:", "ws:")),
        };
        let folder = tempfile::tempdir().unwrap();
        let cwd = folder.path().canonicalize().unwrap();
        let person = Person::new();
        let driving = async {
            let connection = Endpoint::over(http).connect_as(person.clone()).await.unwrap();
            converse(&connection, &person, &cwd, manners).await;
            connection.close().await.unwrap();
        };
        within_limit(driving).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_client_drives_an_agent_on_the_typescript_sdk_over_the_network() {
    let Some(installed) = install(&packages::TYPESCRIPT) else { return };
    let start = node(installed, "example-agent.mjs");
    let start = || {
        let mut command = start();
        command.arg("--http");
        command
    };
    let manners = Manners {
        cancelled: StopReason::Cancelled,
        cancelled_asking: StopReason::EndTurn,
        closes: true,
        strangers: Strangers::Refused,
        version: 1,
    };
    // Node's own server speaks HTTP/1.1.
    drive(&start, &[Way::Http1, Way::WebSocket], &manners).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_client_drives_an_agent_on_the_rust_sdk_over_the_network() {
    let agent = rust::build(target(), "example-agent").unwrap();
    let start = || {
        let mut command = Command::new(&agent);
        command.arg("--http");
        command
    };
    let manners = Manners {
        cancelled: StopReason::Cancelled,
        cancelled_asking: StopReason::Cancelled,
        closes: true,
        strangers: Strangers::Refused,
        version: 1,
    };
    drive(&start, &[Way::Http1, Way::Http2, Way::WebSocket], &manners).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_client_drives_an_agent_on_the_python_sdk_over_the_network() {
    let Some(Installed { folder, .. }) = install(&packages::PYTHON_HTTP) else { return };
    let start = || {
        let mut command = Command::new(python(&folder));
        command.arg("-B").arg(source("python/serve.py"));
        command
    };
    // Over HTTP, the server knows only the sessions that it has opened on this connection.
    for (ways, strangers) in
        [(&[Way::Http1, Way::Http2][..], Strangers::Mute), (&[Way::WebSocket][..], Strangers::Welcome)]
    {
        let manners = Manners {
            cancelled: StopReason::EndTurn,
            cancelled_asking: StopReason::EndTurn,
            closes: false,
            strangers,
            version: 1,
        };
        drive(&start, ways, &manners).await;
    }
}
