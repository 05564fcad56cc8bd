//! The threads that work on the file, so that no thread of an async runtime waits for a disk.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, Sender, channel},
    },
    thread,
};

use acp_runtime_core::store::StoreError;
use rusqlite::Connection;
use tokio::sync::oneshot;

use crate::file::{Db, Settings};

type Job = Box<dyn for<'c> FnOnce(Result<&mut Db<'c>, StoreError>) + Send>;

/// Threads that take jobs from one queue. They start with the first job. Each has its own connection to the file, which it
/// opens for its first job. They end after the last job, when nobody can hand in another one.
#[derive(Debug)]
pub(crate) struct Threads {
    /// It is as long as there are calls that wait.
    jobs: Sender<Job>,
    /// The threads, until they are started.
    start: Mutex<Option<Start>>,
}

#[derive(Debug)]
struct Start {
    name: &'static str,
    number: usize,
    settings: Settings,
    queue: Arc<Mutex<Receiver<Job>>>,
}

impl Threads {
    pub(crate) fn new(name: &'static str, number: usize, settings: &Settings) -> Self {
        let (jobs, queue) = channel();
        let start = Start { name, number, settings: settings.clone(), queue: Arc::new(Mutex::new(queue)) };
        Self { jobs, start: Mutex::new(Some(start)) }
    }

    fn started(&self) -> Result<(), StoreError> {
        let mut start = self.start.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(Start { name, number, settings, queue }) = &*start else { return Ok(()) };
        for _ in 0..*number {
            let (queue, settings) = (queue.clone(), settings.clone());
            thread::Builder::new()
                .name((*name).to_owned())
                .spawn(move || work(&queue, &settings))
                .map_err(|error| StoreError::unavailable(format!("a thread cannot start: {error}")))?;
        }
        *start = None;
        Ok(())
    }

    /// Hands the work to a thread, and waits for its result. If the future is dropped before a thread takes the work,
    /// the work is not done. If it is dropped later, all of it is done.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Db<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.started()?;
        let (answer, answered) = oneshot::channel();
        let job = move |db: Result<&mut Db<'_>, StoreError>| {
            if !answer.is_closed() {
                let _ = answer.send(db.and_then(work));
            }
        };
        let ended = || StoreError::unavailable("a thread of the store has panicked: see its message");
        self.jobs.send(Box::new(job)).map_err(|_| ended())?;
        answered.await.map_err(|_| ended())?
    }
}

fn work(queue: &Mutex<Receiver<Job>>, settings: &Settings) {
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).recv().ok();
    while let Some(job) = next() {
        match Db::open(settings) {
            Err(error) => job(Err(error)),
            // After a panic, the end of the connection rolls its transaction back, and the next job gets a new one.
            Ok(connection) => drop(served(job, &connection, settings, next)),
        }
    }
}

/// Does this job and the next ones on one connection, until one panics or there are no more.
fn served(
    first: Job,
    connection: &Connection,
    settings: &Settings,
    next: impl Fn() -> Option<Job>,
) -> thread::Result<()> {
    let mut db = Db::new(connection, settings);
    let mut job = Some(first);
    while let Some(work) = job {
        catch_unwind(AssertUnwindSafe(|| work(Ok(&mut db))))?;
        job = next();
    }
    Ok(())
}
