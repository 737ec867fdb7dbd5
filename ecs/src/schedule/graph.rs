//! A picture of a world's schedules: who runs when, what each touches, and who waits for whom.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

use super::plan::{Entry, Plan, clash, whole};
use super::states::ScheduleStates;
use super::unused::Unused;
use crate::base::component_set::ComponentSet;
use crate::system::Access;
use crate::world::World;

/// The schedules of a world, as data: see [`Schedules::schedule_graph`](crate::Schedules::schedule_graph), and
/// [`Schedule::graph`](crate::Schedule::graph) for one that is built at run time.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ScheduleGraph {
    /// The world.
    pub world: &'static str,
    /// The schedules, in the order of the declaration.
    pub schedules: Vec<GraphSchedule>,
    /// Declarations of the world that no schedule uses; empty in the graph of a schedule that is built at run time.
    pub unused: Unused,
}

/// A schedule.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct GraphSchedule {
    /// Its name.
    pub name: &'static str,
    /// Its systems, in the order of the text.
    pub nodes: Vec<GraphNode>,
    /// Who waits for whom, but for what follows from others.
    pub edges: Vec<GraphEdge>,
}

/// A system at its place.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct GraphNode {
    /// As the schedule spells it.
    pub system: &'static str,
    /// The condition behind `if`, as it is spelled; empty if there is none.
    pub condition: String,
    /// The number of its stage: what stands between two `;`, from 0.
    pub stage: usize,
    /// How often its stage may run, if that is a `react` block.
    pub react: Option<u32>,
    /// The number of its wave in its stage: systems of one wave may run at the same time. It counts from 0 again after a system that
    /// takes the whole world, and such a system has wave 0.
    pub wave: usize,
    /// Whether it takes the whole world, and so is a stage of its own.
    pub exclusive: bool,
    /// Whether it leaves changes behind for the end of the stage.
    pub deferred: bool,
    /// Components whose values are read.
    pub reads: Vec<&'static str>,
    /// Components whose values are written.
    pub writes: Vec<&'static str>,
    /// Components that matter only by who has them; that commands look at all of them is not listed.
    pub filters: Vec<&'static str>,
    /// Resources that are read.
    pub resources_read: Vec<&'static str>,
    /// Resources that are written.
    pub resources_written: Vec<&'static str>,
    /// Events that are read.
    pub events_read: Vec<&'static str>,
    /// Events that are sent.
    pub events_sent: Vec<&'static str>,
}

/// That a system waits for another one, by their numbers among the nodes.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct GraphEdge {
    /// The one that comes first.
    pub from: usize,
    /// The one that waits.
    pub to: usize,
    /// What both touch, one of them writing. `Commands` where one of them gives commands, which look at who has what,
    /// and the other adds or removes at once.
    pub over: Vec<&'static str>,
}

impl ScheduleGraph {
    pub(super) fn of<W: World>(places: &ScheduleStates) -> Self {
        let schedules = W::__schedules().iter().map(|plan| schedule::<W>(plan));
        let schedules = schedules.filter(|schedule| !schedule.name.is_empty()).collect();
        Self { world: W::NAME, schedules, unused: Unused::of::<W>(places) }
    }

    /// The graph of a schedule that was built at run time.
    pub(super) fn of_plan<W: World>(plan: &Plan<W>) -> Self {
        Self { world: W::NAME, schedules: alloc::vec![schedule::<W>(plan)], unused: Unused::default() }
    }

    /// The graph with only the schedule of this name.
    #[must_use]
    pub fn only(mut self, schedule: &str) -> Self {
        self.schedules.retain(|one| one.name == schedule);
        self
    }

    /// As text for Graphviz: a box for each schedule and stage, an arrow for each edge.
    #[must_use]
    pub fn to_dot(&self) -> String {
        let mut dot = String::new();
        let _ = writeln!(dot, "digraph \"{}\" {{", escaped(self.world));
        dot.push_str(
            "    rankdir=LR; compound=true; node [shape=box, style=rounded, fontname=\"sans-serif\"];\n",
        );
        for (at, schedule) in self.schedules.iter().enumerate() {
            let _ = writeln!(dot, "    subgraph \"cluster_{at}\" {{ label=\"{}\";", escaped(schedule.name));
            for stage in 0..schedule.nodes.last().map_or(0, |node| node.stage + 1) {
                let react =
                    schedule.nodes.iter().find(|node| node.stage == stage).and_then(|node| node.react);
                let label = react.map_or_else(String::new, |most| alloc::format!("react, max {most}"));
                let _ = writeln!(
                    dot,
                    "        subgraph \"cluster_{at}_{stage}\" {{ label=\"{label}\"; style=dashed;"
                );
                for (number, node) in
                    schedule.nodes.iter().enumerate().filter(|(_, node)| node.stage == stage)
                {
                    let _ = write!(dot, "            n{at}_{number} [label=\"{}", escaped(node.system));
                    if !node.condition.is_empty() {
                        let _ = write!(dot, "\\nif {}", escaped(&node.condition));
                    }
                    dot.push_str("\", tooltip=\"");
                    for (what, names) in node.accesses() {
                        if !names.is_empty() {
                            let _ = write!(dot, "{what}: {}\\n", escaped(&names.join(", ")));
                        }
                    }
                    if node.deferred {
                        dot.push_str("gives commands\\n");
                    }
                    dot.push_str(if node.exclusive { "\", style=bold];\n" } else { "\"];\n" });
                }
                dot.push_str("        }\n");
            }
            let first_of = |stage| schedule.nodes.iter().position(|node| node.stage == stage);
            for stage in 1..schedule.nodes.last().map_or(0, |node| node.stage + 1) {
                if let (Some(before), Some(after)) = (first_of(stage - 1), first_of(stage)) {
                    let (tail, head) = (stage - 1, stage);
                    let _ = writeln!(
                        dot,
                        "        n{at}_{before} -> n{at}_{after} [ltail=\"cluster_{at}_{tail}\", lhead=\"cluster_{at}_{head}\", style=dashed];"
                    );
                }
            }
            for edge in &schedule.edges {
                let label = escaped(&edge.over.join("\\n"));
                let label = label.replace("\\\\n", "\\n");
                let _ =
                    writeln!(dot, "        n{at}_{} -> n{at}_{} [label=\"{label}\"];", edge.from, edge.to);
            }
            dot.push_str("    }\n");
        }
        self.unused.write_dot(&mut dot);
        dot.push_str("}\n");
        dot
    }

    /// Text for Graphviz that draws the access of systems: a box for each system, and a node for each component, resource and event
    /// that a system accesses. Arrows lead from data to the systems that read it, and from systems to the data that they write. A
    /// dashed line joins a system with the components by which it only filters.
    ///
    /// A system that stands in several places is one box, with the access of all places and of its conditions.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[derive(Component)] struct Position(f32);
    /// # #[derive(Component)] struct Velocity(f32);
    /// # world! { struct Game { components { Position, Velocity } } schedule tick { movement } }
    /// # #[system(Game)] fn movement(position: &mut Position, velocity: &Velocity) { position.0 += velocity.0; }
    /// let dot = Game::new().schedule_graph().to_access_dot();
    /// assert!(dot.contains(r#""Velocity" -> "movement()";"#) && dot.contains(r#""movement()" -> "Position";"#));
    /// ```
    #[must_use]
    pub fn to_access_dot(&self) -> String {
        let mut dot = String::new();
        let _ = writeln!(dot, "digraph \"{}\" {{", escaped(self.world));
        dot.push_str("    rankdir=LR; node [fontname=\"sans-serif\"];\n");
        let nodes = || self.schedules.iter().flat_map(|schedule| &schedule.nodes);
        let systems: BTreeSet<&str> = nodes().map(|node| node.system).collect();
        for system in systems {
            let any = |is: &dyn Fn(&GraphNode) -> bool| nodes().any(|node| node.system == system && is(node));
            let style = if any(&|node| node.exclusive) { "\"rounded,bold\"" } else { "rounded" };
            let commands = if any(&|node| node.deferred) { "\\ngives commands" } else { "" };
            let name = escaped(system);
            let _ = writeln!(dot, "    \"{name}()\" [label=\"{name}{commands}\", shape=box, style={style}];");
        }
        let touched: [(&str, TouchedBy); 3] = [
            ("ellipse", |node| [&node.reads, &node.writes, &node.filters]),
            ("hexagon", |node| [&node.resources_read, &node.resources_written, &[]]),
            ("cds", |node| [&node.events_read, &node.events_sent, &[]]),
        ];
        let mut edges = BTreeSet::new();
        for (shape, of) in touched {
            let names: BTreeSet<&str> =
                nodes().flat_map(|node| of(node).into_iter().flatten().copied()).collect();
            for name in names {
                let _ = writeln!(dot, "    \"{}\" [shape={shape}];", escaped(name));
            }
            for node in nodes() {
                let (system, [reads, writes, filters]) = (escaped(node.system), of(node));
                edges.extend(
                    reads.iter().map(|name| alloc::format!("\"{}\" -> \"{system}()\";", escaped(name))),
                );
                edges.extend(
                    writes.iter().map(|name| alloc::format!("\"{system}()\" -> \"{}\";", escaped(name))),
                );
                edges.extend(filters.iter().map(|name| {
                    alloc::format!("\"{}\" -> \"{system}()\" [style=dashed, dir=none];", escaped(name))
                }));
            }
        }
        for edge in edges {
            let _ = writeln!(dot, "    {edge}");
        }
        dot.push_str("}\n");
        dot
    }

    /// As JSON: the fields of these structs under their names.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut json = String::new();
        let _ = write!(json, "{{\"world\":\"{}\",\"schedules\":[", escaped(self.world));
        for (at, schedule) in self.schedules.iter().enumerate() {
            let comma = if at > 0 { "," } else { "" };
            let _ = write!(json, "{comma}{{\"name\":\"{}\",\"nodes\":[", escaped(schedule.name));
            for (at, node) in schedule.nodes.iter().enumerate() {
                let comma = if at > 0 { "," } else { "" };
                let _ = write!(
                    json,
                    "{comma}{{\"system\":\"{}\",\"condition\":\"{}\",\"stage\":{},\"react\":{},\"wave\":{},\"exclusive\":{},\"deferred\":{}",
                    escaped(node.system),
                    escaped(&node.condition),
                    node.stage,
                    node.react.map_or_else(|| "null".into(), |most| alloc::format!("{most}")),
                    node.wave,
                    node.exclusive,
                    node.deferred,
                );
                for (what, names) in node.accesses() {
                    let _ = write!(json, ",\"{what}\":{}", list(names));
                }
                json.push('}');
            }
            json.push_str("],\"edges\":[");
            for (at, edge) in schedule.edges.iter().enumerate() {
                let comma = if at > 0 { "," } else { "" };
                let (from, to, over) = (edge.from, edge.to, list(&edge.over));
                let _ = write!(json, "{comma}{{\"from\":{from},\"to\":{to},\"over\":{over}}}");
            }
            json.push_str("]}");
        }
        json.push_str("],\"unused\":");
        self.unused.write_json(&mut json);
        json.push('}');
        json
    }
}

/// The names that a system reads, writes, and only filters by.
type TouchedBy = fn(&GraphNode) -> [&[&'static str]; 3];

impl GraphNode {
    /// What it touches, under the names of the fields.
    fn accesses(&self) -> [(&'static str, &[&'static str]); 7] {
        [
            ("reads", &self.reads),
            ("writes", &self.writes),
            ("filters", &self.filters),
            ("resources_read", &self.resources_read),
            ("resources_written", &self.resources_written),
            ("events_read", &self.events_read),
            ("events_sent", &self.events_sent),
        ]
    }
}

/// Text between quotes, for DOT and JSON alike.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            c if c < ' ' => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

pub(super) fn list(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| alloc::format!("\"{}\"", escaped(name))).collect();
    alloc::format!("[{}]", names.join(","))
}

fn schedule<W: World>(plan: &Plan<W>) -> GraphSchedule {
    let entries = &plan.entries;
    let wholes: Vec<Access> = entries.iter().map(|entry| whole(&entry.node)).collect();
    let nodes = entries.iter().zip(&wholes).map(|(entry, access)| node::<W>(plan, entry, access)).collect();
    GraphSchedule { name: plan.name, nodes, edges: edges::<W>(entries, &wholes) }
}

fn node<W: World>(plan: &Plan<W>, entry: &Entry<W>, access: &Access) -> GraphNode {
    let of = |names: &'static [&'static str], is_in: &dyn Fn(usize) -> bool| {
        (0..names.len()).filter(|&index| is_in(index)).map(|index| names[index]).collect::<Vec<_>>()
    };
    let looked_at = if access.deferred { access.presence_write } else { access.presence };
    let valued = access.read.or(access.write);
    GraphNode {
        system: entry.node.task.name,
        condition: entry.node.condition().unwrap_or_default(),
        stage: entry.node.stage,
        react: plan.stages.get(entry.node.stage).and_then(|stage| stage.react),
        wave: entry.wave,
        exclusive: entry.exclusive,
        deferred: entry.deferred,
        reads: of(W::COMPONENTS, &|index| access.read.contains(index)),
        writes: of(W::COMPONENTS, &|index| access.write.contains(index)),
        filters: of(W::COMPONENTS, &|index| looked_at.contains(index) && !valued.contains(index)),
        resources_read: of(W::RESOURCES, &|index| access.resources_read.contains(index)),
        resources_written: of(W::RESOURCES, &|index| access.resources_write.contains(index)),
        events_read: of(W::EVENTS, &|index| access.events_read.contains(index)),
        events_sent: of(W::EVENTS, &|index| access.events_written.contains(index)),
    }
}

/// The pairs that keep their order, but for those that follow from others.
fn edges<W: World>(entries: &[Entry<W>], wholes: &[Access]) -> Vec<GraphEdge> {
    let waits = |from: usize, to: usize| {
        let (a, b) = (&entries[from], &entries[to]);
        a.section == b.section
            && (a.node.is_fallible() || clash(&a.node, &wholes[from], &b.node, &wholes[to]))
    };
    let mut edges = Vec::new();
    // who comes before whom, also through others
    let mut before: Vec<Vec<bool>> = Vec::new();
    for to in 0..entries.len() {
        let mut reached = alloc::vec![false; to];
        for from in (0..to).rev() {
            if !reached[from] && waits(from, to) {
                edges.push(GraphEdge { from, to, over: over::<W>(&wholes[from], &wholes[to]) });
                reached[from] = true;
                for (reached, before) in reached.iter_mut().zip(&before[from]) {
                    *reached |= before;
                }
            }
        }
        before.push(reached);
    }
    edges.sort_by_key(|edge| (edge.from, edge.to));
    edges
}

/// What two accesses share, one of them writing.
fn over<W: World>(a: &Access, b: &Access) -> Vec<&'static str> {
    let presence = a.presence_clash(b);
    let by_commands = (a.deferred || b.deferred) && !presence.is_empty();
    let components = a.value_clash(b).or(if by_commands { ComponentSet::EMPTY } else { presence });
    let (resources, events) = (a.resource_clash(b), a.event_clash(b));
    let components = components.indices().filter_map(|index| W::COMPONENTS.get(index));
    let resources = W::RESOURCES.iter().enumerate().filter(|&(index, _)| resources.contains(index));
    let events = W::EVENTS.iter().enumerate().filter(|&(index, _)| events.contains(index));
    let commands = by_commands.then_some(&"Commands");
    components
        .chain(resources.map(|one| one.1))
        .chain(events.map(|one| one.1))
        .chain(commands)
        .copied()
        .collect()
}
