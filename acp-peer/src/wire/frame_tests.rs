//! The framer, with its input cut at every place.

use super::*;

#[derive(Clone, Debug, PartialEq)]
enum Owned {
    Line(Vec<u8>),
    TooLong(Vec<u8>),
}

fn owned(frame: Frame<'_>) -> Owned {
    match frame {
        Frame::Line(line) => Owned::Line(line.to_vec()),
        Frame::TooLong(head) => Owned::TooLong(head.to_vec()),
    }
}

fn line(text: impl AsRef<[u8]>) -> Owned {
    Owned::Line(text.as_ref().to_vec())
}

/// Feeds `input` in pieces with these lengths, repeated.
fn frames(limit: usize, input: &[u8], mut lengths: impl Iterator<Item = usize>) -> (Vec<Owned>, Framer) {
    let mut framer = Framer::new(limit);
    let (mut rest, mut found) = (input, Vec::new());
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(lengths.next().unwrap().clamp(1, rest.len()));
        framer.space().extend_from_slice(piece);
        while let Some(frame) = framer.next() {
            found.push(owned(frame));
        }
        rest = after;
    }
    found.extend(framer.finish().map(owned));
    assert_eq!(framer.finish(), None, "the last line comes once");
    (found, framer)
}

/// A small generator. A failure can be repeated with its seed.
fn random(mut state: u64) -> impl FnMut(usize) -> usize {
    move |below| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    }
}

#[test]
fn lines_are_the_same_under_every_chunking() {
    let mut random = random(7);
    for round in 0..400 {
        let mut input = if random(3) == 0 { BYTE_ORDER_MARK.to_vec() } else { Vec::new() };
        let mut expected = Vec::new();
        for _ in 0..random(20) {
            let text: Vec<u8> = (0..random(200)).map(|_| b"ab {}\"\x00\xff\xbf"[random(9)]).collect();
            input.extend_from_slice(&text);
            input.extend_from_slice(if random(2) == 0 { b"\n" } else { b"\r\n" });
            if !text.trim_ascii().is_empty() {
                expected.push(line(&text));
            }
        }
        if random(2) == 0 {
            input.extend_from_slice(b"last");
            expected.push(line("last"));
        }
        let longest = 1 + random(150);
        let (found, _) = frames(1 << 20, &input, std::iter::from_fn(|| Some(1 + random(longest))));
        assert_eq!(found, expected, "round {round}");
    }
}

#[test]
fn blank_lines_carriage_returns_and_the_mark_are_no_content() {
    let input = b"\xef\xbb\xbf\n\n  \t\r\n\r\n{}\r\n\xef\xbb\xbfx\n[]\r";
    for length in 1..input.len() {
        let (found, _) = frames(100, input, std::iter::repeat(length));
        assert_eq!(found, [line("{}"), line(b"\xef\xbb\xbfx"), line("[]")], "pieces of {length}");
    }
    assert_eq!(frames(100, b"", std::iter::repeat(1)).0, []);
    assert_eq!(frames(100, b"  \r", std::iter::repeat(1)).0, []);
}

#[test]
fn the_limit_counts_the_line_and_a_longer_one_is_reported_once() {
    let fits = [b'x'; 10];
    let input = [&fits[..], b"\n", &[b'y'; 11], b"\n{}\n", &[b'z'; 5000], b"\nab"].concat();
    let expected = [line(fits), Owned::TooLong(vec![b'y'; 10]), line("{}"), Owned::TooLong(vec![b'z'; 10]), line("ab")];
    for length in [1, 2, 3, 7, 11, 100, 10_000] {
        assert_eq!(frames(10, &input, std::iter::repeat(length)).0, expected, "pieces of {length}");
    }
    // The line has no end, so the end of the input adds no frame.
    assert_eq!(frames(10, &[b'z'; 5000], std::iter::repeat(64)).0, [Owned::TooLong(vec![b'z'; 10])]);
}

#[test]
fn a_line_over_the_limit_does_not_grow_memory() {
    let limit = 1 << 20;
    let mut framer = Framer::new(limit);
    let mut reports = 0;
    for _ in 0..3000 {
        let space = framer.space();
        let room = (space.capacity() - space.len()).min(CHUNK);
        space.extend(std::iter::repeat_n(b'x', room));
        assert!(space.capacity() <= limit + limit / 2 + 2 * CHUNK, "{}", space.capacity());
        while let Some(frame) = framer.next() {
            assert_eq!(frame, Frame::TooLong(&[b'x'; HEAD]));
            reports += 1;
        }
    }
    assert_eq!(reports, 1);
    framer.space().extend_from_slice(b"\n{}\n");
    assert_eq!(framer.next(), Some(Frame::Line(b"{}")));
}

#[test]
fn the_buffer_shrinks_after_a_huge_line_even_while_more_arrives() {
    let mut framer = Framer::new(64 << 20);
    let mut input = vec![b'x'; 10 << 20];
    input.extend_from_slice(b"\npart");
    for piece in input.chunks(CHUNK / 2) {
        framer.space().extend_from_slice(piece);
        if let Some(Frame::Line(line)) = framer.next() {
            assert_eq!(line.len(), 10 << 20);
        }
    }
    assert!(framer.space().capacity() <= KEEP, "{}", framer.buffer.capacity());
    framer.space().extend_from_slice(b"ial\n");
    assert_eq!(framer.next(), Some(Frame::Line(b"partial")));
}

#[test]
fn small_lines_never_reallocate() {
    let mut framer = Framer::new(64 << 20);
    let first = framer.space().capacity();
    for _ in 0..10_000 {
        framer.space().extend_from_slice(b"{\"a\":1}\n{\"b\":2}\n{\"c\"");
        while framer.next().is_some() {}
        framer.space().extend_from_slice(b":3}\n");
        while framer.next().is_some() {}
    }
    assert_eq!(framer.buffer.capacity(), first);
}
