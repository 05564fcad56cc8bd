//! The measurements. Each case starts its own server and returns its figures.

mod reconnects;
mod sessions;
mod stalled;
mod stream;

use std::{pin::Pin, sync::Arc};

use crate::{
    Options, Result,
    cores::Cores,
    fleet::Fleet,
    programs::{Program, Server},
    wire::{Place, Version},
};

/// Figures of one run, by name.
pub type Figures = Vec<(&'static str, f64)>;

/// What a case runs on.
#[derive(Clone, Copy)]
pub struct Run<'r> {
    pub program: &'r Program,
    pub version: Version,
    pub options: &'r Options,
    pub cores: Cores,
}

type Running<'r> = Pin<Box<dyn Future<Output = Result<Figures>> + 'r>>;

pub struct Case {
    pub name: &'static str,
    pub version: Version,
    pub run: for<'r> fn(Run<'r>) -> Running<'r>,
}

use Version::{Http1, Http2};

pub const CASES: &[Case] = &[
    Case { name: "sessions", version: Http2, run: |run| Box::pin(sessions::sessions(run)) },
    Case { name: "sessions-1", version: Http1, run: |run| Box::pin(sessions::sessions(run)) },
    Case { name: "stream", version: Http2, run: |run| Box::pin(stream::stream(run)) },
    Case { name: "stream-1", version: Http1, run: |run| Box::pin(stream::stream(run)) },
    Case { name: "stalled", version: Http2, run: |run| Box::pin(stalled::stalled(run)) },
    Case { name: "stalled-1", version: Http1, run: |run| Box::pin(stalled::stalled(run)) },
    Case { name: "reconnects", version: Http2, run: |run| Box::pin(reconnects::reconnects(run)) },
    Case { name: "reconnects-1", version: Http1, run: |run| Box::pin(reconnects::reconnects(run)) },
];

pub fn names() -> String {
    CASES.iter().map(|case| case.name).collect::<Vec<_>>().join(", ")
}

impl Run<'_> {
    fn place(&self, server: &Server) -> Place {
        Place { address: server.address, version: self.version }
    }

    /// A server that has served a session already, and what it takes then, in bytes.
    async fn warm(&self, args: &[&str]) -> Result<(Server, Fleet, f64)> {
        let server = self.program.start(args, self.cores)?;
        let mut first = Fleet::new(self.place(&server), 1, 1).await?;
        first.read_all().await?;
        first.set_in_turn(0..1, 500).await?;
        first.sessions[0].prompt("stream 500 100").await?;
        let before = server.resident()?;
        Ok((server, first, before))
    }

    /// All sessions, each with its stream.
    async fn fleet(&self, server: &Server) -> Result<Arc<Fleet>> {
        let Options { connections, sessions, .. } = *self.options;
        let mut fleet = Fleet::new(self.place(server), connections, sessions).await?;
        fleet.read_all().await?;
        Ok(Arc::new(fleet))
    }
}

/// The value below which the share `part` of all values lies.
fn quantile(values: &[f64], part: f64) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    values.get(((values.len().max(1) - 1) as f64 * part).round() as usize).copied().unwrap_or(f64::NAN)
}

fn mib(bytes: f64) -> f64 {
    bytes / 1024.0 / 1024.0
}
