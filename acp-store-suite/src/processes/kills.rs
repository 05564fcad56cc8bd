//! `kill -9` at random moments.

use super::*;
use acp_store::KeptOption;

/// The acknowledged commits: the last turn, its last place, and the last change of options.
#[derive(Clone, Copy, Debug, Default)]
struct Told {
    turn: u64,
    seq: u64,
    set: u64,
}

/// Kills a process at random moments while it commits to the session `s`. What it was told to be kept is there whole, and
/// once. The session opens at once in the next process, although the killed one is perhaps not reaped. This is promised
/// only where the end of a process can be known: on Linux.
///
/// `child` makes the command of a child, by the number of the round. See [`child`].
///
/// # Panics
///
/// The store breaks the promise.
pub async fn survives_kills(open: impl AsyncFn() -> Arc<dyn SessionStore>, child: impl Fn(usize) -> Command) {
    let store = open().await;
    let lease = opened(&store, "s").await;
    store.release(&lease).await.expect("the lease is good");
    drop(store);
    let (mut random, mut told, mut checked) = (random(), Told::default(), Told::default());
    let mut killed = Vec::new();
    let (mut turns, mut sets, mut slowest) = (0, 0, 0);
    for round in 0..rounds_or(30) {
        let mut part = Part::start("turns", child(round));
        let opened = part.line().unwrap_or_else(|| panic!("round {round}: the session did not open, after {told:?}"));
        assert_eq!(opened[0], "opened");
        slowest = slowest.max(number(&opened[1]));
        tokio::time::sleep(Duration::from_micros(random.below(60_000))).await;
        part.child.kill().expect("it runs");
        // Lines that it printed before its end are still in the pipe.
        while let Some(line) = part.line() {
            match line[0].as_str() {
                "turn" => {
                    (told.turn, told.seq) = (number(&line[1]), number(&line[2]));
                    turns += 1;
                }
                "set" => {
                    told.set = number(&line[1]);
                    sets += 1;
                }
                other => panic!("`{other}`"),
            }
        }
        check(&open().await, &told, &mut checked).await;
        // A commit that was found stays, too, though nobody was told of it.
        told = checked;
        // The next process opens the session although this one is not reaped.
        killed.push(part);
        if random.below(2) == 0 {
            killed.clear();
        }
    }
    assert!(turns > 20 && sets > 10, "{turns} turns and {sets} changes were told: there was something to lose");
    report(&format!("{turns} turns and {sets} changes of options were told; the slowest claim took {slowest} µs"));
}

/// Checks the entries since the last check.
async fn check(store: &Store, told: &Told, checked: &mut Told) {
    let lease = store.claim(&id("s"), &claim(LONG)).await.expect("the holder was killed: the session is free");
    let kept = store.read(&id("s")).await.expect("it is there");
    store.release(&lease).await.expect("the lease is good");
    let mut new = Vec::new();
    loop {
        let page = store.replay(&id("s"), checked.seq + new.len() as u64, 100).await.expect("it is there");
        if page.is_empty() {
            break;
        }
        new.extend(page);
    }
    let mut entries = new.iter();
    while let Some(first) = entries.next() {
        checked.turn += 1;
        let words = |entry: &Entry| text(entry).split(' ').take(3).map(number).collect::<Vec<u64>>();
        let parts = words(first)[2];
        assert_eq!(words(first), [checked.turn, 1, parts], "a turn begins, and none is there twice");
        for part in 2..=parts {
            let entry = entries.next().unwrap_or_else(|| panic!("turn {} ends behind part {}", checked.turn, part - 1));
            assert_eq!(words(entry), [checked.turn, part, parts], "the turn is whole");
        }
    }
    checked.seq += new.len() as u64;
    assert!(checked.turn >= told.turn && checked.seq >= told.seq, "{told:?} was told, and {checked:?} is kept");
    assert!(checked.turn <= told.turn + 1, "only the last turn may be kept without being told");
    assert_eq!(kept.title, (checked.turn > 0).then(|| checked.turn.to_string()), "what is kept is of the last turn");
    let set = match kept.options.get("set") {
        Some(KeptOption::Id(id)) => number(id),
        _ => 0,
    };
    assert!((told.set..=told.set + 1).contains(&set), "{} was told, and {set} is kept", told.set);
    checked.set = set;
    assert_eq!(lease.last_seq(), checked.seq);
}
