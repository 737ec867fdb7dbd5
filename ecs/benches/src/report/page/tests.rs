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

#[test]
fn what_was_tried_for_the_compile_time_stands_with_its_figures() {
    let tried =
        Tried::parse("## compile time\n\nFewer bodies.\n\n### Bodies\n\nSo.\n\n## rare_set\n\nNothing.\n");
    let page = page(&measured(), None, None, Some("## Compile time\n\nFigures."), &tried);
    let expected = "\
## Compile time

Figures.

### What was tried for the compile time

Fewer bodies.

##### Bodies

So.

";
    assert_eq!(between(&page, "## Compile time", "## What else was tried"), expected);
    assert!(!page.contains("Tried: compile time"));
}

/// The part of a page from one text to another.
fn between<'a>(page: &'a str, from: &str, to: &str) -> &'a str {
    let start = page.find(from).unwrap_or_else(|| panic!("`{from}` in {page}"));
    let end = page[start..].find(to).unwrap_or_else(|| panic!("`{to}` in {page}"));
    &page[start..start + end]
}

#[test]
fn losses_come_first_with_what_was_tried() {
    let tried = Tried::parse(
        "# Tried\n\n## simple_iter_for\n\nUnrolled: no.\n\n### More\n\n## rare_set\n\nNothing.\n",
    );
    let page = page(&measured(), None, None, None, &tried);
    let expected = "\
## Summary

`ecs` misses 1 of its 5 goals. It is slower, or larger, than the best peer in 1 of 4 tables.
";
    assert!(page.contains(expected), "{page}");
    let expected = "\
#### Missed: simple_iter_for

- 10,000 entities: 0.900 ns. The goal is below the fastest peer: 0.450 ns, from the 0.450 ns of \
`sparsey`. It takes 2.00 times that.

What was tried:

Unrolled: no.

##### More

";
    assert_eq!(between(&page, "#### Missed", "### Where a peer is better"), expected);
    assert!(page.ends_with("`ecs-bench-results`.\n"));
    let rest = between(&page, "## What else was tried", "## How to run it");
    assert_eq!(rest, "## What else was tried\n\n### Tried: rare_set\n\nNothing.\n\n");
    let order = [
        "### Goals missed",
        "### Where a peer",
        "### Goals reached",
        "## Machine",
        "## How it is",
        "## Tables",
    ];
    let at = order.map(|heading| page.find(heading).unwrap());
    assert!(at.is_sorted(), "{at:?}");
}

#[test]
fn tables_show_ours_in_bold_and_groups_apart() {
    let page = page(&measured(), None, None, None, &Tried::default());
    let expected = "\
### simple_iter_for

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
    assert_eq!(between(&page, "### simple_iter_for", "### add_remove"), expected);
    let memory = between(&page, "### memory", "### frag_iter");
    assert!(memory.contains("1,000,000 entities, bytes each:") && !memory.contains("any peer"), "{memory}");
}

#[test]
fn peers_that_are_better_are_named() {
    let page = page(&measured(), None, None, None, &Tried::default());
    let line =
        "| simple_iter_for | 10,000 | 0.900 ns | sparsey, with groups | 0.450 ns | 2.00 x | 1.50 x |\n";
    assert!(
        between(&page, "### Where a peer is better", "### Goals reached").ends_with(&format!("{line}\n"))
    );
    assert!(page.contains("`TRIED.md` has no section on it."));
    assert!(!page.contains("What else was tried"));
}

#[test]
fn what_was_not_measured_is_said() {
    let speed = measured();
    let text = page(&speed, None, None, None, &Tried::default());
    assert!(text.contains("## Plots\n\nThey were not measured.\n"));
    assert!(text.contains("## Compile time\n\nIt was not measured.\n"));
    assert!(!text.contains("quick run"));
    let mut sweep = results(&[("add_remove", 1, &[("ecs", 2.0)])]);
    sweep.quick = true;
    sweep.machine.cores = 64;
    let text = page(&speed, Some(&sweep), None, Some("## Compile time\n\nLong.\n"), &Tried::default());
    assert!(text.contains("](results/add_remove.svg)"));
    assert!(text.contains("## Compile time\n\nLong.\n"));
    assert!(text.contains("quick run") && text.contains("on another machine"));
}

#[test]
fn nothing_measured_is_a_page_too() {
    let text = page(&results(&[]), Some(&results(&[])), None, None, &Tried::default());
    assert!(text.contains("misses 0 of its 0 goals"));
}

#[test]
fn a_second_processor_has_a_table_of_its_own() {
    let mut other = results(&[("add_remove", 1, &[("arrays", 1.0), ("ecs", 2.0)])]);
    other.machine.processor = "Abacus 9".to_owned();
    let text = page(&measured(), None, Some(&other), None, &Tried::default());
    let section = between(&text, "## On another processor", "## Compile time");
    assert!(section.contains("Abacus 9"), "{section}");
    assert!(section.contains("| **add_remove** | **1** | **ecs** | **2.000** | "), "{section}");
    assert!(!page(&measured(), None, None, None, &Tried::default()).contains("another processor"));
}
