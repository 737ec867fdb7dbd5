//! The nearest of the known names to a misspelled one, for messages.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The name in `known` that is at most two letters from `wrong`.
pub(crate) fn nearest<'n>(wrong: &str, known: &[&'n str]) -> Option<&'n str> {
    if wrong.len() > 100 {
        return None;
    }
    let (distance, name) =
        known.iter().filter(|name| !name.is_empty()).map(|name| (distance(wrong, name), *name)).min()?;
    (distance <= 2 && distance < wrong.len()).then_some(name)
}

/// The end of a message about a misspelled name: the nearest of the known names, if there is one.
pub(crate) fn meant(wrong: &str, known: &[&str]) -> String {
    nearest(wrong, known).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default()
}

/// The names in a message: `` `a`, `b` ``.
pub(crate) fn quoted<N: AsRef<str>>(names: impl IntoIterator<Item = N>) -> String {
    names.into_iter().map(|name| format!("`{}`", name.as_ref())).collect::<Vec<_>>().join(", ")
}

/// The Levenshtein distance: the number of letters to change, add or remove. Computed row by row.
fn distance(a: &str, b: &str) -> usize {
    let b: alloc::vec::Vec<char> = b.chars().collect();
    let mut row: alloc::vec::Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, other) in b.iter().enumerate() {
            let change = diagonal + usize::from(letter != *other);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_counts_each_changed_added_and_removed_letter() {
        let pairs =
            [("ab", "a", 1), ("a", "ab", 1), ("abcd", "ab", 2), ("ab", "", 2), ("kitten", "sitting", 3)];
        for (a, b, expected) in pairs {
            assert_eq!(distance(a, b), expected, "{a} {b}");
        }
    }

    #[test]
    fn names_of_more_than_a_hundred_bytes_have_no_nearest_name() {
        for (length, is_found) in [(99, true), (100, true), (101, false), (102, false)] {
            let known = "a".repeat(length);
            let wrong = alloc::format!("{}b", &known[1..]);
            assert_eq!(nearest(&wrong, &[&known]).is_some(), is_found, "{length}");
        }
    }
}
