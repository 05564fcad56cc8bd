//! Many sessions at rest: what they take, and how fast their options are set.

use std::{sync::Arc, time::Instant};

use super::{Figures, Run, quantile};
use crate::{Result, fleet::Fleet};

/// How many options are set one at a time.
const IN_TURN: usize = 5000;

/// How many are set by several at once, and by how many.
const TOGETHER: usize = 20_000;
const AT_ONCE: usize = 64;

pub async fn sessions(run: Run<'_>) -> Result<Figures> {
    let (server, _first, before) = run.warm(&[]).await?;
    let (connections, sessions) = (run.options.connections, run.options.sessions);
    let mut fleet = Fleet::new(run.place(&server), connections, sessions).await?;
    let rest = (server.resident()? - before) / sessions as f64;
    fleet.read_all().await?;
    let open = (server.resident()? - before) / sessions as f64;
    fleet.set_in_turn(0..sessions, 500).await?;
    let times = fleet.set_in_turn(0..sessions, IN_TURN).await?;
    let fleet = Arc::new(fleet);
    let (begin, cpu) = (Instant::now(), server.cpu()?);
    let mut setting = tokio::task::JoinSet::new();
    for part in 0..AT_ONCE {
        let fleet = fleet.clone();
        let among = part * sessions / AT_ONCE..(part + 1) * sessions / AT_ONCE;
        setting.spawn(async move { fleet.set_in_turn(among, TOGETHER / AT_ONCE).await });
    }
    while let Some(ended) = setting.join_next().await {
        ended??;
    }
    let (took, cpu) = (begin.elapsed().as_secs_f64(), server.cpu()? - cpu);
    fleet.check()?;
    let count = (TOGETHER / AT_ONCE * AT_ONCE) as f64;
    Ok(vec![
        ("rest", rest),
        ("open", open),
        ("used", (server.resident()? - before) / sessions as f64),
        ("p50", quantile(&times, 0.5)),
        ("p99", quantile(&times, 0.99)),
        ("rate", count / took),
        ("cpu", cpu / count * 1e6),
    ])
}
