//! The known word that a misspelt one probably means.

/// The word of `known` that differs least from `word`, if it differs little.
pub(super) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let distances = known.into_iter().map(|known| (distance(word, known), known));
    let (distance, known) = distances.min_by_key(|(distance, _)| *distance)?;
    (distance <= 1 + known.len() / 4).then_some(known)
}

/// The advice for a misspelt word: the nearest one, or all of them.
pub(crate) fn advice(word: &str, known: &[&str]) -> String {
    match nearest(word, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let all: Vec<_> = known.iter().map(|known| format!("`{known}`")).collect();
            format!("write one of {}", all.join(", "))
        }
    }
}

/// The number of letters to add, to remove, to change or to swap with the next one.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(64).collect(), b.chars().collect());
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = match (i, j) {
                (0, _) => j,
                (_, 0) => i,
                _ => {
                    let changed = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                    let least = changed.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
                    let is_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                    if is_swap { least.min(rows[i - 2][j - 2] + 1) } else { least }
                }
            };
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_word_is_recognised_and_another_one_is_not() {
        for word in ["x-sid", "x-sdie", "x-sides", "x_side"] {
            assert_eq!(nearest(word, ["x-side", "x-method"]), Some("x-side"), "{word}");
        }
        assert_eq!(nearest("x-metod", ["x-side", "x-method"]), Some("x-method"));
        assert_eq!(nearest("x-docs", ["x-side", "x-method"]), None);
    }
}
