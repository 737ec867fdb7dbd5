//! The page of losses: the tables in which a peer is faster, and for each the reason, and what a
//! program does instead.

use super::Sources;
use crate::library::Storage;
use crate::report::markdown::{Markdown, Side};
use crate::report::words;
use crate::results::{Comparison, Library, Results};

/// The ratio from which on a loss has a reason: below, two runs differ by as much.
const NOISE: f64 = 1.03;

pub(super) fn losses(sources: &Sources<'_>) -> String {
    let mut page = Markdown::default();
    page.heading(1, "Where a peer is faster");
    table(&mut page, sources.speed);
    page.text(&sources.losses.preamble);
    let lost = lost(sources);
    for section in &sources.losses.sections {
        if lost.iter().any(|workload| section.is_on(workload)) {
            page.heading(2, &section.heading);
            page.text(&section.text);
        }
    }
    page.0
}

/// The workloads with a loss on one of the processors that no section is on.
pub(super) fn without_reason<'a>(sources: &Sources<'a>) -> Vec<&'a str> {
    let mut lost = lost(sources);
    lost.retain(|workload| sources.losses.find(workload).is_none());
    lost
}

/// The workloads with a loss on one of the processors.
fn lost<'a>(sources: &Sources<'a>) -> Vec<&'a str> {
    let runs = [Some(sources.speed), sources.other_processor];
    let all = runs.into_iter().flatten().flat_map(Results::comparisons);
    let mut lost: Vec<&str> = all
        .filter(|comparison| comparison.ratio() > NOISE)
        .map(|comparison| &*comparison.measured.row.workload)
        .collect();
    lost.sort_unstable();
    lost.dedup();
    lost
}

/// The tables in which a peer is faster, the largest ratio first.
fn table(page: &mut Markdown, results: &Results) {
    let mut behind: Vec<_> = results.comparisons().filter(|comparison| comparison.ratio() > 1.0).collect();
    behind.sort_by(|a, b| b.ratio().total_cmp(&a.ratio()));
    if behind.is_empty() {
        page.text("Nowhere.");
        return;
    }
    page.text("All tables of the first processor in which some peer has the better median.");
    let head = ["workload", "entities", "`ecs`", "best peer", "its figure", "`ecs` takes", "without groups"];
    let sides = [Side::Left, Side::Right, Side::Right, Side::Left, Side::Right, Side::Right, Side::Right];
    let line = |Comparison { measured: row, ours, peer }: &Comparison<'_>| {
        let measure = row.row.measure;
        let grouped = if peer.0.storage == Storage::GroupedSparseSets { ", with groups" } else { "" };
        let ungrouped = row.best(Library::is_ungrouped_peer).map(|(_, cell)| cell.median);
        [
            row.row.workload.clone(),
            words::count(row.row.entities),
            words::with_unit(ours.1.median, measure),
            format!("{}{grouped}", peer.0.name),
            words::with_unit(peer.1.median, measure),
            format!("{} x", words::ratio(ours.1.median, Some(peer.1.median))),
            ungrouped
                .map_or(String::new(), |other| format!("{} x", words::ratio(ours.1.median, Some(other)))),
        ]
    };
    page.table(&head, &sides, behind.iter().map(line));
}
