//! A proxy that cuts connections after a number of bytes.

use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex,
        atomic::{AtomicI64, AtomicU16, AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::watch,
    task::JoinHandle,
};

/// A proxy to a server, until its drop. All connections through it are cut together.
pub(crate) struct Proxy {
    pub(crate) url: String,
    state: Arc<State>,
    listening: JoinHandle<()>,
}

struct State {
    /// The port of the server.
    port: AtomicU16,
    /// The bytes from the server that still pass before the cut; negative if there will be none.
    left: AtomicI64,
    /// The same for the cuts behind it.
    further: Mutex<VecDeque<i64>>,
    /// The same for the bytes to the server.
    left_up: AtomicI64,
    cuts: AtomicUsize,
    /// The bytes that have passed.
    passed: AtomicUsize,
    cut: watch::Sender<usize>,
    /// Whether connections are taken.
    is_up: Mutex<bool>,
}

impl Proxy {
    pub(crate) async fn to(port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://127.0.0.1:{}/acp", listener.local_addr().unwrap().port());
        let state = Arc::new(State {
            port: AtomicU16::new(port),
            left: AtomicI64::new(-1),
            further: Mutex::default(),
            left_up: AtomicI64::new(-1),
            cuts: AtomicUsize::new(0),
            passed: AtomicUsize::new(0),
            cut: watch::Sender::new(0),
            is_up: Mutex::new(true),
        });
        let shared = state.clone();
        let listening = tokio::spawn(async move {
            loop {
                let (client, _) = listener.accept().await.unwrap();
                if *shared.is_up.lock().unwrap() {
                    let port = shared.port.load(Ordering::SeqCst);
                    let server = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
                    tokio::spawn(pass(client, server, shared.clone()));
                }
            }
        });
        Self { url, state, listening }
    }

    /// Cuts all connections when so many bytes more have come from the server.
    pub(crate) fn cut_after(&self, bytes: u64) {
        self.cut_after_each([bytes]);
    }

    /// The same, and again when so many bytes more have come behind the last cut.
    pub(crate) fn cut_after_each(&self, bytes: impl IntoIterator<Item = u64>) {
        *self.state.further.lock().unwrap() = bytes.into_iter().map(|bytes| bytes.try_into().unwrap()).collect();
        self.state.arm();
    }

    /// Waits until all that was lost has come back, and nothing is on its way.
    pub(crate) async fn is_quiet(&self) {
        let mut last = usize::MAX;
        while std::mem::replace(&mut last, self.state.passed.load(Ordering::SeqCst)) != last {
            tokio::time::sleep(Duration::from_millis(400)).await;
        }
    }

    /// No cut comes.
    pub(crate) fn disarm(&self) {
        self.state.further.lock().unwrap().clear();
        self.state.left.store(-1, Ordering::SeqCst);
    }

    /// Cuts all connections when so many bytes more have come from the client.
    pub(crate) fn cut_after_up(&self, bytes: u64) {
        self.state.left_up.store(bytes.try_into().unwrap(), Ordering::SeqCst);
    }

    /// How often all connections were cut.
    pub(crate) fn cuts(&self) -> usize {
        self.state.cuts.load(Ordering::SeqCst)
    }

    /// Cuts all connections now, and takes no others until [`Self::up`].
    pub(crate) fn down(&self) {
        *self.state.is_up.lock().unwrap() = false;
        self.state.cut_all();
    }

    /// Leads to another server from here on.
    pub(crate) fn leads_to(&self, port: u16) {
        self.state.port.store(port, Ordering::SeqCst);
    }

    pub(crate) fn up(&self) {
        *self.state.is_up.lock().unwrap() = true;
    }
}

impl State {
    fn arm(&self) {
        self.left.store(self.further.lock().unwrap().pop_front().unwrap_or(-1), Ordering::SeqCst);
    }

    fn cut_all(&self) {
        self.arm();
        self.left_up.store(-1, Ordering::SeqCst);
        self.cuts.fetch_add(1, Ordering::SeqCst);
        self.cut.send_modify(|cut| *cut += 1);
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.listening.abort();
        self.state.cut_all();
    }
}

async fn pass(client: TcpStream, server: TcpStream, state: Arc<State>) {
    let mut cut = state.cut.subscribe();
    cut.mark_unchanged();
    for stream in [&client, &server] {
        stream.set_nodelay(true).unwrap();
    }
    let ((mut from_client, mut to_client), (mut from_server, mut to_server)) =
        (client.into_split(), server.into_split());
    let down = one_way(&mut from_server, &mut to_client, &state.left, &state);
    let up = one_way(&mut from_client, &mut to_server, &state.left_up, &state);
    let both = async { tokio::join!(down, up) };
    tokio::select! {
        _ = both => {}
        // The drop of the halves closes both connections.
        _ = cut.changed() => {}
    }
}

async fn one_way(
    from: &mut (impl AsyncReadExt + Unpin),
    to: &mut (impl AsyncWriteExt + Unpin),
    left: &AtomicI64,
    state: &State,
) {
    let mut bytes = vec![0; 16 * 1024];
    while let Ok(count @ 1..) = from.read(&mut bytes).await {
        state.passed.fetch_add(count, Ordering::SeqCst);
        let allowed = left.load(Ordering::SeqCst);
        let passes = usize::try_from(allowed).map_or(count, |allowed| allowed.min(count));
        if to.write_all(&bytes[..passes]).await.is_err() {
            return;
        }
        if allowed >= 0 {
            let after = left.fetch_sub(passes.try_into().unwrap(), Ordering::SeqCst) - i64::try_from(passes).unwrap();
            if passes < count || after <= 0 {
                return state.cut_all();
            }
        }
    }
    let _ = to.shutdown().await;
}
