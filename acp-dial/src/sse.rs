//! Events of an event stream, out of pieces of any size. An event has a bound, which parsers of other crates do not have.
//!
//! See [the format](https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream).

use std::mem;

/// How much is kept of an event that is too long.
const HEAD: usize = 4096;

/// One event.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Event {
    /// The id, if the event has one.
    pub(crate) id: Option<String>,
    /// The data. Empty if the event has none. If it is too long, only its beginning.
    pub(crate) data: Vec<u8>,
    pub(crate) is_too_long: bool,
    /// The event is of another type than `message`.
    is_other: bool,
}

impl Event {
    /// Whether the event has a message.
    pub(crate) fn is_message(&self) -> bool {
        !self.is_other && (!self.data.is_empty() || self.is_too_long)
    }
}

pub(crate) struct Parser {
    longest: usize,
    line: Vec<u8>,
    event: Event,
    has_data: bool,
    /// The rest of this line is passed over.
    skips: bool,
    /// The last byte was a carriage return, to which a line feed may belong.
    after_return: bool,
    is_first_line: bool,
}

impl Parser {
    /// A parser for events with at most `longest` bytes of data.
    pub(crate) fn new(longest: usize) -> Self {
        Self {
            longest,
            line: Vec::new(),
            event: Event::default(),
            has_data: false,
            skips: false,
            after_return: false,
            is_first_line: true,
        }
    }

    /// Reads on. Returns the events that are whole now. An event that is cut at the end of its stream is none.
    pub(crate) fn read(&mut self, mut piece: &[u8]) -> Vec<Event> {
        let mut events = Vec::new();
        if mem::take(&mut self.after_return) && piece.first() == Some(&b'\n') {
            piece = &piece[1..];
        }
        while let Some(end) = memchr::memchr2(b'\n', b'\r', piece) {
            self.grow(&piece[..end]);
            let is_return = piece[end] == b'\r';
            piece = &piece[end + 1..];
            if is_return {
                match piece.first() {
                    Some(b'\n') => piece = &piece[1..],
                    Some(_) => {}
                    None => self.after_return = true,
                }
            }
            events.extend(self.line());
        }
        self.grow(piece);
        events
    }

    fn grow(&mut self, part: &[u8]) {
        if self.skips {
            return;
        }
        self.line.extend_from_slice(part);
        // The longest name of a field that counts, and its colon and space.
        let room = (self.longest + "event: ".len()).saturating_sub(self.event.data.len());
        if self.line.len() > room {
            self.skips = true;
            self.line.truncate(room.max(HEAD));
            if field(&self.line).0 == b"data" {
                self.cut();
            }
        }
    }

    /// The data is too long.
    fn cut(&mut self) {
        if !mem::replace(&mut self.event.is_too_long, true) {
            let line = mem::take(&mut self.line);
            self.event.data.extend_from_slice(field(&line).1);
            self.event.data.truncate(HEAD.min(self.longest));
            self.event.data.shrink_to_fit();
        }
    }

    /// The end of a line.
    fn line(&mut self) -> Option<Event> {
        let line = mem::take(&mut self.line);
        if mem::take(&mut self.skips) {
            return None;
        }
        let is_first = mem::replace(&mut self.is_first_line, false);
        let line = line.strip_prefix("\u{feff}".as_bytes()).filter(|_| is_first).unwrap_or(&line);
        if line.is_empty() {
            self.has_data = false;
            let event = mem::take(&mut self.event);
            return (event != Event::default()).then_some(event);
        }
        match field(line) {
            (b"data", _) if self.event.is_too_long => {}
            (b"data", value) => {
                if mem::replace(&mut self.has_data, true) {
                    self.event.data.push(b'\n');
                }
                self.event.data.extend_from_slice(value);
                if self.event.data.len() > self.longest {
                    self.cut();
                }
            }
            (b"id", value) if !value.contains(&0) => {
                self.event.id = Some(String::from_utf8_lossy(value).into_owned());
            }
            (b"event", value) => self.event.is_other = !value.is_empty() && value != b"message",
            _ => {}
        }
        None
    }
}

/// The name and the value of a field. A comment has the name "".
fn field(line: &[u8]) -> (&[u8], &[u8]) {
    match memchr::memchr(b':', line) {
        None => (line, b""),
        Some(colon) => {
            let value = &line[colon + 1..];
            (&line[..colon], value.strip_prefix(b" ").unwrap_or(value))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The events of a text that comes in pieces of this size: id, data, too long.
    fn read(text: &str, piece: usize, longest: usize) -> Vec<(Option<String>, String, bool)> {
        let mut parser = Parser::new(longest);
        let events = text.as_bytes().chunks(piece).flat_map(|piece| parser.read(piece)).collect::<Vec<_>>();
        let shown = |event: Event| {
            let data = if event.is_message() { String::from_utf8(event.data).unwrap() } else { "-".to_owned() };
            (event.id, data, event.is_too_long)
        };
        events.into_iter().map(shown).collect()
    }

    fn event(id: &str, data: &str) -> (Option<String>, String, bool) {
        ((!id.is_empty()).then(|| id.to_owned()), data.to_owned(), false)
    }

    #[test]
    fn events_are_read_out_of_pieces_of_any_size() {
        let text = "\u{feff}id: 1\ndata: one\n\n:comment\n\n\nid:2\r\ndata:two\r\ndata: lines\r\n\r\ndata: three\rid: 3\r\r\
             event: ping\ndata: x\n\nevent: message\ndata:  four\n\nid: 5\n\nretry: 3\n\ndata: \u{fc}\nid: a\0b\nid\n\ndata: cut";
        for piece in 1..text.len() {
            assert_eq!(
                read(text, piece, 100),
                [
                    event("1", "one"),
                    event("2", "two\nlines"),
                    event("3", "three"),
                    event("", "-"),
                    event("", " four"),
                    event("5", "-"),
                    (Some(String::new()), "\u{fc}".to_owned(), false),
                ],
                "in pieces of {piece}"
            );
        }
    }

    #[test]
    fn an_event_that_is_too_long_keeps_its_beginning_and_its_id() {
        let text = format!("id: 1\ndata: {}\ndata: x\nid: 2\n\ndata: 0123456789\n\n", "x".repeat(100));
        for piece in 1..text.len() {
            let events = read(&text, piece, 10);
            assert_eq!(events[0], (Some("2".to_owned()), "x".repeat(10), true), "in pieces of {piece}");
            assert_eq!(events[1..], [event("", "0123456789")], "in pieces of {piece}");
        }
        let lines = "data: 12345\ndata: 67890\n\n";
        for piece in 1..lines.len() {
            assert_eq!(read(lines, piece, 10), [(None, "12345\n6789".to_owned(), true)], "in pieces of {piece}");
            assert_eq!(read(lines, piece, 11), [event("", "12345\n67890")]);
        }
    }

    #[test]
    fn a_comment_of_any_length_takes_no_memory() {
        let mut parser = Parser::new(10);
        for _ in 0..1000 {
            assert_eq!(parser.read(&[b':'; 1000]), []);
        }
        assert!(parser.line.len() <= HEAD + 1000, "{}", parser.line.len());
        let events = parser.read(b"\ndata: 1\n\n");
        assert_eq!(events[0].data, b"1");
    }
}
