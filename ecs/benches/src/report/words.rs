//! Numbers, as they are written.

use crate::results::Library;
use crate::workload::Measure;

/// `10,000`.
pub(crate) fn count(count: u32) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 entity`, `10,000 entities`.
pub(super) fn entities(number: u32) -> String {
    format!("{} {}", count(number), if number == 1 { "entity" } else { "entities" })
}

/// With so many digits as say something.
pub(super) fn figure(figure: f64) -> String {
    match figure {
        figure if figure < 10.0 => format!("{figure:.3}"),
        figure if figure < 100.0 => format!("{figure:.2}"),
        figure if figure < 1_000.0 => format!("{figure:.1}"),
        figure if figure < f64::from(u32::MAX) => count(figure.round() as u32),
        figure => format!("{figure:.2e}"),
    }
}

/// A figure with its unit.
pub(super) fn with_unit(value: f64, measure: Measure) -> String {
    format!("{} {}", figure(value), unit(measure))
}

/// The ratio to another figure; `None` without the other.
pub(super) fn ratio(figure: f64, other: Option<f64>) -> String {
    match other.map(|other| figure / other) {
        None => "-".to_owned(),
        Some(ratio) if ratio < 10.0 => format!("{ratio:.2}"),
        Some(ratio) => format!("{ratio:.1}"),
    }
}

pub(super) fn unit(measure: Measure) -> &'static str {
    match measure {
        Measure::Time | Measure::TimeOfFresh | Measure::TimeOfPrepared => "ns",
        Measure::Memory => "bytes",
    }
}

/// `static archetypes`. Of arrays it need not be said that they are static.
pub(super) fn storage(library: &Library) -> String {
    let words = library.storage.words();
    match (library.storage.words(), library.storage.is_static()) {
        ("arrays", _) => words.to_owned(),
        (_, true) => format!("{words}, static"),
        (_, false) => format!("{words}, dynamic"),
    }
}

/// `Some words`, of `some words`.
pub(super) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_commas() {
        assert_eq!(
            [1, 999, 1_000, 65_536, 1_000_000].map(count),
            ["1", "999", "1,000", "65,536", "1,000,000"]
        );
    }

    #[test]
    fn figures_have_few_digits() {
        let figures = [0.123_45, 9.876_54, 12.345, 123.456, 12_345.6, 1e12];
        assert_eq!(figures.map(figure), ["0.123", "9.877", "12.35", "123.5", "12,346", "1.00e12"]);
        assert_eq!([ratio(1.0, Some(3.0)), ratio(40.0, Some(3.0)), ratio(1.0, None)], ["0.33", "13.3", "-"]);
    }
}
