//! The threads that work on the file, so that no thread of an async runtime waits for a disk.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
        mpsc::{Receiver, SendError, Sender, channel},
    },
    thread,
};

use acp_store::StoreError;
use tokio::sync::oneshot;

use crate::{db::Db, file::Settings};

type Job = Box<dyn for<'d> FnOnce(Result<&'d Db, StoreError>) + Send>;

/// The connection of a thread: none before its first job, and none after a panic.
type Seat = Mutex<Option<Db>>;

/// The jobs, and the number of those that are not done.
#[derive(Debug)]
struct Queue {
    jobs: Mutex<Receiver<Job>>,
    undone: Arc<AtomicUsize>,
}

/// Threads that take jobs from one queue. They start with the first job. Each has its own connection to the file, which it
/// opens for its first job. They end after the last job, when nobody can hand in another one.
#[derive(Debug)]
pub(crate) struct Threads {
    /// It is as long as there are calls that wait.
    jobs: Sender<Job>,
    undone: Arc<AtomicUsize>,
    /// The connection of the first thread.
    first: Arc<Seat>,
    /// The threads, until they are started.
    start: Mutex<Option<Start>>,
}

#[derive(Debug)]
struct Start {
    name: &'static str,
    number: usize,
    settings: Settings,
    queue: Arc<Queue>,
}

impl Threads {
    pub(crate) fn new(name: &'static str, number: usize, settings: &Settings) -> Self {
        let (jobs, queue) = channel();
        let undone: Arc<AtomicUsize> = Arc::default();
        let queue = Arc::new(Queue { jobs: Mutex::new(queue), undone: undone.clone() });
        let start = Start { name, number, settings: settings.clone(), queue };
        Self { jobs, undone, first: Arc::default(), start: Mutex::new(Some(start)) }
    }

    fn started(&self) -> Result<(), StoreError> {
        let mut start = locked(&self.start);
        let Some(Start { name, number, settings, queue }) = &*start else { return Ok(()) };
        for thread in 0..*number {
            let seat = if thread == 0 { self.first.clone() } else { Arc::default() };
            let (queue, settings) = (queue.clone(), settings.clone());
            thread::Builder::new()
                .name((*name).to_owned())
                .spawn(move || work(&queue, &seat, &settings))
                .map_err(|error| StoreError::unavailable(format!("a thread cannot start: {error}")))?;
        }
        *start = None;
        Ok(())
    }

    /// Hands the work to a thread, and waits for its result. If the future is dropped before a thread takes the work,
    /// the work is not done. If it is dropped later, all of it is done.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Db) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.started()?;
        let (answer, answered) = oneshot::channel();
        let job = move |db: Result<&Db, StoreError>| {
            if !answer.is_closed() {
                let _ = answer.send(db.and_then(work));
            }
        };
        let ended = || StoreError::unavailable("a thread of the store has panicked: see its message");
        self.hand_in(Box::new(job)).map_err(|_| ended())?;
        answered.await.map_err(|_| ended())?
    }

    fn hand_in(&self, job: Job) -> Result<(), SendError<Job>> {
        self.undone.fetch_add(1, Ordering::Relaxed);
        self.jobs.send(job)
    }

    /// Does the work on this thread, with the connection of the first one. `None` if a job is not done yet, or if the work
    /// itself would wait: then the work is for [`run`](Self::run). It must not wait for the disk.
    pub(crate) fn at_once<T>(&self, work: impl FnOnce(&Db) -> Option<T>) -> Option<T> {
        if self.undone.load(Ordering::Relaxed) > 0 {
            return None;
        }
        let seat = self.first.try_lock().ok()?;
        let db = seat.as_ref()?;
        let done = work(db);
        if db.has_long_log() {
            // The thread looks at the log after each job.
            let _ = self.hand_in(Box::new(|_| ()));
        }
        done
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn work(queue: &Queue, seat: &Seat, settings: &Settings) {
    let next = || locked(&queue.jobs).recv().ok();
    while let Some(job) = next() {
        let mut seat = locked(seat);
        match seat.take().map_or_else(|| Db::open(settings), Ok) {
            Err(error) => job(Err(error)),
            Ok(db) => {
                // After a panic, the end of the connection rolls its transaction back, and the next job gets a new one.
                if catch_unwind(AssertUnwindSafe(|| job(Ok(&db)))).is_ok() {
                    if db.has_long_log() {
                        db.shorten_log();
                    }
                    *seat = Some(db);
                }
            }
        }
        queue.undone.fetch_sub(1, Ordering::Relaxed);
    }
    // Here, and not where the store is dropped: the end of the last connection moves the log into the file.
    drop(locked(seat).take());
}
