//! Readers that stop: what the server keeps for them, and what the others notice.

use std::{ops::Range, sync::Arc, time::Duration};

use super::{Figures, Run, mib, quantile};
use crate::{
    Options, Result,
    fleet::{Fleet, LIMIT},
    programs::Server,
};

/// Each stalled turn has so many updates of 100 bytes, some 0.9 MB: more than a stream may hold back.
const UPDATES: usize = 4000;

/// Sessions that stream and are read, and clients that set options, all the time.
const OTHERS: usize = 50;
const SETTERS: usize = 8;

/// For so long each state is looked at.
const LOOK: Duration = Duration::from_secs(5);

pub async fn stalled(run: Run<'_>) -> Result<Figures> {
    let (server, _first, _) = run.warm(&[]).await?;
    let Options { streaming, sessions, .. } = *run.options;
    let fleet = run.fleet(&server).await?;
    let (stalled, others) = (0..streaming, streaming..sessions);
    // Twice, because the first time is a little slower.
    look(&fleet, others.clone()).await?;
    let alone = look(&fleet, others.clone()).await?;
    let (before, told) = (server.resident()?, fleet.updates());
    server.reset_peak()?;
    for session in &fleet.sessions[stalled.clone()] {
        session.reader.iter().for_each(|reader| reader.stall(true));
    }
    let turns = tokio::spawn({
        let (fleet, stalled) = (fleet.clone(), stalled.clone());
        async move { fleet.prompt(stalled, &format!("stream {UPDATES} 100")).await }
    });
    let filling = look(&fleet, others.clone()).await?;
    settle(&server).await?;
    let grown = server.resident()? - before;
    let beside = look(&fleet, others.clone()).await?;
    fleet.check()?;
    let peak = server.peak()? - before;
    let told_others = fleet.updates() - told;
    if turns.is_finished() {
        return Err("the turns have ended, though nobody reads them".into());
    }
    for session in &fleet.sessions[stalled.clone()] {
        session.reader.iter().for_each(|reader| reader.stall(false));
    }
    let before_rest = fleet.updates();
    tokio::time::timeout(LIMIT, turns).await???;
    // What the readers had taken already is counted when they go on.
    let rest = fleet.updates() - before_rest;
    let all = (streaming * UPDATES) as u64;
    if rest > all || rest < all / 2 {
        return Err(
            format!("{rest} updates of {all} have come to the readers that went on, {told_others} to others").into()
        );
    }
    fleet.check()?;
    let p99 = |times: &[f64]| quantile(times, 0.99);
    Ok(vec![
        ("p99 alone", p99(&alone)),
        ("p99 filling", p99(&filling)),
        ("p99", p99(&beside)),
        ("ratio", p99(&beside) / p99(&alone)),
        ("p50 alone", quantile(&alone, 0.5)),
        ("p50", quantile(&beside, 0.5)),
        ("grown", mib(grown)),
        ("peak", mib(peak)),
        ("each", grown / streaming as f64 / 1024.0),
    ])
}

/// Sets options of the sessions, while some of them stream.
async fn look(fleet: &Arc<Fleet>, among: Range<usize>) -> Result<Vec<f64>> {
    let streaming = among.start..among.start + OTHERS;
    let setting = fleet.set_meanwhile(streaming.end..among.end, SETTERS);
    let end = tokio::time::Instant::now() + LOOK;
    while tokio::time::Instant::now() < end {
        tokio::time::timeout(LIMIT, fleet.prompt(streaming.clone(), "yield 20 100")).await??;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    setting.stop().await
}

/// Waits until the server has nothing to do.
async fn settle(server: &Server) -> Result<()> {
    for _ in 0..100 {
        let cpu = server.cpu()?;
        tokio::time::sleep(Duration::from_millis(200)).await;
        if server.cpu()? - cpu < 0.01 {
            return Ok(());
        }
    }
    Err("the server does not come to rest".into())
}
