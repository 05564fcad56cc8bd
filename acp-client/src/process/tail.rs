//! Keeps the last lines of an agent's stderr. All of the stderr must be read, because a full pipe would stop the agent.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

use acp_peer::CancellationToken;
use tokio::io::{AsyncRead, AsyncReadExt};

use super::forward::Forward;

/// The number of bytes that are kept.
const BYTES: usize = 4 * 1024;

/// The use of an agent's stderr.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stderr {
    /// The last lines are kept, for errors.
    #[default]
    Keep,
    /// The last lines are kept for errors, and the stderr also goes to the client's own stderr. If nobody reads the
    /// client's stderr, the client and the agent go on: about 256 KiB wait, and a note tells how much is left out.
    Forward,
}

/// The last lines of one agent's stderr.
#[derive(Default)]
pub(crate) struct Tail {
    bytes: Mutex<VecDeque<u8>>,
    ended: CancellationToken,
    /// Cancelled when everything is forwarded; `None` if nothing is.
    forwarded: Option<CancellationToken>,
}

impl Tail {
    /// Reads `stderr` to its end.
    pub(super) fn read(mut stderr: impl AsyncRead + Send + Unpin + 'static, becomes: Stderr) -> Arc<Self> {
        let forwarded = (becomes == Stderr::Forward).then(CancellationToken::new);
        let mut forward = forwarded.as_ref().map(Forward::start);
        let tail = Arc::new(Self { forwarded, ..Self::default() });
        let (kept, _ended) = (tail.clone(), tail.ended.clone().drop_guard());
        tokio::spawn(async move {
            let _ended = _ended;
            let mut chunk = vec![0; 8 * 1024];
            while let Ok(count @ 1..) = stderr.read(&mut chunk).await {
                kept.push(&chunk[..count]);
                if let Some(forward) = &mut forward {
                    forward.push(&chunk[..count]);
                }
            }
        });
        tail
    }

    fn push(&self, bytes: &[u8]) {
        let mut kept = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(bytes);
        let over = kept.len().saturating_sub(BYTES);
        kept.drain(..over);
    }

    /// The kept text.
    pub(crate) fn text(&self) -> String {
        let mut kept = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let is_cut = kept.len() == BYTES;
        let text = String::from_utf8_lossy(kept.make_contiguous());
        let whole = if is_cut { text.split_once('\n').map_or(&*text, |(_, rest)| rest) } else { &*text };
        whole.trim_end().to_owned()
    }

    /// Waits until everything is forwarded.
    pub(super) async fn forwarded(&self) {
        if let Some(forwarded) = &self.forwarded {
            forwarded.cancelled().await;
        }
    }

    /// Waits until the stderr ends.
    pub(crate) async fn ended(&self) {
        self.ended.cancelled().await;
    }
}
