//! Processes that take a session from one another at random moments. `ACP_STORE_ROUNDS` sets the number of takeovers.

use std::collections::BTreeMap;

use super::*;

const PROCESSES: usize = 3;

#[tokio::test]
async fn processes_that_take_a_session_from_one_another_never_both_write() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sessions.db");
    let store = open(&file, Durability::Fast).await;
    let lease = store.create(&session(), &Kept::new("/"), &polite()).await.unwrap();
    store.release(&lease).await.unwrap();
    let parts: Vec<Part> = (0..PROCESSES)
        .map(|_| {
            let mut command = Part::command("takeovers", &file, Durability::Fast);
            command.env("ACP_STORE_TIMES", rounds(60).div_ceil(PROCESSES).to_string());
            Part::start(command)
        })
        .collect();
    let (mut told, mut lost) = (BTreeMap::new(), 0);
    for mut part in parts {
        loop {
            let line = part.line().expect("the process ends well");
            match line[0].as_str() {
                "kept" => {
                    let place: u64 = line[1].parse().unwrap();
                    assert_eq!(told.insert(place, line[2].clone()), None, "two were told that entry {place} is theirs");
                }
                "lost" => lost += 1,
                "done" => break,
                other => panic!("`{other}`"),
            }
        }
    }
    let (mut found, mut last) = (BTreeMap::new(), 0);
    loop {
        let page = store.replay(&session(), last, 1000).await.unwrap();
        let Some(end) = page.last() else { break };
        last = end.seq;
        found.extend(page.iter().map(|entry| (entry.seq, text(entry))));
    }
    assert_eq!(found, told, "what is kept is what was told");
    assert_eq!(store.read(&session()).await.unwrap().title.as_ref(), found.values().last());
    assert!(lost > 0, "some leases were lost");
    println!("{} entries of {PROCESSES} processes; {lost} leases were lost", found.len());
}
