//! Names in messages and of generated items.

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;

/// The name without `r#`.
pub(crate) fn text(name: &Ident) -> String {
    name.unraw().to_string()
}

/// `Guard` → `guard`, `NightWatch` → `night_watch`, `HTTPServer` → `http_server`.
pub(crate) fn snake_case(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let mut snake = String::with_capacity(name.len() + 4);
    for (at, &letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| letters[at]);
        let next_is_lower = letters.get(at + 1).is_some_and(|next| next.is_lowercase());
        let starts_word = letter.is_uppercase()
            && before.is_some_and(|before| {
                before.is_lowercase() || (next_is_lower && (before.is_uppercase() || before.is_numeric()))
            });
        if starts_word {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

/// An identifier with this text: raw for a keyword, with a `_` appended if the keyword cannot be
/// raw.
pub(crate) fn identifier(text: &str, span: Span) -> Ident {
    match text {
        "self" | "super" | "crate" | "Self" | "_" => Ident::new(&format!("{text}_"), span),
        "gen" => Ident::new_raw(text, span),
        _ if syn::parse_str::<Ident>(text).is_err() => Ident::new_raw(text, span),
        _ => Ident::new(text, span),
    }
}

/// `` `a`, `b` `` for messages.
pub(crate) fn list(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}

/// The name in `valid` that is nearest to `wrong`, if they differ by at most two letters.
pub(crate) fn nearest<'a>(wrong: &str, valid: &'a [String]) -> Option<&'a str> {
    let (distance, name) = valid.iter().map(|name| (distance(wrong, name), name.as_str())).min()?;
    (distance <= 2 && distance < wrong.len()).then_some(name)
}

/// The number of letters that must be changed, added or removed (Levenshtein distance, by rows).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
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
    fn modules_have_the_name_in_snake_case() {
        for (camel, snake) in
            [("Guard", "guard"), ("NightWatch", "night_watch"), ("HTTPServer", "http_server")]
        {
            assert_eq!(snake_case(camel), snake);
        }
        assert_eq!(identifier("match", Span::call_site()).to_string(), "r#match");
    }

    #[test]
    fn nearest_finds_typing_mistakes_only() {
        let names = ["Patrol".to_owned(), "Chase".to_owned()];
        assert_eq!(nearest("Chace", &names), Some("Chase"));
        assert_eq!(nearest("Sleep", &names), None);
    }
}
