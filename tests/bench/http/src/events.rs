//! Event streams: the messages in their pieces.

use memchr::memmem;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::Result;

/// The events of one stream. A piece may end in the middle of an event.
#[derive(Default)]
pub struct Events {
    rest: Vec<u8>,
}

/// What a server has said.
pub enum Said<'m> {
    /// An update, or another notification.
    Update,
    Answer {
        id: u64,
        result: Result<&'m str>,
    },
}

impl Events {
    /// Hands each event of a piece over: its id, which may be empty, and its data.
    pub fn read(&mut self, piece: &[u8], mut each: impl FnMut(&[u8], &[u8]) -> Result<()>) -> Result<()> {
        if self.rest.is_empty() {
            let read = whole(piece, &mut each)?;
            self.rest.extend_from_slice(&piece[read..]);
        } else {
            self.rest.extend_from_slice(piece);
            let read = whole(&self.rest, &mut each)?;
            self.rest.drain(..read);
        }
        Ok(())
    }
}

/// Reads the events that are whole, and returns their bytes.
fn whole(piece: &[u8], each: &mut impl FnMut(&[u8], &[u8]) -> Result<()>) -> Result<usize> {
    let mut start = 0;
    for end in memmem::find_iter(piece, b"\n\n") {
        let (mut id, mut data) = (&b""[..], None);
        for line in piece[start..end].split(|byte| *byte == b'\n') {
            if let Some(text) = line.strip_prefix(b"data:") {
                data = Some(text.trim_ascii_start());
            } else if let Some(text) = line.strip_prefix(b"id:") {
                id = text.trim_ascii_start();
            }
        }
        // Without data, it is a comment or a place.
        if let Some(data) = data {
            each(id, data)?;
        }
        start = end + 2;
    }
    Ok(start)
}

impl<'m> Said<'m> {
    pub fn read(data: &'m [u8]) -> Result<Self> {
        #[derive(Deserialize)]
        struct Answer<'m> {
            id: u64,
            #[serde(borrow)]
            result: Option<&'m RawValue>,
            #[serde(borrow)]
            error: Option<&'m RawValue>,
        }
        // Most messages are updates. All servers write the method near the begin.
        if memmem::find(&data[..data.len().min(64)], br#""method":"#).is_some() {
            return Ok(Self::Update);
        }
        let Answer { id, result, error } = serde_json::from_slice(data)?;
        let result = match (result, error) {
            (Some(result), None) => Ok(result.get()),
            (_, Some(error)) => Err(format!("the server answered {error}").into()),
            (None, None) => Err("an answer without a result".into()),
        };
        Ok(Self::Answer { id, result })
    }
}
