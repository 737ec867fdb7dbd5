//! [`ScheduleGraph`]: the systems of schedules, the data that each accesses, and the order that
//! clashing accesses require.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

use super::plan::{AnyPlan, NoWorld, PlanEntry, clash, node_access};
use super::states::ScheduleStates;
use super::unused::Unused;
use crate::base::component_set::ComponentSet;
use crate::base::quoted::escaped;
use crate::raw_world::RawWorld;
use crate::system::Access;

/// The graph of a world's schedules: see
/// [`Schedules::schedule_graph`](crate::Schedules::schedule_graph), and
/// [`Schedule::graph`](crate::Schedule::graph) for a schedule that is built at run time.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ScheduleGraph {
    /// The name of the world's type.
    pub world: &'static str,
    /// The schedules, in the order of the declaration.
    pub schedules: Vec<GraphSchedule>,
    /// Declarations of the world that no schedule uses; empty in the graph of a schedule that is
    /// built at run time.
    pub unused: Unused,
}

/// A schedule of a [`ScheduleGraph`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct GraphSchedule {
    /// The name of the schedule.
    pub name: &'static str,
    /// The systems, in the order of the text.
    pub nodes: Vec<GraphNode>,
    /// The systems that wait for another one. An edge that follows from other edges is left out.
    pub edges: Vec<GraphEdge>,
}

/// A system at one place of a schedule.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct GraphNode {
    /// The name of the system, as the schedule spells it.
    pub system: &'static str,
    /// The condition behind `if`, as the schedule spells it; empty if there is none.
    pub condition: String,
    /// The index of the gate of its group, for a system in a group with a condition. The gate is a
    /// node that evaluates the condition, with the text of the condition as its name, such as
    /// `if playing`.
    pub group: Option<usize>,
    /// The number of its stage, from 0. A `;` begins the next stage.
    pub stage: usize,
    /// The maximal number of runs of its stage if the stage is a `react` block, otherwise `None`.
    pub react: Option<u32>,
    /// The number of its wave in its stage: systems of one wave may run at the same time. A system
    /// that takes the whole world has wave 0, and after it the numbers begin at 0 again.
    pub wave: usize,
    /// Whether the system takes the whole world, so that no other system runs at the same time.
    pub exclusive: bool,
    /// Whether the system defers changes to the end of its stage.
    pub deferred: bool,
    /// The components whose values the system reads.
    pub reads: Vec<&'static str>,
    /// The components whose values the system writes.
    pub writes: Vec<&'static str>,
    /// The components whose presence the system tests, without access to their values. Commands
    /// depend on the presence of all components, which is not listed.
    pub filters: Vec<&'static str>,
    /// The resources that the system reads.
    pub resources_read: Vec<&'static str>,
    /// The resources that the system writes.
    pub resources_written: Vec<&'static str>,
    /// The events that the system reads.
    pub events_read: Vec<&'static str>,
    /// The events that the system sends.
    pub events_sent: Vec<&'static str>,
}

/// A pair of systems, one of which waits for the other, by their indices among the nodes.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct GraphEdge {
    /// The index of the system that runs first.
    pub from: usize,
    /// The index of the system that waits.
    pub to: usize,
    /// The data that both systems access, and at least one of them writes. `Commands` if one of
    /// them gives commands, which depend on the presence of components, and the other adds or
    /// removes components at once.
    pub over: Vec<&'static str>,
}

/// The names of a world and of its data.
#[derive(Clone, Copy)]
pub(super) struct WorldNames {
    pub(super) world: &'static str,
    pub(super) components: &'static [&'static str],
    pub(super) resources: &'static [&'static str],
    pub(super) events: &'static [&'static str],
    /// For each event whether it is external.
    pub(super) external_events: &'static [bool],
}

impl WorldNames {
    pub(super) const fn of<W: RawWorld>() -> Self {
        Self {
            world: W::WORLD_NAME,
            components: W::COMPONENT_NAMES,
            resources: W::RESOURCE_NAMES,
            events: W::EVENT_NAMES,
            external_events: W::EXTERNAL_EVENTS,
        }
    }
}

impl ScheduleGraph {
    /// The graph of all schedules of a world.
    pub(super) fn of_world(names: WorldNames, plans: &[&AnyPlan<'_>], states: &ScheduleStates) -> Self {
        let schedules = plans.iter().map(|plan| schedule(names, plan));
        let schedules = schedules.filter(|schedule| !schedule.name.is_empty()).collect();
        Self { world: names.world, schedules, unused: Unused::of_world(names, plans, states) }
    }

    /// The graph of a schedule that is built at run time.
    pub(super) fn of_plan(names: WorldNames, plan: &AnyPlan<'_>) -> Self {
        Self { world: names.world, schedules: alloc::vec![schedule(names, plan)], unused: Unused::default() }
    }

    /// Removes all schedules but the one with this name.
    #[must_use]
    pub fn only(mut self, schedule: &str) -> Self {
        self.schedules.retain(|one| one.name == schedule);
        self
    }

    /// Returns the graph as text for Graphviz: a box for each schedule and stage, and an arrow for
    /// each edge.
    #[must_use]
    pub fn to_dot(&self) -> String {
        let mut dot = String::new();
        let _ = writeln!(dot, "digraph \"{}\" {{", escaped(self.world));
        dot.push_str(
            "    rankdir=LR; compound=true; node [shape=box, style=rounded, fontname=\"sans-serif\"];\n",
        );
        for (at, schedule) in self.schedules.iter().enumerate() {
            let _ = writeln!(dot, "    subgraph \"cluster_{at}\" {{ label=\"{}\";", escaped(schedule.name));
            // a dashed box for each stage, whose label says if it is repeated
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
                    // the accesses are the tooltip: as a label they would fill the picture
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
            // an arrow between the first systems of two stages, cut off at their boxes, stands for
            // the stages
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
            // the order within a stage; `join` has added line breaks, which `escaped` must not
            // change
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

    /// Returns the accesses of the systems as text for Graphviz: a box for each system, and a node
    /// for each component, resource and event that a system accesses. Arrows lead from data to the
    /// systems that read it, and from systems to the data that they write. A dashed line joins a
    /// system with the components by which it only filters.
    ///
    /// A system with several places is one box, with the accesses of all places and of their
    /// conditions.
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
        // one box for each system, however many places it has
        let nodes = || self.schedules.iter().flat_map(|schedule| &schedule.nodes);
        let systems: BTreeSet<&str> = nodes().map(|node| node.system).collect();
        for system in systems {
            let any = |is: &dyn Fn(&GraphNode) -> bool| nodes().any(|node| node.system == system && is(node));
            let style = if any(&|node| node.exclusive) { "\"rounded,bold\"" } else { "rounded" };
            let commands = if any(&|node| node.deferred) { "\\ngives commands" } else { "" };
            let name = escaped(system);
            let _ = writeln!(dot, "    \"{name}()\" [label=\"{name}{commands}\", shape=box, style={style}];");
        }
        // one node for each component, resource and event that is accessed, in its own shape
        let accessed: [(&str, AccessedNames); 3] = [
            ("ellipse", |node| [&node.reads, &node.writes, &node.filters]),
            ("hexagon", |node| [&node.resources_read, &node.resources_written, &[]]),
            ("cds", |node| [&node.events_read, &node.events_sent, &[]]),
        ];
        // a set: a system with several places has each arrow once, and the order does not change
        let mut edges = BTreeSet::new();
        for (shape, of) in accessed {
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

    /// Returns the graph as JSON, with the fields of these structs under their names.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut json = String::new();
        let _ = write!(json, "{{\"world\":\"{}\",\"schedules\":[", escaped(self.world));
        // written by hand, so that the graph does not need the feature `serde`
        for (at, schedule) in self.schedules.iter().enumerate() {
            let comma = if at > 0 { "," } else { "" };
            let _ = write!(json, "{comma}{{\"name\":\"{}\",\"nodes\":[", escaped(schedule.name));
            for (at, node) in schedule.nodes.iter().enumerate() {
                let comma = if at > 0 { "," } else { "" };
                let _ = write!(
                    json,
                    "{comma}{{\"system\":\"{}\",\"condition\":\"{}\",\"group\":{},\"stage\":{},\"react\":{},\"wave\":{},\"exclusive\":{},\"deferred\":{}",
                    escaped(node.system),
                    escaped(&node.condition),
                    node.group.map_or_else(|| "null".into(), |gate| alloc::format!("{gate}")),
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
type AccessedNames = fn(&GraphNode) -> [&[&'static str]; 3];

impl GraphNode {
    /// The lists of accessed data, each with the name of its field.
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

/// Writes names as a JSON array.
pub(super) fn list(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| alloc::format!("\"{}\"", escaped(name))).collect();
    alloc::format!("[{}]", names.join(","))
}

fn schedule(names: WorldNames, plan: &AnyPlan<'_>) -> GraphSchedule {
    let entries = &plan.entries;
    let accesses: Vec<Access> = entries.iter().map(|entry| node_access(&entry.node)).collect();
    let nodes =
        entries.iter().zip(&accesses).map(|(entry, access)| node(names, plan, entry, access)).collect();
    GraphSchedule { name: plan.name, nodes, edges: edges(names, entries, &accesses) }
}

fn node(names: WorldNames, plan: &AnyPlan<'_>, entry: &PlanEntry<NoWorld>, access: &Access) -> GraphNode {
    let of = |names: &'static [&'static str], is_in: &dyn Fn(usize) -> bool| {
        (0..names.len()).filter(|&index| is_in(index)).map(|index| names[index]).collect::<Vec<_>>()
    };
    // commands count as reading the presence of all components, which says nothing about the system
    let filtered = if access.deferred { access.presence_write } else { access.presence };
    let with_values = access.read.or(access.write);
    GraphNode {
        system: entry.node.task.name,
        condition: entry.node.condition().unwrap_or_default(),
        group: entry.gate,
        stage: entry.node.stage,
        react: plan.stages.get(entry.node.stage).and_then(|stage| stage.react),
        wave: entry.wave,
        exclusive: entry.exclusive,
        deferred: entry.deferred,
        reads: of(names.components, &|index| access.read.contains(index)),
        writes: of(names.components, &|index| access.write.contains(index)),
        filters: of(names.components, &|index| filtered.contains(index) && !with_values.contains(index)),
        resources_read: of(names.resources, &|index| access.resources_read.contains(index)),
        resources_written: of(names.resources, &|index| access.resources_write.contains(index)),
        events_read: of(names.events, &|index| access.events_read.contains(index)),
        events_sent: of(names.events, &|index| access.events_written.contains(index)),
    }
}

/// The pairs of systems that keep their order, without pairs that follow from others.
fn edges(names: WorldNames, entries: &[PlanEntry<NoWorld>], accesses: &[Access]) -> Vec<GraphEdge> {
    let waits = |from: usize, to: usize| {
        let (a, b) = (&entries[from], &entries[to]);
        a.section == b.section
            && (a.node.is_fallible()
                || b.gate == Some(from)
                || clash(&a.node, &accesses[from], &b.node, &accesses[to]))
    };
    let mut edges = Vec::new();
    // for each system those that run before it, directly or through others
    let mut before: Vec<Vec<bool>> = Vec::new();
    for to in 0..entries.len() {
        let mut reached = alloc::vec![false; to];
        for from in (0..to).rev() {
            if !reached[from] && waits(from, to) {
                let over = match entries[to].gate {
                    Some(gate) if gate == from => alloc::vec![entries[gate].node.task.name],
                    _ => shared_data(names, &accesses[from], &accesses[to]),
                };
                edges.push(GraphEdge { from, to, over });
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

/// The names of the data that two systems access, and at least one of them writes.
fn shared_data(names: WorldNames, a: &Access, b: &Access) -> Vec<&'static str> {
    let presence = a.presence_clash(b);
    let by_commands = (a.deferred || b.deferred) && !presence.is_empty();
    let components = a.value_clash(b).or(if by_commands { ComponentSet::EMPTY } else { presence });
    let (resources, events) = (a.resource_clash(b), a.event_clash(b));
    let components = components.indices().filter_map(|index| names.components.get(index));
    let resources = names.resources.iter().enumerate().filter(|&(index, _)| resources.contains(index));
    let events = names.events.iter().enumerate().filter(|&(index, _)| events.contains(index));
    let commands = by_commands.then_some(&"Commands");
    components
        .chain(resources.map(|one| one.1))
        .chain(events.map(|one| one.1))
        .chain(commands)
        .copied()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(system: &'static str, stage: usize, react: Option<u32>) -> GraphNode {
        GraphNode {
            system,
            condition: String::new(),
            group: None,
            stage,
            react,
            wave: 0,
            exclusive: false,
            deferred: false,
            reads: alloc::vec!["R1", "R2"],
            writes: alloc::vec!["W"],
            filters: alloc::vec!["F"],
            resources_read: alloc::vec!["RR"],
            resources_written: alloc::vec!["RW"],
            events_read: alloc::vec!["ER"],
            events_sent: alloc::vec!["ES"],
        }
    }

    /// Three stages, the second of which is a `react` block of two systems, and two edges.
    fn three_stages() -> ScheduleGraph {
        let nodes =
            alloc::vec![node("a", 0, None), node("b", 1, Some(4)), node("c", 1, Some(4)), node("d", 2, None)];
        let edges = alloc::vec![
            GraphEdge { from: 0, to: 1, over: alloc::vec!["W"] },
            GraphEdge { from: 1, to: 2, over: alloc::vec!["W", "RW"] },
        ];
        let schedules = alloc::vec![GraphSchedule { name: "tick", nodes, edges }];
        ScheduleGraph { world: "Game", schedules, unused: Unused::default() }
    }

    #[test]
    fn dot_has_the_label_of_each_stage_and_an_arrow_to_the_next() {
        let dot = three_stages().to_dot();
        let lines = |start: &str| -> Vec<&str> {
            dot.lines().map(str::trim).filter(|line| line.starts_with(start)).collect()
        };
        assert_eq!(
            lines("subgraph \"cluster_0_"),
            [
                "subgraph \"cluster_0_0\" { label=\"\"; style=dashed;",
                "subgraph \"cluster_0_1\" { label=\"react, max 4\"; style=dashed;",
                "subgraph \"cluster_0_2\" { label=\"\"; style=dashed;",
            ]
        );
        let arrows: Vec<&str> = lines("n0_").into_iter().filter(|line| line.contains("->")).collect();
        assert_eq!(
            arrows,
            [
                "n0_0 -> n0_1 [ltail=\"cluster_0_0\", lhead=\"cluster_0_1\", style=dashed];",
                "n0_1 -> n0_3 [ltail=\"cluster_0_1\", lhead=\"cluster_0_2\", style=dashed];",
                "n0_0 -> n0_1 [label=\"W\"];",
                "n0_1 -> n0_2 [label=\"W\\nRW\"];",
            ]
        );
        assert!(dot.contains("reads: R1, R2\\nwrites: W\\nfilters: F\\nresources_read: RR\\n"), "{dot}");
    }

    #[test]
    fn json_lists_each_access_under_its_name_and_separates_edges() {
        let json = three_stages().to_json();
        let accesses = "\"reads\":[\"R1\",\"R2\"],\"writes\":[\"W\"],\"filters\":[\"F\"],\"resources_read\":[\"RR\"],\
                        \"resources_written\":[\"RW\"],\"events_read\":[\"ER\"],\"events_sent\":[\"ES\"]}";
        assert_eq!(json.matches(accesses).count(), 4, "{json}");
        let edges = "\"edges\":[{\"from\":0,\"to\":1,\"over\":[\"W\"]},{\"from\":1,\"to\":2,\"over\":[\"W\",\"RW\"]}]}]";
        assert!(json.contains(edges), "{json}");
    }

    #[test]
    fn control_characters_are_escaped_as_json_requires() {
        assert_eq!(escaped("a b\u{1}\t\n\"\\"), "a b\\u0001\\u0009\\n\\\"\\\\");
    }
}
