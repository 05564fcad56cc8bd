//! `kill -9` at random moments. `ACP_STORE_ROUNDS` sets the number of kills.

use acp_runtime::store::OptionValue;

use super::*;

/// The acknowledged commits: the last turn, its last place, and the last change of options.
#[derive(Clone, Copy, Debug, Default)]
struct Told {
    turn: u64,
    seq: u64,
    set: u64,
}

#[tokio::test]
async fn a_killed_process_loses_no_told_commit_and_its_session_opens_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sessions.db");
    let store = open(&file, Durability::Durable).await;
    let lease = store.create(&session(), &Kept::new("/"), &polite()).await.unwrap();
    store.release(&lease).await.unwrap();
    drop(store);
    let (mut random, mut told, mut checked) = (random(), Told::default(), Told::default());
    let mut killed = Vec::new();
    let (mut turns, mut sets, mut slowest) = (0, 0, 0);
    for round in 0..rounds(30) {
        let durability = if round % 2 == 0 { Durability::Fast } else { Durability::Durable };
        let mut part = Part::start(Part::command("turns", &file, durability));
        let opened = part.line().unwrap_or_else(|| panic!("round {round}: the session did not open, after {told:?}"));
        assert_eq!(opened[0], "opened");
        slowest = slowest.max(opened[1].parse::<u64>().unwrap());
        tokio::time::sleep(Duration::from_micros(random(60_000))).await;
        part.child.kill().unwrap();
        // Lines that it printed before its end are still in the pipe.
        while let Some(line) = part.line() {
            match line[0].as_str() {
                "turn" => {
                    (told.turn, told.seq) = (line[1].parse().unwrap(), line[2].parse().unwrap());
                    turns += 1;
                }
                "set" => {
                    told.set = line[1].parse().unwrap();
                    sets += 1;
                }
                other => panic!("`{other}`"),
            }
        }
        check(&file, &told, &mut checked).await;
        // A commit that was found stays, too, though nobody was told of it.
        told = checked;
        // The next process opens the session although this one is not reaped.
        killed.push(part);
        if random(2) == 0 {
            killed.clear();
        }
    }
    assert!(turns > 20 && sets > 10, "{turns} turns and {sets} changes were told: there was something to lose");
    println!("{turns} turns and {sets} changes of options were told; the slowest claim took {slowest} µs");
}

/// Checks the entries since the last check.
async fn check(file: &Path, told: &Told, checked: &mut Told) {
    let store = open(file, Durability::Fast).await;
    let lease = store.claim(&session(), &polite()).await.expect("the holder was killed: the session is free");
    let kept = store.read(&session()).await.unwrap();
    store.release(&lease).await.unwrap();
    let mut new = Vec::new();
    loop {
        let page = store.replay(&session(), checked.seq + new.len() as u64, 100).await.unwrap();
        if page.is_empty() {
            break;
        }
        new.extend(page);
    }
    let mut entries = new.iter();
    while let Some(first) = entries.next() {
        checked.turn += 1;
        let words =
            |entry: &Entry| text(entry).split(' ').take(3).map(|word| word.parse().unwrap()).collect::<Vec<u64>>();
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
        Some(OptionValue::Id(id)) => id.parse().unwrap(),
        _ => 0,
    };
    assert!((told.set..=told.set + 1).contains(&set), "{} was told, and {set} is kept", told.set);
    checked.set = set;
    assert_eq!(lease.last_seq(), checked.seq);
}
