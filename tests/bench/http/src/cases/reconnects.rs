//! Clients that come and go: what they leave behind.

use std::{sync::Arc, time::Duration};

use tokio::task::JoinSet;

use super::{Figures, Run, mib};
use crate::{
    Result,
    fleet::{LIMIT, Session},
    link::{Counts, Link},
    programs::{Name, Server},
    wire::Place,
};

/// How often all clients come and go. The first time fills what is kept for later.
const WAVES: usize = 4;

/// How long a connection lives that nobody reads, in milliseconds.
const DETACHED: &str = "2000";

pub async fn reconnects(run: Run<'_>) -> Result<Figures> {
    let (mut server, _first, _) = run.warm(&[DETACHED]).await?;
    let place = run.place(&server);
    let resumes = run.program.name == Name::Ours;
    let base = server.numbers()?;
    let mut resident = Vec::new();
    for _ in 0..WAVES {
        let mut clients = JoinSet::new();
        let between = Duration::from_secs_f64(run.options.seconds / run.options.reconnects as f64);
        let mut tick = tokio::time::interval(between);
        for number in 0..run.options.reconnects {
            tick.tick().await;
            clients.spawn(async move { tokio::time::timeout(LIMIT, come_and_go(place, number, resumes)).await? });
        }
        while let Some(ended) = clients.join_next().await {
            ended??;
        }
        settle(&mut server, base["connections"]).await?;
        resident.push(server.resident()?);
    }
    let now = server.numbers()?;
    let left = |name: &str| now[name] - base[name];
    Ok(vec![
        ("tasks", left("tasks")),
        ("sessions", left("sessions")),
        ("connections", left("connections")),
        ("resident", mib(resident[WAVES - 1])),
        ("ratio", resident[WAVES - 1] / resident[1]),
    ])
}

async fn come_and_go(place: Place, number: usize, resumes: bool) -> Result<()> {
    let counts = Arc::<Counts>::default();
    let link = Arc::new(Link::open(place, counts.clone()).await?);
    let session = Session::new(&link).await?;
    let reader = link.read(Some(&session.id), None).await?;
    session.prompt("yield 20 100").await?;
    match number % 4 {
        // The client ends the connection.
        0 => link.delete().await,
        // It goes in the middle of a turn.
        1 => {
            let turn = session.prompt("yield 1000 100");
            let _ = tokio::time::timeout(Duration::from_millis(5), turn).await;
            Ok(())
        }
        // It loses its stream, comes back for it, and goes.
        2 if resumes => {
            let place = reader.place();
            drop(reader);
            let reader = link.read(Some(&session.id), Some(&place)).await?;
            session.prompt("yield 20 100").await?;
            drop(reader);
            Ok(())
        }
        // It goes.
        _ => Ok(()),
    }
}

/// Waits until the connections have ended that nobody reads, or for a time after which no server ends them.
async fn settle(server: &mut Server, connections: f64) -> Result<()> {
    for _ in 0..20 {
        tokio::time::sleep(Duration::from_millis(500)).await;
        if server.numbers()?["connections"] <= connections {
            // What ends with them.
            tokio::time::sleep(Duration::from_millis(500)).await;
            return Ok(());
        }
    }
    Ok(())
}
