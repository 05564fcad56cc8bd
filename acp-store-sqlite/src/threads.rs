//! The threads that work on the file, so that no thread of an async runtime waits for a disk.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, PoisonError},
    thread,
};

use acp_runtime_core::store::StoreError;
use tokio::sync::{mpsc, oneshot};

use crate::file::{Db, Settings};

/// So many calls wait in a queue. Further calls wait for room in it.
const QUEUE: usize = 64;

type Job = Box<dyn FnOnce(Result<&mut Db, StoreError>) + Send>;

/// Threads that take jobs from one queue. Each has its own connection to the file, which it opens for its first job.
/// The threads end after the last job, when nobody can hand in another one.
#[derive(Debug)]
pub(crate) struct Threads(mpsc::Sender<Job>);

impl Threads {
    pub(crate) fn start(name: &str, number: usize, settings: &Settings) -> Result<Self, StoreError> {
        let (jobs, queue) = mpsc::channel(QUEUE);
        let queue = Arc::new(Mutex::new(queue));
        for _ in 0..number {
            let (queue, settings) = (queue.clone(), settings.clone());
            thread::Builder::new()
                .name(name.to_owned())
                .spawn(move || work(&queue, &settings))
                .map_err(|error| StoreError::unavailable(format!("a thread cannot start: {error}")))?;
        }
        Ok(Self(jobs))
    }

    /// Hands the work to a thread, and waits for its result. If the future is dropped before a thread takes the work,
    /// the work is not done. If it is dropped later, all of it is done.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Db) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (answer, answered) = oneshot::channel();
        let job = move |db: Result<&mut Db, StoreError>| {
            if !answer.is_closed() {
                let _ = answer.send(db.and_then(work));
            }
        };
        let ended = |_| StoreError::unavailable("a thread of the store has panicked: see its message");
        self.0.send(Box::new(job)).await.map_err(|_| ended(()))?;
        answered.await.map_err(|_| ended(()))?
    }
}

fn work(queue: &Mutex<mpsc::Receiver<Job>>, settings: &Settings) {
    let mut db = None;
    loop {
        let job = queue.lock().unwrap_or_else(PoisonError::into_inner).blocking_recv();
        let Some(job) = job else { return };
        // After a panic the transaction was rolled back, and the next job gets a new connection.
        let done = catch_unwind(AssertUnwindSafe(|| job(opened(&mut db, settings))));
        if done.is_err() {
            db = None;
        }
    }
}

fn opened<'a>(db: &'a mut Option<Db>, settings: &Settings) -> Result<&'a mut Db, StoreError> {
    match db {
        Some(db) => Ok(db),
        none => Ok(none.insert(Db::open(settings)?)),
    }
}
