//! The beginning of the page: missed goals, tables in which a peer is faster, reached goals. The losses come first, because readers
//! who decide whether to use the library need them most.

use super::page::{Markdown, Side};
use super::tried::Tried;
use super::words;
use crate::goals::{Judgement, Outcome, judge};
use crate::library::Storage;
use crate::results::{Entry, Library, Measured, Results};

/// Writes the summary, and says which sections of what was tried are in it.
pub(super) fn summary(page: &mut Markdown, results: &Results, tried: &Tried) -> Vec<usize> {
    let judgements = judge(results);
    let of =
        |outcome| judgements.iter().filter(move |judgement| judgement.outcome == outcome).collect::<Vec<_>>();
    let (missed, reached, shown) = (of(Outcome::Missed), of(Outcome::Reached), of(Outcome::Shown));
    let behind = behind(results);
    let compared =
        results.measured().filter(|row| row.ours().is_some() && row.best(Library::is_peer).is_some());
    page.heading(2, "Summary");
    page.text(&format!(
        "`ecs` misses {} of its {} goals. It is slower, or larger, than the best peer in {} of {} tables.",
        missed.len(),
        missed.len() + reached.len(),
        behind.len(),
        compared.count(),
    ));
    page.text(
        "The library sets these goals itself, and many require more than being the fastest. Each goal counts once \
         for each number of entities. Compile times have goals of their own, \
         [further down](#compile-time).",
    );
    page.heading(3, "Goals missed");
    let used = if missed.is_empty() {
        page.text("None.");
        Vec::new()
    } else {
        page.text(
            "The largest miss comes first. Each is followed by the optimizations that were tried, from `TRIED.md`.",
        );
        losses(page, &missed, tried)
    };
    where_behind(page, &behind);
    goals(page, "Goals reached", &reached);
    if !shown.is_empty() {
        goals(page, "Figures without a goal", &shown);
        page.text(
            "Peers with groups have no goal here: a group must be declared for the components that are iterated together.",
        );
    }
    used
}

/// The goals missed, by workload, with what was tried.
fn losses(page: &mut Markdown, missed: &[&Judgement<'_>], tried: &Tried) -> Vec<usize> {
    let mut workloads: Vec<&str> = Vec::new();
    for judgement in missed {
        if !workloads.contains(&judgement.workload) {
            workloads.push(judgement.workload);
        }
    }
    let mut used = Vec::new();
    for workload in workloads {
        page.heading(4, &format!("Missed: {workload}"));
        let of = missed.iter().filter(|judgement| judgement.workload == workload);
        page.list(of.map(|judgement| loss(judgement)));
        match tried.find(workload) {
            Some(section) if used.contains(&section) => {
                page.text(&format!(
                    "The tried optimizations stand above, in {}.",
                    tried.sections[section].heading
                ));
            }
            Some(section) => {
                used.push(section);
                page.text("What was tried:");
                page.text(&tried.sections[section].text);
            }
            None => page.text("`TRIED.md` has no section on it."),
        }
    }
    used
}

/// One goal that is missed, in sentences.
fn loss(judgement: &Judgement<'_>) -> String {
    let Judgement { entities, measure, goal, ours, other, theirs, allowed, .. } = judgement;
    format!(
        "{}: {}. The goal is {goal}: {}, from the {} of `{other}`. It takes {} times that.",
        words::entities(*entities),
        words::with_unit(*ours, *measure),
        words::with_unit(allowed.unwrap_or_default(), *measure),
        words::with_unit(*theirs, *measure),
        words::ratio(*ours, *allowed),
    )
}

fn goals(page: &mut Markdown, title: &str, judgements: &[&Judgement<'_>]) {
    page.heading(3, title);
    if judgements.is_empty() {
        page.text("None.");
        return;
    }
    let head = ["workload", "entities", "what is asked", "`ecs`", "compared with", "ratio", "ratio at most"];
    let sides = [Side::Left, Side::Right, Side::Left, Side::Right, Side::Left, Side::Right, Side::Right];
    let line = |judgement: &Judgement<'_>| {
        [
            judgement.workload.to_owned(),
            words::count(judgement.entities),
            judgement.goal.clone(),
            words::with_unit(judgement.ours, judgement.measure),
            format!("{}, {}", judgement.other, words::with_unit(judgement.theirs, judgement.measure)),
            words::figure(judgement.ratio()),
            judgement.allowed_ratio().map_or(String::new(), words::figure),
        ]
    };
    // the last column is empty where there is no goal
    let columns = if judgements.iter().all(|judgement| judgement.allowed.is_none()) { 6 } else { 7 };
    let lines = judgements.iter().map(|judgement| line(judgement)[..columns].to_vec());
    page.table(&head[..columns], &sides[..columns], lines);
}

/// A row in which a peer is better, ours, and the peer.
struct Behind<'a> {
    row: Measured<'a>,
    ours: Entry<'a>,
    peer: Entry<'a>,
}

impl Behind<'_> {
    fn ratio(&self) -> f64 {
        self.ours.1.median / self.peer.1.median
    }
}

/// Where a peer is better, the farthest first.
fn behind(results: &Results) -> Vec<Behind<'_>> {
    let mut rows: Vec<_> = results
        .measured()
        .filter_map(|row| Some(Behind { row, ours: row.ours()?, peer: row.best(Library::is_peer)? }))
        .filter(|behind| behind.ratio() > 1.0)
        .collect();
    rows.sort_by(|a, b| b.ratio().total_cmp(&a.ratio()));
    rows
}

fn where_behind(page: &mut Markdown, behind: &[Behind<'_>]) {
    page.heading(3, "Where a peer is better");
    if behind.is_empty() {
        page.text("Nowhere.");
        return;
    }
    page.text("Goal or no goal, these are all tables in which some peer has the better median.");
    let head = ["workload", "entities", "`ecs`", "best peer", "its figure", "`ecs` takes", "without groups"];
    let sides = [Side::Left, Side::Right, Side::Right, Side::Left, Side::Right, Side::Right, Side::Right];
    let line = |Behind { row, ours, peer }: &Behind<'_>| {
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
