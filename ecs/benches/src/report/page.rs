//! The pages, for readers who decide whether to use this library. `REPORT.md` is one screen; the
//! folder `report` has the rest. All figures are from the JSON.

mod front;
mod goals;
mod losses;
mod method;
mod settings;
mod tables;

use super::markdown::Markdown;
use super::notes::Notes;
use crate::results::Results;

/// The measured figures and the hand-written text that the pages show.
pub(crate) struct Sources<'a> {
    pub(crate) speed: &'a Results,
    pub(crate) sweep: Option<&'a Results>,
    /// The tables of a second processor: layouts that are equally fast on one processor may differ
    /// on another.
    pub(crate) other_processor: Option<&'a Results>,
    /// The tables of a program that was built with cargo's own settings.
    pub(crate) default_settings: Option<&'a Results>,
    /// The page about threads and many entities.
    pub(crate) scale: Option<&'a str>,
    /// The page of compile times, with its heading, but without what was tried.
    pub(crate) compile_times: Option<&'a str>,
    pub(crate) tried: &'a Notes,
    /// Why a peer is faster, by workload.
    pub(crate) losses: &'a Notes,
}

/// A page, and its path in the folder of the package.
pub(crate) struct Page {
    pub(crate) path: &'static str,
    pub(crate) text: String,
}

/// Renders all pages.
pub(crate) fn pages(sources: &Sources<'_>) -> Vec<Page> {
    let (goals, shown) = goals::goals(sources.speed, sources.tried);
    let page = |path, text| Page { path, text };
    vec![
        page("REPORT.md", front::front(sources)),
        page("report/tables.md", tables::tables(sources)),
        page("report/losses.md", losses::losses(sources)),
        page("report/goals.md", goals),
        page("report/settings.md", settings::settings(sources)),
        page("report/scale.md", scale(sources)),
        page("report/plots.md", plots(sources.sweep)),
        page("report/compile.md", compile(sources)),
        page("report/tried.md", also_tried(sources.tried, &shown)),
        page("report/method.md", method::method(sources)),
    ]
}

/// Checks that each loss has a reason.
///
/// # Errors
/// With the workloads that have none.
pub(crate) fn check_losses(sources: &Sources<'_>) -> Result<(), String> {
    match losses::without_reason(sources).as_slice() {
        [] => Ok(()),
        workloads => {
            Err(format!("`LOSSES.md` does not say why a peer is faster in {}", workloads.join(", ")))
        }
    }
}

fn plots(sweep: Option<&Results>) -> String {
    let mut page = Markdown::default();
    page.heading(1, "Plots");
    let Some(sweep) = sweep.filter(|sweep| !sweep.rows.is_empty()) else {
        page.text("They were not measured.");
        return page.0;
    };
    page.text(
        "Nanoseconds for each entity, by the number of entities. Both axes are logarithmic. The heavy black line \
         is `ecs`. The figures are in [`results/sweep.json`](../results/sweep.json).",
    );
    page.text(
        "With 1 and 100 entities, a figure is mostly the fixed part of a call. An entity has 100 bytes in four \
         components: 10,000 of them are in the caches of the processor, and 1,000,000 are not, so that loops wait \
         for memory from there on, and their cost stays flat. Insertions and loads of 30,000,000 entities also pay \
         for 3 GB of fresh memory, which the system provides page by page. `random_access` reads three places for \
         each id, the generation, the bits and the value, and the arrays read one; with 30,000,000 entities none \
         of these is in a cache.",
    );
    for workload in sweep.workloads() {
        page.heading(2, workload);
        page.text(&format!("![{workload}: nanoseconds for each entity](../results/{workload}.svg)"));
    }
    page.0
}

fn scale(sources: &Sources<'_>) -> String {
    let mut page = Markdown::default();
    page.text(sources.scale.unwrap_or("# Threads, and many entities\n\nThey were not measured."));
    page.0
}

fn compile(sources: &Sources<'_>) -> String {
    let mut page = Markdown::default();
    page.text(sources.compile_times.unwrap_or("# Compile time\n\nIt was not measured."));
    if let Some(section) = sources.tried.find("compile time") {
        page.heading(2, "What was tried");
        page.text(&sources.tried.sections[section].text);
    }
    page.0
}

/// The tried optimizations that belong neither to a missed goal nor to compile times.
fn also_tried(tried: &Notes, shown: &[usize]) -> String {
    let mut page = Markdown::default();
    page.heading(1, "What else was tried");
    page.text(&tried.preamble);
    let compile_times = tried.find("compile time");
    for (i, section) in tried.sections.iter().enumerate() {
        if !shown.contains(&i) && compile_times != Some(i) {
            page.heading(2, &section.heading);
            page.text(&section.text);
        }
    }
    page.0
}

#[cfg(test)]
mod tests;
