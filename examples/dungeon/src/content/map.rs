//! The map file: a legend, an empty line, and a drawing of the level.
//!
//! ```text
//! + = door
//! ! = healing-potion | antidote       one of these, as the dice fall
//! ; a comment
//!
//! ########
//! #@.+.!.#
//! ########
//! ```
//!
//! `#` is wall, `.` floor, a blank solid rock and `@` the start. The legend explains every other
//! glyph, and its cell is floor.

use std::collections::BTreeMap;

use super::HERO;
use super::catalogue::Catalogue;
use super::source::Source;
use crate::error::{Error, list};
use crate::grid::Grid;
use crate::level::Terrain;
use crate::point::Point;

/// A level as its author drew it.
pub struct Map {
    pub terrain: Grid<Terrain>,
    /// The cell of the hero at the start.
    pub start: Point,
    /// The glyphs of the legend on the map, row by row.
    pub things: Vec<Thing>,
}

/// A glyph on the map.
pub struct Thing {
    pub at: Point,
    /// The possible kinds, of which the dice choose one.
    pub kinds: Vec<String>,
}

type Legend<'a> = BTreeMap<char, Vec<&'a str>>;

impl Map {
    /// # Errors
    /// A line of the legend or a glyph that is not understood, an unknown kind, no start or two of
    /// them.
    pub fn read(source: &Source, catalogue: &Catalogue) -> Result<Self, Error> {
        let text = source.text();
        let mut lines = text.lines();
        let legend = read_legend(source, &mut lines, catalogue)?;
        let rows: Vec<&str> = lines.collect();

        let width = rows.iter().map(|row| row.chars().count()).max().unwrap_or(0);
        let mut terrain = Grid::new(width as i32, rows.len() as i32, Terrain::Rock);
        let mut start = None;
        let mut things = Vec::new();
        for (y, row) in rows.iter().enumerate() {
            for (x, (offset, glyph)) in row.char_indices().enumerate() {
                let at = Point::new(x as i32, y as i32);
                let wrong = |reason: String| Err(source.error_at(&row[offset..], reason));
                match glyph {
                    ' ' => continue,
                    '#' => terrain.set(at, Terrain::Wall),
                    '.' => terrain.set(at, Terrain::Floor),
                    '@' if start.is_some() => return wrong("a second start `@`".to_owned()),
                    '@' => {
                        terrain.set(at, Terrain::Floor);
                        start = Some(at);
                    }
                    glyph => {
                        let Some(kinds) = legend.get(&glyph) else {
                            return wrong(format!("unknown glyph {glyph:?}; the legend does not explain it"));
                        };
                        terrain.set(at, Terrain::Floor);
                        things
                            .push(Thing { at, kinds: kinds.iter().map(|kind| (*kind).to_owned()).collect() });
                    }
                }
            }
        }
        let start = start.ok_or_else(|| Error::file(source.file(), "the map has no start; draw one `@`"))?;
        Ok(Self { terrain, start, things })
    }
}

/// Reads the lines up to the empty one.
fn read_legend<'a>(
    source: &Source,
    lines: &mut impl Iterator<Item = &'a str>,
    catalogue: &Catalogue,
) -> Result<Legend<'a>, Error> {
    let mut legend = Legend::new();
    for line in lines.take_while(|line| !line.trim().is_empty()).filter(|line| !line.starts_with(';')) {
        let form = || source.error_at(line, "a line of the legend reads `GLYPH = KIND | KIND`");
        let (glyph, kinds) = line.split_once(" = ").ok_or_else(form)?;
        let mut characters = glyph.chars();
        let (Some(glyph), None) = (characters.next(), characters.next()) else { return Err(form()) };
        if matches!(glyph, ' ' | '#' | '.' | '@') {
            return Err(source.error_at(line, format!("glyph {glyph:?} has its meaning already")));
        }

        let kinds: Vec<&str> = kinds.split('|').map(str::trim).collect();
        for kind in &kinds {
            if catalogue.get(kind).is_none() {
                let reason = format!("unknown kind `{kind}`; there are {}", list(catalogue.names()));
                return Err(source.error_at(kind, reason));
            }
            if *kind == HERO {
                return Err(source.error_at(kind, "the hero stands where `@` is, and nowhere else"));
            }
        }
        if legend.insert(glyph, kinds).is_some() {
            return Err(source.error_at(line, format!("glyph {glyph:?} is explained twice")));
        }
    }
    Ok(legend)
}
