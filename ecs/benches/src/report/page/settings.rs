//! The page about a build with cargo's own settings, which is what most users run.

use super::Sources;
use crate::report::markdown::{Markdown, Side};
use crate::report::words;
use crate::results::{Comparison, Results};

/// Ratios that differ by less are the same: two runs differ by as much.
const NOISE: f64 = 1.1;

/// Renders the page.
pub(super) fn settings(sources: &Sources<'_>) -> String {
    let mut page = Markdown::default();
    page.heading(1, "With cargo's own settings");
    let Some(default) = sources.default_settings else {
        page.text("It was not measured.");
        return page.0;
    };
    if default.quick {
        page.text("**These are the figures of a quick run. They are rough: do not rely on them.**");
    }
    page.text(&format!(
        "The other pages are of programs that are linked with `lto = \"thin\"`. These are the figures of one that is built \
         as cargo does unless told otherwise, and incrementally ({}), in a run of its own on {}. Generic code is compiled with the program \
         either way; other functions are inlined across packages only where they are marked for it.",
        default.machine.profile,
        default.machine.title(),
    ));
    table(&mut page, sources.speed, default);
    page.0
}

/// All rows of both runs: those first in which the ratio to the best peer rises most.
fn table(page: &mut Markdown, speed: &Results, default: &Results) {
    let both = |comparison: Comparison<'_>| -> Option<(f64, [String; 8])> {
        let row = comparison.measured.row;
        let tuned = speed.find(&row.workload, row.entities)?.comparison()?;
        let unit = |figure| words::with_unit(figure, row.measure);
        let line = [
            row.workload.clone(),
            words::count(row.entities),
            unit(comparison.ours.1.median),
            comparison.measured.arrays().map_or("-".to_owned(), |(_, cell)| unit(cell.median)),
            format!("{}, {}", comparison.peer.0.name, unit(comparison.peer.1.median)),
            words::ratio(comparison.ratio(), Some(1.0)),
            words::ratio(tuned.ratio(), Some(1.0)),
            words::ratio(comparison.ours.1.median, Some(tuned.ours.1.median)),
        ];
        Some((comparison.ratio() / tuned.ratio(), line))
    };
    let mut lines: Vec<_> = default.comparisons().filter_map(both).collect();
    lines.sort_by(|a, b| b.0.total_cmp(&a.0));
    let worse = lines.iter().filter(|(change, _)| *change > NOISE).count();
    let better = lines.iter().filter(|(change, _)| *change * NOISE < 1.0).count();
    let ahead = default.comparisons().filter(|comparison| comparison.ratio() < 1.0).count();
    page.text(&format!(
        "`ecs` is ahead of every peer in {ahead} of {} tables. Beside the best peer it is more than a tenth slower than with \
         `lto` in {worse} of them, and more than a tenth faster in {better}. The table begins with those where it loses most by it.",
        lines.len(),
    ));
    let head = [
        "workload",
        "entities",
        "`ecs`",
        "arrays",
        "best peer",
        "x peer",
        "x peer, with `lto`",
        "`ecs` x `lto`",
    ];
    let mut sides = [Side::Right; 8];
    (sides[0], sides[4]) = (Side::Left, Side::Left);
    page.table(&head, &sides, lines.into_iter().map(|(_, line)| line));
}
