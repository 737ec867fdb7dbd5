//! The page about the method: how figures are taken, on which machines, and of which versions.

use super::Sources;
use crate::library::Role;
use crate::report::markdown::{Markdown, Side};
use crate::report::words;
use crate::results::{Library, Results};

/// Renders the page.
pub(super) fn method(sources: &Sources<'_>) -> String {
    let mut page = Markdown::default();
    page.heading(1, "How the benchmark measures");
    how(&mut page, sources.speed, sources.sweep);
    machine(&mut page, "Machine and build", sources.speed);
    if let Some(other) = sources.other_processor {
        machine(&mut page, "Second machine", other);
        page.text("The second machine measured in a run of its own.");
    }
    if sources.sweep.is_some_and(|sweep| sweep.machine != sources.speed.machine) {
        page.text("The plots were measured on another machine, or with another build.");
    }
    libraries(&mut page, sources.speed);
    run_it(&mut page);
    page.0
}

fn machine(page: &mut Markdown, title: &str, results: &Results) {
    page.heading(2, title);
    let machine = &results.machine;
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
}

fn libraries(page: &mut Markdown, speed: &Results) {
    page.heading(2, "Libraries");
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
        "With more than 2,000,000 entities, for the plots only, each library is sampled alone, since the worlds of all libraries \
         would not fit into the memory together."
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
        page.text(&format!(
            "Plots are coarser than tables: each point is the median of {}, and samples are not repeated while the machine is busy. gecs and specs can have 16,777,216 entities at most, flecs can have a column of 2 GiB at most, and legion takes many minutes to spawn more one by one: they are left out beyond that.",
            samples(sweep)
        ));
    }
}

fn run_it(page: &mut Markdown) {
    page.heading(2, "How to run it");
    page.text("In the folder `ecs/benches`:");
    page.text(
        "```text\n\
         cargo run --release                          all tables\n\
         cargo run --release -- --only add_remove     one workload\n\
         cargo run --release -- --with ecs --with hecs\n\
         cargo run --release -- --quick               few samples\n\
         cargo run --release --no-default-features --features hecs    without the other peers, built sooner\n\
         cargo run --release -- --sweep               the plots\n\
         cargo run --release -- --compile             compile times\n\
         cargo run --release -- --compile-long        those of release builds and first builds, for the report\n\
         cargo run --release -- --compile-games       those of games without and with saving, for the report\n\
         cargo run --release -- --other-processor     the tables of a second processor\n\
         cargo run --release -- --scale               threads, and up to 100,000,000 entities\n\
         cargo run --profile default-settings -- --default-settings\n\
         cargo run --release -- --report              the tables, plots and compile times, and these pages\n\
         cargo run --release -- --report --only add_remove            one workload anew\n\
         cargo run --release -- --render              these pages again, without measuring\n\
         ```",
    );
    page.text(
        "Let nothing else run meanwhile. The figures of these pages are in [`results`](../results); those of other runs \
         are written beside the program, to `ecs-bench-results`.",
    );
}
