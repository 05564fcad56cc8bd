//! Writers that take a session from one another at random moments.

use std::collections::BTreeMap;

use super::*;

const WRITERS: u64 = 4;

/// The entries that the store has acknowledged to a writer: place and text.
type Told = Vec<(u64, String)>;

pub(super) async fn acknowledged_commits_survive_random_takeovers_and_are_kept_once(open: &impl AsyncFn() -> Store) {
    let store = open().await;
    let lease = opened(&store, "s").await;
    store.release(&lease).await.expect("the lease is good");
    let mut writers = Vec::new();
    for number in 0..WRITERS {
        writers.push(tokio::spawn(writer(open().await, number, rounds().div_ceil(WRITERS as usize))));
    }
    let mut told = BTreeMap::new();
    for writer in writers {
        for (place, text) in writer.await.expect("no writer panics") {
            assert_eq!(told.insert(place, text), None, "two writers were told that entry {place} is theirs");
        }
    }
    let kept = all(&store, &id("s"), 100).await;
    let found: BTreeMap<u64, String> = kept.iter().map(|entry| (entry.seq, text(entry).to_owned())).collect();
    // A commit that was dropped may be there, though nobody was told of it.
    for (place, text) in &told {
        assert_eq!(found.get(place), Some(text), "entry {place} was told to be kept");
    }
    let mut texts: Vec<&String> = found.values().collect();
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), found.len(), "an entry is kept twice");
    let last = found.values().last().cloned();
    assert_eq!(store.read(&id("s")).await.expect("it is there").title, last, "what is kept is of the last commit");
    assert!(found.len() >= rounds(), "each round has kept something");
}

/// Takes the session so many times, and writes until it is taken away.
async fn writer(store: Store, number: u64, rounds: usize) -> Told {
    let (mut random, owner, mut told) = (Random::new(number + 1), Owner::new(), Told::new());
    for round in 0..rounds {
        let lease = taken(&store, &owner, &mut random).await;
        let mut next = lease.last_seq() + 1;
        for part in 0..=random.below(4) {
            let said: Vec<Entry> = (next..=next + random.below(3))
                .map(|seq| message(seq, format!("writer {number}, round {round}, part {part}, at {seq}")))
                .collect();
            let mut now = kept(1);
            now.title = said.last().map(|entry| text(entry).to_owned());
            if random.below(4) == 0 {
                // It is dropped in the middle, and then repeated.
                let patience = Duration::from_micros(random.below(500));
                let _ = tokio::time::timeout(patience, store.commit(&lease, Change::all(&now).and_said(&said))).await;
            }
            match store.commit(&lease, Change::all(&now).and_said(&said)).await {
                Ok(()) => told.extend(said.iter().map(|entry| (entry.seq, text(entry).to_owned()))),
                Err(StoreError::LeaseLost { .. }) => break,
                Err(error) => panic!("expected the error `LeaseLost`, got {error:?}"),
            }
            next += said.len() as u64;
            if random.below(2) == 0 {
                tokio::time::sleep(Duration::from_micros(random.below(1000))).await;
            }
        }
        if random.below(2) == 0 {
            store.release(&lease).await.expect("a lost lease releases nothing");
        }
    }
    told
}
