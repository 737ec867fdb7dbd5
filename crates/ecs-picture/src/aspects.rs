//! The picture of aspects: their fields, the values that they set, and the components and aspects
//! in them.

use ecs::aspect::AspectGraph;

use super::rows::{Arrow, RowBox, Rows, listed};
use super::svg::{Canvas, MARGIN};

/// Draws the aspects of a graph. An aspect or component stands to the right of the aspects that
/// contain it.
pub(crate) fn aspects(graph: &AspectGraph) -> String {
    let mut depths = vec![0; graph.nodes.len()];
    // an aspect cannot contain itself
    for _ in &graph.nodes {
        for edge in &graph.edges {
            depths[edge.to] = depths[edge.to].max(depths[edge.from] + 1);
        }
    }
    let mut rows = Rows::default();
    for (at, (node, column)) in graph.nodes.iter().zip(depths).enumerate() {
        let mut notes = Vec::new();
        for edge in graph.edges.iter().filter(|edge| edge.from == at) {
            let field = format!("{}: {}", edge.field, graph.nodes[edge.to].name);
            notes.extend(match edge.default {
                Some(default) => listed(&format!("{field} ="), &[default]),
                None => vec![field],
            });
            let set = edge.overrides.iter().map(|(path, value)| format!("  {}{path} = {value}", edge.field));
            notes.extend(set);
        }
        let (kind, class) = if node.aspect { ("aspect ", "box") } else { ("", "data") };
        rows.boxes.push(RowBox { name: format!("{kind}{}", node.name), notes, column, class });
    }
    for edge in &graph.edges {
        let title = format!("field {} of {}", edge.field, graph.nodes[edge.from].name);
        rows.arrows.push(Arrow { from: edge.from, to: edge.to, class: "", title, directed: true });
    }
    let mut canvas = Canvas::new();
    canvas.text(MARGIN, MARGIN + 14, "title", "aspects");
    rows.draw(&mut canvas, (MARGIN, MARGIN + 30));
    canvas.finish("Aspects")
}
