//! The page of tables: each workload with all libraries, and the second processor beside the first.

use super::Sources;
use crate::library::{Role, Storage};
use crate::report::markdown::{Markdown, Side};
use crate::report::words;
use crate::results::{Cell, Library, Measured, Results};

/// The columns of one processor.
const FIGURES: [&str; 5] = ["median", "minimum", "x arrays", "x peer", "x any peer"];

/// Renders the page.
pub(super) fn tables(sources: &Sources<'_>) -> String {
    let mut page = Markdown::default();
    page.heading(1, "Tables");
    page.text(
        "`x peer` compares with the best peer without groups, `x any peer` with the best of all. [How it is \
         measured](method.md) explains the figures.",
    );
    let (speed, other) = (sources.speed, sources.other_processor);
    if let Some(other) = other {
        page.text(&format!(
            "The columns on the left are of the {}, those with a `'` are of the {}.",
            speed.machine.title(),
            other.machine.title(),
        ));
    }
    let mut workloads = speed.workloads();
    for workload in other.iter().flat_map(|other| other.workloads()) {
        if !workloads.contains(&workload) {
            workloads.push(workload);
        }
    }
    for workload in workloads {
        section(&mut page, speed, other, workload);
    }
    page.0
}

/// The tables of a workload, one for each number of entities.
fn section(page: &mut Markdown, speed: &Results, other: Option<&Results>, workload: &str) {
    page.heading(2, workload);
    let rows = |results: &Results| -> Vec<u32> {
        results.rows.iter().filter(|row| row.workload == workload).map(|row| row.entities).collect()
    };
    let mut counts = rows(speed);
    counts.extend(other.map(rows).unwrap_or_default());
    counts.sort_unstable();
    counts.dedup();
    for (i, count) in counts.into_iter().enumerate() {
        let sides = [speed.find(workload, count), other.and_then(|other| other.find(workload, count))];
        let Some(row) = sides.iter().flatten().next().map(|measured| measured.row) else { continue };
        if i == 0 {
            page.text(&format!("{}.", words::capital(&row.what)));
        }
        let later =
            row.machine.as_ref().map(|machine| format!(", measured later on the {}", machine.title()));
        page.text(&format!(
            "{}, {} each{}:",
            words::capital(&words::entities(count)),
            words::unit(row.measure),
            later.unwrap_or_default()
        ));
        table(page, sides, other.is_some());
    }
}

/// One table: a line for each library, the figures of each processor side by side.
fn table(page: &mut Markdown, [first, second]: [Option<Measured<'_>>; 2], two: bool) {
    let mut libraries: Vec<&Library> = Vec::new();
    for (library, _) in [first, second].into_iter().flatten().flat_map(Measured::entries) {
        if !libraries.iter().any(|other| other.name == library.name) {
            libraries.push(library);
        }
    }
    let groups = libraries.iter().any(|library| library.storage == Storage::GroupedSparseSets);
    let columns = if groups { FIGURES.len() } else { FIGURES.len() - 1 };
    let mut head: Vec<String> = vec!["library".into(), "storage".into()];
    head.extend(FIGURES[..columns].iter().map(|&name| name.to_owned()));
    if two {
        head.extend(FIGURES[..columns].iter().map(|name| format!("{name} '")));
    }
    let mut sides = vec![Side::Right; head.len()];
    sides[..2].fill(Side::Left);
    let lines = libraries.iter().map(|library| {
        let mut line = vec![library.title(), words::storage(library)];
        line.extend(figures(first, library).into_iter().take(columns));
        if two {
            line.extend(figures(second, library).into_iter().take(columns));
        }
        if library.role == Role::Subject {
            line = line.iter().map(|cell| format!("**{cell}**")).collect();
        }
        line
    });
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    page.table(&head, &sides, lines);
    let absent = |measured: Measured<'_>| -> Vec<String> {
        measured.absent().map(|library| library.name.clone()).collect()
    };
    let absent = first.or(second).map(absent).unwrap_or_default();
    if !absent.is_empty() {
        page.text(&format!("Not measured: {}.", absent.join(", ")));
    }
}

/// The figures of a library on one processor.
fn figures(measured: Option<Measured<'_>>, library: &Library) -> [String; FIGURES.len()] {
    let none = || std::array::from_fn(|_| "-".to_owned());
    let Some(measured) = measured else { return none() };
    let Some((_, cell)) = measured.best(|other| other.name == library.name) else { return none() };
    let to = |accept: fn(&Library) -> bool| words::ratio(cell.median, measured.best(accept).map(median));
    let arrays = measured.arrays().map(median);
    [
        words::figure(cell.median),
        words::figure(cell.minimum),
        words::ratio(cell.median, arrays),
        to(Library::is_ungrouped_peer),
        to(Library::is_peer),
    ]
}

fn median((_, cell): (&Library, &Cell)) -> f64 {
    cell.median
}
