//! Two sequences as one list, by their longest common subsequence: lines of texts, and words of lines.

/// If the product of the two lengths exceeds this number, the parts are taken as wholly different.
const LARGEST: usize = 4_000_000;

/// Both sequences as one list: what is common (` `), and what only the old (`-`) or the new one (`+`) has.
pub(crate) fn aligned<'l>(old: &[&'l str], new: &[&'l str]) -> Vec<(char, &'l str)> {
    let same = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let (rest_old, rest_new) = (&old[same..], &new[same..]);
    let tail = rest_old.iter().rev().zip(rest_new.iter().rev()).take_while(|(old, new)| old == new).count();
    let (middle_old, middle_new) = (&rest_old[..rest_old.len() - tail], &rest_new[..rest_new.len() - tail]);
    let mut out: Vec<_> = old[..same].iter().map(|line| (' ', *line)).collect();
    if middle_old.len().saturating_mul(middle_new.len()) > LARGEST {
        out.extend(middle_old.iter().map(|line| ('-', *line)));
        out.extend(middle_new.iter().map(|line| ('+', *line)));
    } else {
        out.extend(common(middle_old, middle_new));
    }
    out.extend(rest_old[rest_old.len() - tail..].iter().map(|line| (' ', *line)));
    out
}

/// Aligns by the longest common subsequence.
fn common<'l>(old: &[&'l str], new: &[&'l str]) -> Vec<(char, &'l str)> {
    let width = new.len() + 1;
    let mut longest = vec![0u32; (old.len() + 1) * width];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            longest[i * width + j] = if old[i] == new[j] {
                longest[(i + 1) * width + j + 1] + 1
            } else {
                longest[(i + 1) * width + j].max(longest[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j, mut out) = (0, 0, Vec::new());
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            out.push((' ', old[i]));
            (i, j) = (i + 1, j + 1);
        } else if j == new.len() || (i < old.len() && longest[(i + 1) * width + j] >= longest[i * width + j + 1]) {
            out.push(('-', old[i]));
            i += 1;
        } else {
            out.push(('+', new[j]));
            j += 1;
        }
    }
    out
}
