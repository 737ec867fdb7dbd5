//! The picture of components: rules, required and excluded components, and relations.

use ecs::component::{ComponentGraph, ComponentNode};

use super::rows::{Arrow, RowBox, Rows, listed};
use super::svg::{Canvas, MARGIN};

/// Draws the components of a graph. A component stands to the right of those that require it.
pub(crate) fn components(graph: &ComponentGraph) -> String {
    let mut rows = Rows::default();
    let depths = depths(graph);
    let name = |at: &usize| graph.nodes[*at].name;
    // a box for each component, with its options and rules as lines
    for (node, column) in graph.nodes.iter().zip(depths) {
        let mut notes =
            listed("", &node.options()).into_iter().map(|line| line.trim().to_owned()).collect::<Vec<_>>();
        let names = |of: &[usize]| of.iter().map(name).collect::<Vec<_>>();
        notes.extend(listed("requires", &names(&node.requires)));
        notes.extend(listed("excludes", &names(&node.excludes)));
        if let Some(mark) = marked(node) {
            notes.push(format!("marks with {}", name(&mark)));
        }
        let is_relation = node.relation.is_some();
        let class = if is_relation { "relation" } else { "data" };
        let kind = if is_relation { "relation " } else { "" };
        rows.boxes.push(RowBox { name: format!("{kind}{}", node.name), notes, column, class });
    }
    // the rules again as arrows; `excludes` is mutual, and has one line
    for (from, node) in graph.nodes.iter().enumerate() {
        let mut arrow = |to: usize, class, verb, directed| {
            let title = format!("{} {verb} {}", node.name, name(&to));
            rows.arrows.push(Arrow { from, to, class, title, directed });
        };
        node.requires.iter().for_each(|&to| arrow(to, "", "requires", true));
        node.excludes.iter().filter(|&&to| from < to).for_each(|&to| arrow(to, "dashed", "excludes", false));
        marked(node).into_iter().for_each(|to| arrow(to, "dotted", "marks with", true));
    }
    let mut canvas = Canvas::new();
    canvas.text(MARGIN, MARGIN + 14, "title", &format!("components of {}", graph.world));
    rows.draw(&mut canvas, (MARGIN, MARGIN + 30));
    canvas.finish(&format!("Components of {}", graph.world))
}

fn marked(node: &ComponentNode) -> Option<usize> {
    node.relation.as_ref().and_then(|relation| relation.mark)
}

/// The column of each component: one more than those of the components that require it.
fn depths(graph: &ComponentGraph) -> Vec<usize> {
    let mut depths = vec![0; graph.nodes.len()];
    // a path has fewer steps than there are components; the compiler refuses cycles
    for _ in 0..graph.nodes.len() {
        let mut changed = false;
        for (at, node) in graph.nodes.iter().enumerate() {
            for &other in &node.requires {
                if depths[other] <= depths[at] {
                    (depths[other], changed) = (depths[at] + 1, true);
                }
            }
        }
        if !changed {
            break;
        }
    }
    depths
}
