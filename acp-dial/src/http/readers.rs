//! Connections for streams. With HTTP/2, the requests of a client share one connection, and a server bounds how many it answers at once there.
//! A stream is a request that is answered for ever: so streams are spread over connections, and none takes the place of a message.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use reqwest::Client;

use crate::net::Net;

/// So many streams share a connection. Servers take a hundred requests at least.
const STREAMS: usize = 64;

#[derive(Default)]
pub(super) struct Readers(Mutex<Vec<Shared>>);

struct Shared {
    client: Client,
    streams: usize,
}

/// The place of a stream on a connection, until its drop.
pub(super) struct Seat {
    readers: Arc<Readers>,
    number: usize,
    pub(super) client: Client,
}

impl Readers {
    /// A place for a stream.
    ///
    /// # Errors
    ///
    /// There is no further connection, for the reason that the error says.
    pub(super) fn seat(self: &Arc<Self>, net: &Net) -> Result<Seat, String> {
        let mut all = self.all();
        let number = match all.iter().position(|shared| shared.streams < STREAMS) {
            Some(number) => number,
            None => {
                let client = net.client().map_err(|error| error.to_string())?;
                all.push(Shared { client, streams: 0 });
                all.len() - 1
            }
        };
        all[number].streams += 1;
        Ok(Seat { readers: self.clone(), number, client: all[number].client.clone() })
    }

    fn all(&self) -> MutexGuard<'_, Vec<Shared>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.readers.all()[self.number].streams -= 1;
    }
}
