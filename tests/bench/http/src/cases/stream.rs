//! Many sessions, of which a part streams: the updates of their turns, and the options of the others meanwhile.

use std::time::Instant;

use super::{Figures, Run, mib, quantile};
use crate::{Options, Result, fleet::LIMIT};

/// How many clients set options meanwhile.
const SETTERS: usize = 16;

pub async fn stream(run: Run<'_>) -> Result<Figures> {
    let (server, _first, _) = run.warm(&[]).await?;
    let Options { sessions, streaming, updates, .. } = *run.options;
    let fleet = run.fleet(&server).await?;
    let resident = server.resident()?;
    server.reset_peak()?;
    let setting = fleet.set_meanwhile(streaming..sessions, SETTERS);
    let (begin, cpu, before) = (Instant::now(), server.cpu()?, fleet.updates());
    let text = format!("yield {updates} 100");
    tokio::time::timeout(LIMIT, fleet.prompt(0..streaming, &text)).await??;
    let (took, cpu) = (begin.elapsed().as_secs_f64(), server.cpu()? - cpu);
    let sets = setting.stop().await?;
    fleet.check()?;
    let (count, expected) = (fleet.updates() - before, (streaming * updates) as u64);
    if count != expected {
        return Err(format!("{count} updates of {expected} have come").into());
    }
    Ok(vec![
        ("rate", count as f64 / took),
        ("cpu", cpu / count as f64 * 1e6),
        ("busy", cpu / took),
        ("peak", mib(server.peak()?)),
        ("grown", mib(server.peak()? - resident)),
        ("sets", sets.len() as f64 / took),
        ("p50", quantile(&sets, 0.5) / 1e3),
        ("p99", quantile(&sets, 0.99) / 1e3),
    ])
}
