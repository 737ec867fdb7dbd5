//! Tables on the terminal.

use std::fmt::Write as _;

use super::words;
use crate::effort::SWEEP_COUNTS;
use crate::goals::{Judgement, Outcome};
use crate::results::{Entry, Library, Measured, Results};

/// A row as a table of its own: a line for each library.
pub(crate) fn table(measured: Measured<'_>) -> String {
    let row = measured.row;
    let mut lines =
        vec![["", "", "median", "minimum", "x arrays", "x peer", "x any peer"].map(str::to_owned)];
    lines[0][0] = format!("{} per entity", words::unit(row.measure));
    lines.extend(measured.entries().map(|entry| line(measured, entry)));
    let mut text = format!("\n{}, {}: {}\n", row.workload, words::entities(row.entities), row.what);
    text.push_str(&aligned(&lines, 2));
    let absent: Vec<_> = measured.absent().map(|library| &*library.name).collect();
    if !absent.is_empty() {
        let _ = writeln!(text, "not there: {}", absent.join(", "));
    }
    match &row.cells[..] {
        [] => {}
        [cell] => writeln!(text, "no library to compare with: {}", cell.checksum).expect("a string"),
        [cell, ..] if row.agree() => {
            writeln!(text, "all computed the same: {}", cell.checksum).expect("a string");
        }
        cells => {
            for cell in cells {
                writeln!(text, "MISMATCH: {:<18}{}", cell.entrant, cell.checksum).expect("a string");
            }
        }
    }
    text
}

fn line(measured: Measured<'_>, (library, cell): Entry<'_>) -> [String; 7] {
    let to = |other: Option<Entry<'_>>| words::ratio(cell.median, other.map(|(_, cell)| cell.median));
    [
        library.title(),
        words::storage(library),
        words::figure(cell.median),
        words::figure(cell.minimum),
        to(measured.arrays()),
        to(measured.best(Library::is_ungrouped_peer)),
        to(measured.best(Library::is_peer)),
    ]
}

/// A swept workload: a line for each library, a column for each number of entities.
pub(crate) fn sweep_table(results: &Results, workload: &str) -> String {
    let rows = SWEEP_COUNTS.map(|count| results.find(workload, count));
    let Some(first) = rows.into_iter().flatten().next() else { return String::new() };
    let mut head = vec![format!("{} per entity", words::unit(first.row.measure))];
    head.extend(SWEEP_COUNTS.map(words::count));
    let mut lines = vec![head];
    for library in &results.libraries {
        let mut found = rows.iter().flatten().flat_map(|row| row.entries());
        if !found.any(|(other, _)| other == library) {
            continue;
        }
        let mut line = vec![library.title()];
        for row in rows {
            let cell = row.and_then(|row| row.best(|other| other == library));
            line.push(cell.map_or("-".to_owned(), |(_, cell)| words::figure(cell.median)));
        }
        lines.push(line);
    }
    format!("\n{workload}, swept: {}\n{}", first.row.what, aligned(&lines, 1))
}

/// The goals, in the order in which they were judged; nothing if there are none.
pub(crate) fn goals(judgements: &[Judgement<'_>]) -> String {
    if judgements.is_empty() {
        return String::new();
    }
    let lines: Vec<_> = judgements.iter().map(goal).collect();
    let missed = judgements.iter().filter(|judgement| judgement.outcome == Outcome::Missed).count();
    let judged = judgements.iter().filter(|judgement| judgement.outcome != Outcome::Shown).count();
    format!("\n{missed} of {judged} goals missed\n{}", aligned(&lines, 3))
}

fn goal(judgement: &Judgement<'_>) -> [String; 6] {
    let outcome = match judgement.outcome {
        Outcome::Missed => "MISSED",
        Outcome::Reached => "reached",
        Outcome::Shown => "shown",
    };
    let allowed = judgement.allowed_ratio().map(words::figure);
    [
        outcome.to_owned(),
        format!("{}, {}", judgement.workload, words::count(judgement.entities)),
        judgement.goal.clone(),
        format!("{} x {}", words::figure(judgement.ratio()), judgement.other),
        allowed.map_or(String::new(), |allowed| format!("of {allowed}")),
        words::with_unit(judgement.ours, judgement.measure),
    ]
}

/// Lines whose columns are as wide as they have to be; those from one on have their text at the
/// right.
fn aligned<L: AsRef<[String]>>(lines: &[L], right: usize) -> String {
    let columns = lines.iter().map(|line| line.as_ref().len()).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = lines.iter().filter_map(|line| line.as_ref().get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<_> = (0..columns).map(width).collect();
    let mut text = String::new();
    for line in lines {
        let mut padded = String::new();
        for (column, (cell, width)) in line.as_ref().iter().zip(&widths).enumerate() {
            let gap = if column == 0 { "" } else { "  " };
            if column < right {
                let _ = write!(padded, "{gap}{cell:<width$}");
            } else {
                let _ = write!(padded, "{gap}{cell:>width$}");
            }
        }
        text.push_str(padded.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::goals::judge;
    use crate::results::tests::results;

    #[test]
    fn table_has_both_readings_of_the_best_peer() {
        let results = results(&[(
            "add_remove",
            10_000,
            &[("arrays", 1.0), ("ecs", 2.0), ("hecs", 4.0), ("sparsey", 2.5)],
        )]);
        let text = table(results.find("add_remove", 10_000).unwrap());
        let expected = "
add_remove, 10,000 entities: what add_remove does
ns per entity                                median  minimum  x arrays  x peer  x any peer
arrays         arrays                         1.000    1.000      1.00    0.25        0.40
ecs 1.2.3      masked columns, static         2.000    2.000      2.00    0.50        0.80
hecs 1.2.3     archetypes, dynamic            4.000    4.000      4.00    1.00        1.60
sparsey 1.2.3  grouped sparse sets, dynamic   2.500    2.500      2.50    0.62        1.00
not there: gecs, bevy, shipyard
all computed the same: 0000000000000007
";
        assert_eq!(text, expected);
    }

    #[test]
    fn goals_say_how_far_they_are() {
        let results = results(&[
            ("random_access", 10_000, &[("ecs", 1.0), ("hecs", 2.0)]),
            ("one_entity", 1, &[("arrays", 1.0), ("ecs", 2.6)]),
        ]);
        let expected = "
1 of 2 goals missed
MISSED   one_entity, 1          at most 1.3 x the arrays  2.600 x arrays  of 1.300  2.600 ns
reached  random_access, 10,000  below the fastest peer      0.500 x hecs  of 1.000  1.000 ns
";
        assert_eq!(goals(&judge(&results)), expected);
        assert_eq!(goals(&[]), "");
    }

    #[test]
    fn sweep_has_a_column_for_each_count() {
        let results = results(&[("add_remove", 1, &[("ecs", 2.0)]), ("add_remove", 100, &[("ecs", 3.0)])]);
        let text = sweep_table(&results, "add_remove");
        assert!(text.ends_with("ecs 1.2.3      2.000  3.000       -          -           -\n"), "{text}");
        assert_eq!(text.lines().count(), 4);
    }
}
