use super::*;
use crate::results::tests::results;

fn measured() -> Results {
    results(&[
        ("simple_iter_for", 10_000, &[("arrays", 0.5), ("ecs", 0.9), ("hecs", 0.6), ("sparsey", 0.45)]),
        ("add_remove", 10_000, &[("arrays", 1.0), ("ecs", 2.0), ("hecs", 40.0), ("shipyard", 5.0)]),
        ("memory", 1_000_000, &[("arrays", 100.0), ("ecs", 101.0), ("hecs", 116.0)]),
        ("frag_iter", 520, &[("ecs", 0.5), ("hecs", 1.0)]),
    ])
}

/// The text of the page with this path.
fn page(path: &str, sources: &Sources<'_>) -> String {
    pages(sources)
        .into_iter()
        .find(|page| page.path == path)
        .unwrap_or_else(|| panic!("no page `{path}`"))
        .text
}

/// Sources with these tables and nothing else.
fn tables_alone<'a>(speed: &'a Results, tried: &'a Notes) -> Sources<'a> {
    Sources {
        speed,
        sweep: None,
        other_processor: None,
        default_settings: None,
        scale: None,
        compile_times: None,
        tried,
        losses: tried,
    }
}

/// The part of a page from one text to another.
fn between<'a>(page: &'a str, from: &str, to: &str) -> &'a str {
    let start = page.find(from).unwrap_or_else(|| panic!("`{from}` in {page}"));
    let end = page[start..].find(to).unwrap_or_else(|| panic!("`{to}` in {page}"));
    &page[start..start + end]
}

#[test]
fn tried_optimizations_of_compile_time_follow_its_figures() {
    let tried =
        Notes::parse("## compile time\n\nFewer bodies.\n\n### Bodies\n\nSo.\n\n## rare_set\n\nNothing.\n");
    let speed = measured();
    let sources =
        Sources { compile_times: Some("# Compile time\n\nFigures."), ..tables_alone(&speed, &tried) };
    let expected = "# Compile time\n\nFigures.\n\n## What was tried\n\nFewer bodies.\n\n#### Bodies\n\nSo.\n";
    assert_eq!(page("report/compile.md", &sources), expected);
    assert_eq!(page("report/tried.md", &sources), "# What else was tried\n\n## rare_set\n\nNothing.\n");
}

#[test]
fn first_page_has_wins_losses_and_links_to_all_pages() {
    let speed = measured();
    let tried = Notes::default();
    let mut other = measured();
    other.machine.processor = "Abacus 9".to_owned();
    let sources = Sources { other_processor: Some(&other), ..tables_alone(&speed, &tried) };
    let front = page("REPORT.md", &sources);
    let balance = "Some Processor (2 cores, a virtual machine; L1 data 48 KiB, L2 2 MiB): `ecs` is ahead of every peer \
                   in 3 of 4 tables, and misses 1 of its 5 [goals](report/goals.md).\n";
    assert!(front.contains(balance), "{front}");
    assert!(front.contains("\nAbacus 9 (2 cores"), "{front}");
    let row = "| [simple_iter_for](report/tables.md#simple_iter_for): what simple_iter_for does | 10,000 | 0.900 ns | \
               0.500 ns | sparsey, 0.450 ns | 2.00 | 2.00 |\n";
    assert!(front.contains(row), "{front}");
    let loss = "- [simple_iter_for](report/tables.md#simple_iter_for), 10,000 entities: 2.00 times the time of \
                `sparsey`; 1.50 of `hecs`, without groups\n";
    assert!(front.contains(loss), "{front}");
    for Page { path, .. } in &pages(&sources)[1..] {
        assert!(front.contains(&format!("]({path})")), "{path}: {front}");
    }
    assert!(!page("REPORT.md", &tables_alone(&speed, &tried)).contains("second processor"));
}

#[test]
fn losses_come_first_with_what_was_tried() {
    let tried = Notes::parse(
        "# Tried\n\n## simple_iter_for\n\nUnrolled: no.\n\n### More\n\n## rare_set\n\nNothing.\n",
    );
    let speed = measured();
    let goals = page("report/goals.md", &tables_alone(&speed, &tried));
    assert!(goals.starts_with("# Goals\n\n`ecs` misses 1 of its 5 goals."), "{goals}");
    let expected = "\
### Missed: simple_iter_for

- 10,000 entities: 0.900 ns. The goal is below the fastest peer: 0.450 ns, from the 0.450 ns of \
`sparsey`. It takes 2.00 times that.

What was tried:

Unrolled: no.

#### More

";
    assert_eq!(between(&goals, "### Missed", "## Goals reached"), expected);
    let order = ["## Goals missed", "## Goals reached"];
    assert!(order.map(|heading| goals.find(heading).unwrap()).is_sorted());
    let tried = page("report/tried.md", &tables_alone(&speed, &tried));
    assert_eq!(tried, "# What else was tried\n\n## rare_set\n\nNothing.\n");
}

#[test]
fn tables_show_ours_in_bold_and_groups_apart() {
    let speed = measured();
    let tried = Notes::default();
    let tables = page("report/tables.md", &tables_alone(&speed, &tried));
    let expected = "\
## simple_iter_for

What simple_iter_for does.

10,000 entities, ns each:

| library | storage | median | minimum | x arrays | x peer | x any peer |
|---|---|---:|---:|---:|---:|---:|
| arrays | arrays | 0.500 | 0.500 | 1.00 | 0.83 | 1.11 |
| **ecs 1.2.3** | **masked columns, static** | **0.900** | **0.900** | **1.80** | **1.50** | **2.00** |
| hecs 1.2.3 | archetypes, dynamic | 0.600 | 0.600 | 1.20 | 1.00 | 1.33 |
| sparsey 1.2.3 | grouped sparse sets, dynamic | 0.450 | 0.450 | 0.90 | 0.75 | 1.00 |

Not measured: gecs, bevy, shipyard.

";
    assert_eq!(between(&tables, "## simple_iter_for", "## add_remove"), expected);
    let memory = between(&tables, "## memory", "## frag_iter");
    assert!(memory.contains("1,000,000 entities, bytes each:") && !memory.contains("any peer"), "{memory}");
}

#[test]
fn second_processor_is_beside_the_first() {
    let mut other =
        results(&[("add_remove", 10_000, &[("arrays", 2.0), ("ecs", 3.0)]), ("churn", 7, &[("ecs", 1.0)])]);
    other.machine.processor = "Abacus 9".to_owned();
    let (speed, tried) = (measured(), Notes::default());
    let sources = Sources { other_processor: Some(&other), ..tables_alone(&speed, &tried) };
    let tables = page("report/tables.md", &sources);
    let line = "| **ecs 1.2.3** | **masked columns, static** | **2.000** | **2.000** | **2.00** | **0.40** | \
                **3.000** | **3.000** | **1.50** | **-** |";
    assert!(between(&tables, "## add_remove", "## memory").contains(line), "{tables}");
    let line = "| **ecs 1.2.3** | **masked columns, static** | **-** | **-** | **-** | **-** | **1.000** |";
    assert!(tables.contains("## churn\n") && tables.contains(line), "{tables}");
    assert!(page("report/method.md", &sources).contains("| processor | Abacus 9 |"));
}

#[test]
fn peers_that_are_better_are_named_with_the_reason() {
    let (speed, none) = (measured(), Notes::default());
    let losses = Notes::parse("Why.\n\n## rare_set\n\nSo.\n\n## frag_iter, simple_iter_for\n\nGroups.\n");
    let sources = Sources { losses: &losses, ..tables_alone(&speed, &none) };
    let line =
        "| simple_iter_for | 10,000 | 0.900 ns | sparsey, with groups | 0.450 ns | 2.00 x | 1.50 x |\n";
    let end = format!("{line}\nWhy.\n\n## frag_iter, simple_iter_for\n\nGroups.\n");
    assert!(page("report/losses.md", &sources).ends_with(&end));
    assert_eq!(check_losses(&sources), Ok(()));
    assert!(page("report/goals.md", &sources).contains("Nothing is recorded as tried."));
}

#[test]
fn a_loss_without_a_reason_is_an_error() {
    let (speed, none) = (measured(), Notes::default());
    let error = check_losses(&tables_alone(&speed, &none)).unwrap_err();
    assert!(error.ends_with("in simple_iter_for"), "{error}");
    let calm = results(&[("churn", 100, &[("ecs", 1.0), ("hecs", 0.99)])]);
    assert_eq!(check_losses(&tables_alone(&calm, &none)), Ok(()));
    let sources = Sources { other_processor: Some(&speed), ..tables_alone(&calm, &none) };
    assert!(check_losses(&sources).is_err());
}

#[test]
fn pages_say_that_something_was_not_measured() {
    let (speed, tried) = (measured(), Notes::default());
    let sources = tables_alone(&speed, &tried);
    assert_eq!(page("report/plots.md", &sources), "# Plots\n\nThey were not measured.\n");
    assert_eq!(page("report/compile.md", &sources), "# Compile time\n\nIt was not measured.\n");
    assert!(!page("REPORT.md", &sources).contains("quick run"));
    let mut sweep = results(&[("add_remove", 1, &[("ecs", 2.0)])]);
    sweep.quick = true;
    sweep.machine.cores = 64;
    let sources = Sources { sweep: Some(&sweep), ..sources };
    assert!(page("report/plots.md", &sources).contains("](../results/add_remove.svg)"));
    assert!(page("REPORT.md", &sources).contains("quick run"));
    assert!(page("report/method.md", &sources).contains("on another machine"));
}

#[test]
fn nothing_measured_gives_pages_too() {
    let (nothing, tried) = (results(&[]), Notes::default());
    let sources = Sources { sweep: Some(&nothing), ..tables_alone(&nothing, &tried) };
    assert!(page("report/goals.md", &sources).contains("misses 0 of its 0 goals"));
}

#[test]
fn settings_begin_with_what_loses_most_by_them() {
    let (speed, tried) = (measured(), Notes::default());
    let default = results(&[
        ("simple_iter_for", 10_000, &[("arrays", 0.5), ("ecs", 1.0), ("sparsey", 0.5)]),
        ("frag_iter", 520, &[("ecs", 0.9), ("hecs", 1.0)]),
        ("add_remove", 10_000, &[("arrays", 1.0), ("ecs", 2.0), ("shipyard", 5.0)]),
    ]);
    let sources = Sources { default_settings: Some(&default), ..tables_alone(&speed, &tried) };
    let page = page("report/settings.md", &sources);
    assert!(page.contains("ahead of every peer in 2 of 3 tables"), "{page}");
    assert!(page.contains("with `lto` in 1 of them, and more than a tenth faster in 0"), "{page}");
    let first =
        "|\n| frag_iter | 520 | 0.900 ns | - | hecs, 1.000 ns | 0.90 | 0.50 | 1.80 |\n| simple_iter_for |";
    assert!(page.contains(first), "{page}");
    let missing = Sources { default_settings: None, ..sources };
    assert!(super::settings::settings(&missing).contains("not measured"));
}
