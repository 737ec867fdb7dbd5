//! [`Rows`]: boxes and arrows between them. Each box has a row of its own, so that an arrow leads
//! along the row of its source, down or up in the gap before the column of its target, and along
//! the row of its target: it crosses no box.

use super::svg::{Canvas, LINE, PADDING, width};

/// A box.
pub(crate) struct RowBox {
    pub(crate) name: String,
    /// The lines below the name.
    pub(crate) notes: Vec<String>,
    /// The number of the column.
    pub(crate) column: usize,
    /// The class of the frame.
    pub(crate) class: &'static str,
}

/// An arrow between two boxes, by their indices.
pub(crate) struct Arrow {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) class: &'static str,
    pub(crate) title: String,
    /// Whether it has a head.
    pub(crate) directed: bool,
}

/// Boxes and arrows.
#[derive(Default)]
pub(crate) struct Rows {
    pub(crate) boxes: Vec<RowBox>,
    pub(crate) arrows: Vec<Arrow>,
}

/// The distance of the upright parts of arrows.
const LANE: usize = 7;
/// The distance of two rows.
const GAP: usize = 12;

impl RowBox {
    fn size(&self) -> (usize, usize) {
        let widest = self.notes.iter().chain([&self.name]).map(|line| width(line)).max().unwrap_or(0);
        (widest + 2 * PADDING, (1 + self.notes.len()) * LINE + PADDING)
    }
}

impl Rows {
    /// Draws the boxes below each other, and returns the size of the whole.
    pub(crate) fn draw(&self, canvas: &mut Canvas, (left, top): (usize, usize)) -> (usize, usize) {
        let columns = self.boxes.iter().map(|one| one.column + 1).max().unwrap_or(0);
        // the sources of each column's arrows: one lane each
        let mut lanes: Vec<Vec<usize>> = vec![Vec::new(); columns];
        let mut back = Vec::new();
        for arrow in &self.arrows {
            let (from, to) = (&self.boxes[arrow.from], &self.boxes[arrow.to]);
            let sources = if from.column < to.column { &mut lanes[to.column] } else { &mut back };
            if !sources.contains(&arrow.from) {
                sources.push(arrow.from);
            }
        }
        let mut starts = Vec::with_capacity(columns);
        let mut x = left + if back.is_empty() { 0 } else { (back.len() + 1) * LANE + 8 };
        for (column, sources) in lanes.iter().enumerate() {
            if column > 0 {
                x += 24 + sources.len() * LANE;
            }
            starts.push(x);
            let in_column = self.boxes.iter().filter(|one| one.column == column);
            x += in_column.map(|one| one.size().0).max().unwrap_or(0);
        }
        let (right, mut y) = (x, top);
        let mut places = Vec::with_capacity(self.boxes.len());
        for one in &self.boxes {
            let (width, height) = one.size();
            let corner = (starts[one.column], y);
            canvas.frame(corner, (width, height), one.class);
            canvas.text(corner.0 + PADDING, y + LINE, "name", &one.name);
            for (line, note) in one.notes.iter().enumerate() {
                canvas.text(corner.0 + PADDING, y + (line + 2) * LINE, "note", note);
            }
            places.push((corner.0, corner.0 + width, y + PADDING + 4));
            y += height + GAP;
        }
        for Arrow { from, to, class, title, directed } in &self.arrows {
            let ((start, end, from_y), (target, _, to_y)) = (places[*from], places[*to]);
            let column = self.boxes[*to].column;
            let lane_of = |sources: &[usize]| sources.iter().position(|source| source == from).unwrap_or(0);
            // an arrow leaves and enters at different heights: rows with both stay readable
            let (from_y, to_y) = (from_y + 6, to_y - 4);
            let points = if self.boxes[*from].column < column {
                let lane = target - 16 - lane_of(&lanes[column]) * LANE;
                [(end, from_y), (lane, from_y), (lane, to_y), (target, to_y)]
            } else {
                let lane = left + lane_of(&back) * LANE;
                [(start, from_y), (lane, from_y), (lane, to_y), (target, to_y)]
            };
            canvas.line(&points, class, title);
            if *directed {
                canvas.arrow_head((target, to_y));
            }
        }
        (right - left, y.saturating_sub(top + GAP))
    }
}

/// Breaks a list of names into lines, with a word before the first one.
pub(crate) fn listed(before: &str, names: &[impl AsRef<str>]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (at, name) in names.iter().enumerate() {
        let (name, comma) = (name.as_ref(), if at + 1 < names.len() { "," } else { "" });
        let fits = |line: &&mut String| line.chars().count() + name.chars().count() < 44;
        if let Some(line) = lines.last_mut().filter(fits) {
            line.push_str(&format!(" {name}{comma}"));
        } else {
            let start = if at == 0 { before } else { " " };
            lines.push(format!("{start} {name}{comma}"));
        }
    }
    lines
}
