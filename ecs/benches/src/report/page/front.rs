//! The first page, `REPORT.md`: one screen with wins and losses, and links to the other pages.

use super::Sources;
use crate::goals::{Outcome, judge};
use crate::report::markdown::{Markdown, Side};
use crate::report::words;
use crate::results::{Comparison, Library, Results};

/// The workloads of the table, with the number of entities.
const ROWS: [(&str, u32); 10] = [
    ("simple_iter_for_each", 10_000),
    ("simple_iter_for", 10_000),
    ("frag_iter", 520),
    ("simple_insert", 10_000),
    ("add_remove", 10_000),
    ("random_access", 10_000),
    ("churn", 100_000),
    ("schedule", 10_000),
    ("rare_random", 1_000_000),
    ("save", 1_000_000),
];

/// The number of losses that the page lists.
const LOSSES: usize = 5;

/// Renders the page.
pub(super) fn front(sources: &Sources<'_>) -> String {
    let mut page = Markdown::default();
    page.heading(1, "`ecs` beside its peers");
    if sources.speed.quick || sources.sweep.is_some_and(|sweep| sweep.quick) {
        page.text("**These are the figures of a quick run. They are rough: do not rely on them.**");
    }
    page.text(
        "Times and memory beside hand-written arrays and other libraries, each in its fastest safe form, all \
         measured in one run of one program. Each dot is a workload: the time of `ecs` divided by the time of the best other library \
         for that workload.",
    );
    page.text("[![The time of `ecs`, compared with the best peer, for each workload](results/summary.svg)](report/tables.md)");
    table(&mut page, sources);
    for results in [Some(sources.speed), sources.other_processor].into_iter().flatten() {
        page.text(&balance(results));
    }
    losses(&mut page, sources.speed);
    links(&mut page, sources);
    page.0
}

fn table(page: &mut Markdown, sources: &Sources<'_>) {
    let mut head = vec!["workload", "entities", "`ecs`", "arrays", "best peer", "x peer"];
    let mut sides = vec![Side::Left, Side::Right, Side::Right, Side::Right, Side::Left, Side::Right];
    if sources.other_processor.is_some() {
        head.push("x peer, second processor");
        sides.push(Side::Right);
    }
    let lines = ROWS.iter().filter_map(|&(workload, count)| {
        let measured = sources.speed.find(workload, count)?;
        let Comparison { ours, peer, .. } = measured.comparison()?;
        let unit = |figure| words::with_unit(figure, measured.row.measure);
        let mut line = vec![
            format!("[{workload}](report/tables.md#{workload}): {}", measured.row.what),
            words::count(count),
            unit(ours.1.median),
            measured.arrays().map_or("-".to_owned(), |(_, cell)| unit(cell.median)),
            format!("{}, {}", peer.0.name, unit(peer.1.median)),
            words::ratio(ours.1.median, Some(peer.1.median)),
        ];
        if let Some(other) = sources.other_processor {
            let comparison = other.find(workload, count).and_then(|measured| measured.comparison());
            line.push(comparison.map_or("-".to_owned(), |other| words::ratio(other.ratio(), Some(1.0))));
        }
        Some(line)
    });
    page.table(&head, &sides, lines);
}

/// The numbers of wins and of missed goals on a processor.
fn balance(results: &Results) -> String {
    let compared: Vec<_> = results.comparisons().collect();
    let ahead = compared.iter().filter(|comparison| comparison.ratio() < 1.0).count();
    let judgements = judge(results);
    let of = |outcome| judgements.iter().filter(|judgement| judgement.outcome == outcome).count();
    let (missed, reached) = (of(Outcome::Missed), of(Outcome::Reached));
    format!(
        "{}: `ecs` is ahead of every peer in {ahead} of {} tables, and misses {missed} of its {} [goals](report/goals.md).",
        results.machine.title(),
        compared.len(),
        missed + reached,
    )
}

fn losses(page: &mut Markdown, results: &Results) {
    let mut losses: Vec<_> = results.comparisons().filter(|comparison| comparison.ratio() > 1.0).collect();
    losses.sort_by(|a, b| b.ratio().total_cmp(&a.ratio()));
    if losses.is_empty() {
        return;
    }
    let loss = |comparison: &Comparison<'_>| {
        let row = comparison.measured.row;
        let without = comparison.measured.best(Library::is_ungrouped_peer);
        let ours = comparison.ours.1.median;
        let groups = match without {
            Some((library, cell)) if library.name != comparison.peer.0.name => {
                format!("; {} of `{}`, without groups", words::ratio(ours, Some(cell.median)), library.name)
            }
            _ => String::new(),
        };
        format!(
            "[{}](report/tables.md#{}), {}: {} times the time of `{}`{groups}",
            row.workload,
            row.workload,
            words::entities(row.entities),
            words::ratio(comparison.ratio(), Some(1.0)),
            comparison.peer.0.name,
        )
    };
    page.text("The largest losses, of [all, with the reasons](report/losses.md):");
    page.list(losses.iter().take(LOSSES).map(loss));
}

fn links(page: &mut Markdown, sources: &Sources<'_>) {
    let second = if sources.other_processor.is_some() { ", on both processors" } else { "" };
    page.heading(2, "The other pages");
    page.list([
        format!("[Tables](report/tables.md): every workload with all libraries{second}"),
        "[Where a peer is faster](report/losses.md), why, and what to do instead".to_owned(),
        "[Goals](report/goals.md): goals missed, with what was tried, and goals reached".to_owned(),
        "[Settings](report/settings.md): the same with cargo's own settings".to_owned(),
        "[Threads, and many entities](report/scale.md)".to_owned(),
        "[Plots](report/plots.md): the cost of an entity, by the number of entities".to_owned(),
        "[Compile time](report/compile.md)".to_owned(),
        "[What else was tried](report/tried.md)".to_owned(),
        "[Method](report/method.md): machines, versions, how it is measured, and how to run it".to_owned(),
    ]);
}
