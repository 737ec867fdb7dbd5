//! Tables of words as text, for names of other languages and libraries, and the advice for them.
//!
//! A row begins with its words. The advice stands behind two blanks, and goes on in lines that begin
//! with a blank.

/// The types of the language.
const PRIMITIVES: &str = "bool char f32 f64 i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize";

/// Whether `name` is that of a type of the language.
pub(crate) fn is_primitive(name: &str) -> bool {
    has_word(PRIMITIVES, name)
}

/// Whether `name` is one of the words.
pub(crate) fn has_word(words: &str, name: &str) -> bool {
    words.split_whitespace().any(|word| word == name)
}

/// The rows of a table: the words, and the advice.
pub(crate) fn rows(table: &str) -> Vec<(&str, String)> {
    let mut rows: Vec<(&str, String)> = Vec::new();
    for line in table.lines().filter(|line| !line.is_empty()) {
        match rows.last_mut() {
            Some((_, cure)) if line.starts_with(' ') => {
                *cure = format!("{cure} {}", line.trim()).trim().into()
            }
            _ => {
                let (words, cure) = line.split_once("  ").unwrap_or((line, ""));
                rows.push((words, cure.to_owned()));
            }
        }
    }
    rows
}

/// The advice for a word.
pub(crate) fn advice(table: &str, word: &str) -> Option<String> {
    rows(table).into_iter().find(|(words, _)| has_word(words, word)).map(|(_, cure)| cure)
}
