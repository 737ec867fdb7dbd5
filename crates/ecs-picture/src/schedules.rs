//! The picture of schedules: stages below each other, in several columns if there are many; the
//! systems of a stage in the order of the text, each in the column of its wave.

use ecs::schedule::{GraphNode, GraphSchedule, ScheduleGraph};

use super::rows::{Arrow, RowBox, Rows, listed};
use super::svg::{Canvas, MARGIN};

/// The height from which on the stages of a schedule are drawn in several columns.
const TALL: usize = 1600;
/// The distance of two stages, and half of that of two columns.
const GAP: usize = 12;

/// Draws the schedules of a graph.
pub(crate) fn schedules(graph: &ScheduleGraph) -> String {
    let mut canvas = Canvas::new();
    let mut y = MARGIN;
    // the schedules, one below the other
    for schedule in &graph.schedules {
        y += 16;
        canvas.text(MARGIN, y, "title", &format!("schedule {}", schedule.name));
        y = draw_stages(schedule, &mut canvas, y + GAP) + GAP;
    }
    // below them what may have been forgotten
    let unused = &graph.unused;
    let lists = [
        ("components that no system uses:", &unused.components),
        ("resources that no system uses:", &unused.resources),
        ("events that no system reads:", &unused.events_unread),
        ("events that no system sends:", &unused.events_unsent),
    ];
    let mut notes: Vec<String> = lists.iter().flat_map(|(what, names)| listed(what, names)).collect();
    notes.extend(listed("systems that are switched off:", &unused.systems_disabled));
    for note in notes {
        y += 16;
        canvas.text(MARGIN, y, "note", &note);
    }
    canvas.finish(&format!("Schedules of {}", graph.world))
}

/// Draws the stages of a schedule, and returns where they end. Columns of many stages make a
/// picture that is about as wide as it is high.
fn draw_stages(schedule: &GraphSchedule, canvas: &mut Canvas, top: usize) -> usize {
    let stages = 0..schedule.nodes.iter().map(|node| node.stage + 1).max().unwrap_or(0);
    // draw each stage once without a picture, to learn its size
    let sizes: Vec<(usize, usize)> =
        stages.map(|stage| draw_stage(schedule, stage, &mut Canvas::new(), (MARGIN, MARGIN))).collect();
    let height: usize = sizes.iter().map(|(_, height)| height + GAP).sum();
    let widest = sizes.iter().map(|(width, _)| width + 2 * GAP).max().unwrap_or(0);
    // with a column of this height, the columns side by side are as wide as high
    let tall = if height <= TALL { height } else { (height * widest).isqrt().max(TALL) };
    let (mut left, mut column, mut y, mut end) = (MARGIN, 0, top, top);
    // a stage that would reach beyond the column begins the next one
    for (stage, (width, height)) in sizes.into_iter().enumerate() {
        if y > top && y + height > top + tall {
            (left, column, y) = (left + column + 2 * GAP, 0, top);
        }
        draw_stage(schedule, stage, canvas, (left, y));
        y += height + GAP;
        (column, end) = (column.max(width), end.max(y));
    }
    end
}

/// Draws a stage in a frame, and returns its width and height.
fn draw_stage(
    schedule: &GraphSchedule,
    stage: usize,
    canvas: &mut Canvas,
    (left, top): (usize, usize),
) -> (usize, usize) {
    let nodes: Vec<usize> =
        (0..schedule.nodes.len()).filter(|&at| schedule.nodes[at].stage == stage).collect();
    let place = |node: usize| nodes.iter().position(|&at| at == node);
    let mut rows = Rows::default();
    // a box for each system, in the column of its wave, with the systems that it waits for
    for &at in &nodes {
        let node = &schedule.nodes[at];
        let mut notes = notes(node);
        for edge in schedule.edges.iter().filter(|edge| edge.to == at && place(edge.from).is_some()) {
            let before = format!("after {}:", schedule.nodes[edge.from].system);
            notes.extend(listed(&before, &edge.over));
        }
        let class = if node.exclusive { "heavy" } else { "box" };
        rows.boxes.push(RowBox { name: node.system.to_owned(), notes, column: node.wave, class });
    }
    // arrows within the stage: between stages, all systems wait
    for edge in &schedule.edges {
        if let (Some(from), Some(to)) = (place(edge.from), place(edge.to)) {
            let name = |node: usize| schedule.nodes[node].system;
            let title = format!("{} waits for {}: {}", name(edge.to), name(edge.from), edge.over.join(", "));
            rows.arrows.push(Arrow { from, to, class: "", title, directed: true });
        }
    }
    let react = nodes.first().and_then(|&at| schedule.nodes[at].react);
    let label = match react {
        Some(most) => format!("stage {}: react, at most {most} times", stage + 1),
        None => format!("stage {}", stage + 1),
    };
    canvas.text(left + 10, top + 16, "note", &label);
    // the frame is drawn last, since its size is that of the rows or of a longer label
    let (width, height) = rows.draw(canvas, (left + 10, top + 26));
    let width = width.max(super::svg::width(&label));
    canvas.frame((left, top), (width + 20, height + 36), "stage");
    (width + 20, height + 36)
}

/// The lines below the name of a system.
fn notes(node: &GraphNode) -> Vec<String> {
    let mut notes = Vec::new();
    if !node.condition.is_empty() {
        notes.push(format!("if {}", node.condition));
    }
    if node.exclusive {
        notes.push("takes the whole world".to_owned());
    }
    // components stand without a word, resources and events with theirs
    let resources = |names: &[&str]| names.iter().map(|name| format!("resource {name}")).collect::<Vec<_>>();
    let events = |names: &[&str]| names.iter().map(|name| format!("event {name}")).collect::<Vec<_>>();
    let plain = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let reads = [plain(&node.reads), resources(&node.resources_read), events(&node.events_read)].concat();
    let writes = [plain(&node.writes), resources(&node.resources_written)].concat();
    for (verb, names) in [
        ("reads", reads),
        ("writes", writes),
        ("sends", plain(&node.events_sent)),
        ("filters by", plain(&node.filters)),
    ] {
        notes.extend(listed(verb, &names));
    }
    if node.deferred {
        notes.push("gives commands".to_owned());
    }
    notes
}
