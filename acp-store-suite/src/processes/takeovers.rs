//! Processes that take a session from one another at random moments.

use std::collections::BTreeMap;

use super::*;

const PROCESSES: usize = 3;

/// Three processes take the session `s` from one another, and write until it is taken away. What is kept is what they
/// were told to be kept: no two were told that a place is theirs. See [`survives_kills`] for the parameters.
///
/// # Panics
///
/// The store breaks the promise.
pub async fn survives_takeovers(open: impl AsyncFn() -> Arc<dyn SessionStore>, child: impl Fn(usize) -> Command) {
    let store = open().await;
    let lease = opened(&store, "s").await;
    store.release(&lease).await.expect("the lease is good");
    let times = rounds_or(60).div_ceil(PROCESSES).to_string();
    let parts: Vec<Part> = (0..PROCESSES)
        .map(|number| {
            let mut command = child(number);
            command.env("ACP_STORE_TIMES", &times);
            Part::start("takeovers", command)
        })
        .collect();
    let (mut told, mut lost) = (BTreeMap::new(), 0);
    for mut part in parts {
        loop {
            let line = part.line().expect("the process ends well");
            match line[0].as_str() {
                "kept" => {
                    let place = number(&line[1]);
                    assert_eq!(told.insert(place, line[2].clone()), None, "two were told that entry {place} is theirs");
                }
                "lost" => lost += 1,
                "done" => break,
                other => panic!("`{other}`"),
            }
        }
    }
    let found = all(&store, &id("s"), 1000).await;
    let found: BTreeMap<u64, String> = found.iter().map(|entry| (entry.seq, text(entry).to_owned())).collect();
    assert_eq!(found, told, "what is kept is what was told");
    assert_eq!(store.read(&id("s")).await.expect("it is there").title.as_ref(), found.values().last());
    assert!(lost > 0, "some leases were lost");
    report(&format!("{} entries of {PROCESSES} processes; {lost} leases were lost", found.len()));
}
