//! The page of goals: goals missed, with what was tried, then goals reached.

use crate::goals::{Judgement, Outcome, judge};
use crate::report::markdown::{Markdown, Side};
use crate::report::notes::Notes;
use crate::report::words;
use crate::results::Results;

/// Renders the page, and returns the sections of what was tried that are on it.
pub(super) fn goals(results: &Results, tried: &Notes) -> (String, Vec<usize>) {
    let mut page = Markdown::default();
    let judgements = judge(results);
    let of =
        |outcome| judgements.iter().filter(move |judgement| judgement.outcome == outcome).collect::<Vec<_>>();
    let (missed, reached, shown) = (of(Outcome::Missed), of(Outcome::Reached), of(Outcome::Shown));
    page.heading(1, "Goals");
    page.text(&format!(
        "`ecs` misses {} of its {} goals. The library sets these goals itself, and many require more than being the \
         fastest. Each goal counts once for each number of entities. [Compile times](compile.md) have goals of their own.",
        missed.len(),
        missed.len() + reached.len(),
    ));
    page.heading(2, "Goals missed");
    let used = if missed.is_empty() {
        page.text("None.");
        Vec::new()
    } else {
        page.text("The largest miss comes first. Each is followed by the optimizations that were tried.");
        losses(&mut page, &missed, tried)
    };
    table(&mut page, "Goals reached", &reached);
    if !shown.is_empty() {
        table(&mut page, "Figures without a goal", &shown);
        page.text(
            "Peers with groups have no goal here: a group must be declared for the components that are iterated together.",
        );
    }
    (page.0, used)
}

/// The goals missed, by workload, with what was tried.
fn losses(page: &mut Markdown, missed: &[&Judgement<'_>], tried: &Notes) -> Vec<usize> {
    let mut workloads: Vec<&str> = Vec::new();
    for judgement in missed {
        if !workloads.contains(&judgement.workload) {
            workloads.push(judgement.workload);
        }
    }
    let mut used = Vec::new();
    for workload in workloads {
        page.heading(3, &format!("Missed: {workload}"));
        let of = missed.iter().filter(|judgement| judgement.workload == workload);
        page.list(of.map(|judgement| loss(judgement)));
        match tried.find(workload) {
            Some(section) if used.contains(&section) => {
                page.text(&format!(
                    "The tried optimizations are above, in {}.",
                    tried.sections[section].heading
                ));
            }
            Some(section) => {
                used.push(section);
                page.text("What was tried:");
                page.text(&tried.sections[section].text);
            }
            None => page.text("Nothing is recorded as tried."),
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

fn table(page: &mut Markdown, title: &str, judgements: &[&Judgement<'_>]) {
    page.heading(2, title);
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
