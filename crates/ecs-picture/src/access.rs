//! The picture of accesses: a row for each system, a column for each component, resource and event,
//! and a circle where a system accesses one. With many systems, arrows between two lists of nodes
//! would cover each other; rows and columns stay readable.

use std::collections::BTreeSet;

use ecs::schedule::{GraphNode, ScheduleGraph};

use super::svg::{Canvas, LINE, MARGIN, PADDING, width};

/// The distance of two rows and of two columns.
const STEP: usize = 24;

/// The names that a system reads, writes, and filters by, of one kind of data.
type Names = fn(&GraphNode) -> [&[&'static str]; 3];

/// Draws the accesses of the systems of a graph.
pub(crate) fn access(graph: &ScheduleGraph) -> String {
    let nodes: Vec<&GraphNode> = graph.schedules.iter().flat_map(|schedule| &schedule.nodes).collect();
    let mut systems: Vec<&str> = Vec::new();
    for node in &nodes {
        if !systems.contains(&node.system) {
            systems.push(node.system);
        }
    }
    let kinds: [(&str, Names); 3] = [
        ("components", |node| [&node.reads, &node.writes, &node.filters]),
        ("resources", |node| [&node.resources_read, &node.resources_written, &[]]),
        ("events", |node| [&node.events_read, &node.events_sent, &[]]),
    ];
    let mut columns: Vec<(&str, Names, &'static str)> = Vec::new();
    for (kind, of) in kinds {
        let names: BTreeSet<&'static str> =
            nodes.iter().flat_map(|node| of(node)).flatten().copied().collect();
        columns.extend(names.into_iter().map(|name| (kind, of, name)));
    }
    let mut canvas = Canvas::new();
    canvas.text(MARGIN, MARGIN + 14, "title", &format!("systems of {}, and what they access", graph.world));
    let legend_y = MARGIN + 38;
    let legend = [("reads", "reads"), ("writes", "writes, sends"), ("filters", "filters by presence")];
    let mut x = MARGIN + 6;
    for (class, text) in legend {
        canvas.dot((x, legend_y - 4), class, text);
        canvas.text(x + 12, legend_y, "note", text);
        x += width(text) + 40;
    }
    let left = MARGIN + systems.iter().map(|name| width(name)).max().unwrap_or(0) + 2 * PADDING;
    let head = columns.iter().map(|(.., name)| width(name)).max().unwrap_or(0);
    let top = legend_y + 40 + head + 2 * PADDING;
    let mut kind_before = "";
    let mut xs = Vec::with_capacity(columns.len());
    let mut x = left;
    for (kind, _, name) in &columns {
        x += STEP;
        if *kind != kind_before {
            // wide enough for the word above, even if there is one column
            x = if kind_before.is_empty() { x } else { x.max(xs.last().copied().unwrap_or(0) + 2 * STEP) };
            let last_word = if kind_before.is_empty() { 0 } else { width(kind_before) };
            x = x.max(word_start(&columns, &xs, kind_before).map_or(0, |start| start + last_word + STEP));
            canvas.text(x - 10, legend_y + 28, "note", kind);
            kind_before = kind;
        }
        xs.push(x);
        canvas.frame((x - 10, top - head - 2 * PADDING), (20, head + 2 * PADDING), "data");
        canvas.upright(x + 4, top - PADDING, "name", name);
    }
    let row_of = |at: usize| top + 10 + at * STEP + 10;
    let height = row_of(systems.len().saturating_sub(1));
    let marks: Vec<(usize, usize, &str, &str)> = systems
        .iter()
        .enumerate()
        .flat_map(|(row, system)| {
            let (nodes, columns) = (&nodes, &columns);
            columns.iter().enumerate().filter_map(move |(column, (_, of, name))| {
                let uses = |which: usize| {
                    nodes.iter().any(|node| node.system == *system && of(node)[which].contains(name))
                };
                let class = match (uses(0), uses(1), uses(2)) {
                    (_, true, _) => "writes",
                    (true, ..) => "reads",
                    (_, _, true) => "filters",
                    _ => return None,
                };
                Some((row, column, class, *name))
            })
        })
        .collect();
    for (column, &x) in xs.iter().enumerate() {
        let last = marks.iter().filter(|mark| mark.1 == column).map(|mark| mark.0).max();
        canvas.line(&[(x, top), (x, last.map_or(height, row_of))], "faint", "");
    }
    for (row, system) in systems.iter().enumerate() {
        let y = row_of(row);
        let last = marks.iter().filter(|mark| mark.0 == row).map(|mark| mark.1).max();
        if let Some(last) = last {
            canvas.line(&[(left, y), (xs[last], y)], "faint", "");
        }
        canvas.frame(
            (MARGIN, y - 10),
            (left - MARGIN, 20),
            if exclusive(&nodes, system) { "heavy" } else { "box" },
        );
        canvas.text(MARGIN + PADDING, y + LINE / 4, "name", system);
    }
    for (row, column, class, name) in marks {
        let verb = match class {
            "writes" => "writes",
            "reads" => "reads",
            _ => "filters by",
        };
        canvas.dot((xs[column], row_of(row)), class, &format!("{} {verb} {name}", systems[row]));
    }
    canvas.finish(&format!("Accesses of the systems of {}", graph.world))
}

/// The position at which the word above a kind's columns starts.
fn word_start(columns: &[(&str, Names, &'static str)], xs: &[usize], kind: &str) -> Option<usize> {
    let first = columns.iter().position(|(known, ..)| *known == kind)?;
    xs.get(first).map(|x| x - 10)
}

fn exclusive(nodes: &[&GraphNode], system: &str) -> bool {
    nodes.iter().any(|node| node.system == system && node.exclusive)
}
