//! The page, `REPORT.md`, for readers who decide whether to use this library. Losses come first; all figures are from the JSON.

use super::summary::summary;
use super::tried::Tried;
use super::words;
use crate::library::{Role, Storage};
use crate::results::{Entry, Library, Measured, Results};

/// Renders the page. `compile_times` is a part of its own, with its heading.
pub(crate) fn page(
    speed: &Results,
    sweep: Option<&Results>,
    other_processor: Option<&Results>,
    compile_times: Option<&str>,
    tried: &Tried,
) -> String {
    let mut page = Markdown::default();
    page.heading(1, "`ecs` beside its peers");
    page.text(
        "Times and memory of this library for common tasks, compared with hand-written arrays and other libraries, \
         all measured in one run. The benchmark generates this page; only the sections about tried optimizations \
         are written by hand.",
    );
    if speed.quick || sweep.is_some_and(|sweep| sweep.quick) {
        page.text("**These are the figures of a quick run. They are rough: do not rely on them.**");
    }
    let mut used = summary(&mut page, speed, tried);
    machine(&mut page, speed, sweep);
    how(&mut page, speed, sweep);
    page.heading(2, "Tables");
    for workload in speed.workloads() {
        tables(&mut page, speed, workload);
    }
    plots(&mut page, sweep);
    on_other_processor(&mut page, other_processor);
    match compile_times {
        Some(text) => page.text(text),
        None => {
            page.heading(2, "Compile time");
            page.text("It was not measured.");
        }
    }
    if let Some(section) = tried.find("compile time") {
        page.heading(3, "What was tried for the compile time");
        page.text(&tried.sections[section].text);
        used.push(section);
    }
    also_tried(&mut page, tried, &used);
    run_it(&mut page);
    page.0
}

fn machine(page: &mut Markdown, speed: &Results, sweep: Option<&Results>) {
    page.heading(2, "Machine and versions");
    let machine = &speed.machine;
    let known = |name: &str, value: &str| (!value.is_empty()).then(|| [name.to_owned(), value.to_owned()]);
    let kind = if machine.is_virtual { " (a virtual machine)" } else { "" };
    let memory = machine.memory.map_or(String::new(), |size| format!("{:.1} GiB", size as f64 / 1024.0));
    let settings = match &machine.allocator[..] {
        [] => "the system's, without settings".to_owned(),
        settings => format!("the system's, with `{}`", settings.join("`, `")),
    };
    let lines = [
        known("processor", &machine.processor),
        known("cores", &format!("{}{kind}", machine.cores)),
        known("caches", &machine.caches.join(", ")),
        known("memory", &memory),
        known("system", &machine.system),
        known("compiler", &machine.rustc),
        known("profile", &machine.profile),
        known("allocator", &settings),
    ];
    page.table(&["", ""], &[Side::Left; 2], lines.into_iter().flatten());
    if sweep.is_some_and(|sweep| sweep.machine != *machine) {
        page.text("The plots were measured on another machine, or with another build.");
    }
    let line = |library: &Library| {
        let role = match library.role {
            Role::Limit => "the limit: hand-written; no library is expected to be faster",
            Role::Baseline => "the usual code without a library; neither limit nor peer",
            Role::Subject => "this library",
            Role::Peer => "peer",
        };
        [library.name.clone(), library.version.clone(), words::storage(library), role.to_owned()]
    };
    page.table(
        &["library", "version", "storage", "role"],
        &[Side::Left; 4],
        speed.libraries.iter().map(line),
    );
    page.text(
        "*Static* means that components, or combinations of them, are declared in the source. *Dynamic* means that \
         they are created at run time. *Groups* are sparse sets that are kept in the same order; the components of \
         a group must be declared.",
    );
}

fn how(page: &mut Markdown, speed: &Results, sweep: Option<&Results>) {
    let samples = |results: &Results| {
        let timed = results.rows.iter().filter(|row| words::unit(row.measure) == "ns");
        let samples = timed.flat_map(|row| &row.cells).map(|cell| cell.samples);
        match (samples.clone().min(), samples.max()) {
            (Some(least), Some(most)) if least == most => format!("{most} samples"),
            (Some(least), Some(most)) => format!("{least} to {most} samples"),
            _ => "no samples".to_owned(),
        }
    };
    let mut calm: Vec<f64> = speed.rows.iter().filter_map(|row| row.calm).collect();
    calm.sort_by(f64::total_cmp);
    page.heading(2, "How it is measured");
    page.list([
        "All libraries are in one program, and take turns: each round takes one sample of each library. Each round \
         begins with another library, and every second series of rounds has the reverse order, so that no library \
         finds its world in the cache more often than the others."
            .to_owned(),
        format!(
            "A time is the median of {}. The minimum is shown beside it. Ratios are of medians.",
            samples(speed)
        ),
        "Figures are nanoseconds, or bytes, for each entity that a run visits.".to_owned(),
        "Before each sample there is an untimed run, since the previous library has used the caches.".to_owned(),
        "A run that consumes its world gets a new world, which is made before the timed part.".to_owned(),
        "If runs need a preparation, such as changing entities for change detection, each run is timed alone, \
         without its preparation."
            .to_owned(),
        "Each library is used in the fastest safe form that we know, on one thread, or with its own scheduler for \
         workloads that allow all threads."
            .to_owned(),
        "All libraries must compute the same results, bit for bit. Otherwise no page is generated.".to_owned(),
        "A library that has no such operation is not in the table.".to_owned(),
        "Worlds are saved into allocated memory, not into a file. `save_copy` is the limit of `save`: two copies of \
         the same bytes."
            .to_owned(),
        "Arrays do not detect stale indices. Libraries must detect stale ids.".to_owned(),
        "`x peer` compares with the best peer without groups, `x any peer` with the best of all.".to_owned(),
    ]);
    if let Some(calm) = calm.get(calm.len() / 2) {
        let share = match calm * 100.0 {
            ..1.0 => "In half of the rows hardly any sample was taken on a calm machine.".to_owned(),
            share => format!(
                "In half of the rows {share:.0} % of the samples or more were taken on a calm machine."
            ),
        };
        page.text(&format!(
            "A loop of constant work runs beside each sample. If the loop takes 15 % longer than its best time, the \
             machine is busy, and the sample is repeated; if the machine is busy most of the time, the samples of the \
             calmest moments count. {share}"
        ));
    }
    if let Some(sweep) = sweep {
        page.text(&format!("Plots are coarser than tables: each point is the median of {}.", samples(sweep)));
    }
}

fn tables(page: &mut Markdown, speed: &Results, workload: &str) {
    page.heading(3, workload);
    for (i, measured) in speed.measured().filter(|measured| measured.row.workload == workload).enumerate() {
        let row = measured.row;
        if i == 0 {
            page.text(&format!("{}.", capital(&row.what)));
        }
        page.text(&format!(
            "{}, {} each:",
            capital(&words::entities(row.entities)),
            words::unit(row.measure)
        ));
        let groups = measured.entries().any(|(library, _)| library.storage == Storage::GroupedSparseSets);
        let columns = if groups { 7 } else { 6 };
        let head = ["library", "storage", "median", "minimum", "x arrays", "x peer", "x any peer"];
        let sides = [Side::Left, Side::Left, Side::Right, Side::Right, Side::Right, Side::Right, Side::Right];
        let lines = measured.entries().map(|entry| line(measured, entry));
        page.table(&head[..columns], &sides[..columns], lines.map(|line| line[..columns].to_vec()));
        let absent: Vec<_> = measured.absent().map(|library| &*library.name).collect();
        if !absent.is_empty() {
            page.text(&format!("Not measured: {}.", absent.join(", ")));
        }
    }
}

fn line(measured: Measured<'_>, (library, cell): Entry<'_>) -> [String; 7] {
    let to = |other: Option<Entry<'_>>| words::ratio(cell.median, other.map(|(_, cell)| cell.median));
    let mut line = [
        library.title(),
        words::storage(library),
        words::figure(cell.median),
        words::figure(cell.minimum),
        to(measured.arrays()),
        to(measured.best(Library::is_ungrouped_peer)),
        to(measured.best(Library::is_peer)),
    ];
    if library.role == Role::Subject {
        line = line.map(|cell| format!("**{cell}**"));
    }
    line
}

fn plots(page: &mut Markdown, sweep: Option<&Results>) {
    page.heading(2, "Plots");
    let Some(sweep) = sweep.filter(|sweep| !sweep.rows.is_empty()) else {
        page.text("They were not measured.");
        return;
    };
    page.text(
        "Nanoseconds for each entity, by the number of entities. Both axes are logarithmic. The heavy black line \
         is `ecs`. The figures are in [`results/sweep.json`](results/sweep.json).",
    );
    for workload in sweep.workloads() {
        page.heading(3, &format!("Plot: {workload}"));
        page.text(&format!("![{workload}: nanoseconds for each entity](results/{workload}.svg)"));
    }
}

/// The tables of a second processor: layouts that are equally fast on one processor may differ on another.
fn on_other_processor(page: &mut Markdown, other: Option<&Results>) {
    let Some(other) = other else { return };
    page.heading(2, "On another processor");
    let machine = &other.machine;
    let kind = if machine.is_virtual { ", a virtual machine" } else { "" };
    page.text(&format!(
        "The same program on {} ({} cores{kind}; {}), in a run of its own: layouts that are equally fast on one \
         processor may differ on another. The figures are in [`results/other-processor.json`](results/other-processor.json).",
        machine.processor,
        machine.cores,
        machine.caches.join(", ")
    ));
    let head = ["workload", "entities", "library", "median", "minimum", "x arrays"];
    let sides = [Side::Left, Side::Right, Side::Left, Side::Right, Side::Right, Side::Right];
    let lines = other.measured().flat_map(|measured| {
        measured.entries().map(move |(library, cell)| {
            let mut line = [
                measured.row.workload.clone(),
                words::count(measured.row.entities),
                library.name.clone(),
                words::figure(cell.median),
                words::figure(cell.minimum),
                words::ratio(cell.median, measured.arrays().map(|(_, cell)| cell.median)),
            ];
            if library.role == Role::Subject {
                line = line.map(|cell| format!("**{cell}**"));
            }
            line
        })
    });
    page.table(&head, &sides, lines);
}

/// The tried optimizations that belong neither to a missed goal nor to compile times.
fn also_tried(page: &mut Markdown, tried: &Tried, used: &[usize]) {
    let rest = || tried.sections.iter().enumerate().filter(|(i, _)| !used.contains(i));
    if tried.preamble.is_empty() && rest().next().is_none() {
        return;
    }
    page.heading(2, "What else was tried");
    page.text(&tried.preamble);
    for (_, section) in rest() {
        page.heading(3, &format!("Tried: {}", section.heading));
        page.text(&section.text);
    }
}

fn run_it(page: &mut Markdown) {
    page.heading(2, "How to run it");
    page.text(
        "```text\n\
         cargo run --release -p ecs-bench                          all tables\n\
         cargo run --release -p ecs-bench -- --only add_remove     one workload\n\
         cargo run --release -p ecs-bench -- --with ecs --with hecs\n\
         cargo run --release -p ecs-bench -- --quick               few samples\n\
         cargo run --release -p ecs-bench --no-default-features --features hecs    without the other peers, built sooner\n\
         cargo run --release -p ecs-bench -- --sweep               the plots\n\
         cargo run --release -p ecs-bench -- --compile             compile times\n\
         cargo run --release -p ecs-bench -- --other-processor     the tables of a second processor, with `--only` and `--with`\n\
         cargo run --release -p ecs-bench -- --report              everything, and this page\n\
         cargo run --release -p ecs-bench -- --render              this page again, without measuring\n\
         ```",
    );
    page.text(
        "Let nothing else run meanwhile. The figures of this page are in [`results`](results); those of other runs \
         are written beside the program, to `ecs-bench-results`.",
    );
}

/// `Some words`, of `some words`.
fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}

/// Text that is written part by part, with an empty line between two.
#[derive(Default)]
pub(super) struct Markdown(String);

/// At which side of a column its text is.
#[derive(Clone, Copy)]
pub(super) enum Side {
    Left,
    Right,
}

impl Markdown {
    pub(super) fn heading(&mut self, level: usize, text: &str) {
        self.text(&format!("{} {text}", "#".repeat(level)));
    }

    /// A paragraph, or anything that stands by itself; nothing if it is empty.
    pub(super) fn text(&mut self, text: &str) {
        let text = text.trim_end();
        if text.is_empty() {
            return;
        }
        if !self.0.is_empty() {
            self.0.push('\n');
        }
        self.0.push_str(text);
        self.0.push('\n');
    }

    pub(super) fn list(&mut self, items: impl IntoIterator<Item = String>) {
        let items: Vec<_> = items.into_iter().map(|item| format!("- {item}")).collect();
        self.text(&items.join("\n"));
    }

    pub(super) fn table<L: AsRef<[String]>>(
        &mut self,
        head: &[&str],
        sides: &[Side],
        lines: impl IntoIterator<Item = L>,
    ) {
        let sides = sides.iter().map(|side| match side {
            Side::Left => "---",
            Side::Right => "---:",
        });
        let mut text =
            vec![format!("| {} |", head.join(" | ")), format!("|{}|", sides.collect::<Vec<_>>().join("|"))];
        text.extend(lines.into_iter().map(|line| format!("| {} |", line.as_ref().join(" | "))));
        self.text(&text.join("\n"));
    }
}

#[cfg(test)]
mod tests;
