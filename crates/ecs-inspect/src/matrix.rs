//! The rows of the matrix of entities and components.
//!
//! Without a filter and an order, rows are read in pages by their slots, so that a world of any
//! size costs what is on the screen. A filter or an order makes a list of entities, which is read
//! again for each picture only in a small world.

use std::ops::Range;

use ecs::Entity;
use ecs::reflect::{DynamicQuery, ReflectError, ReflectRef};

use crate::value::entities_from;
use crate::verbs::split_list;

/// The number of entities up to which a list is read for each picture.
pub(crate) const LIVE: usize = 10_000;

/// A query that was typed.
#[derive(Clone, Debug)]
pub(crate) struct Filter {
    pub(crate) text: String,
    query: DynamicQuery,
    /// The components that the query fetches: the columns of the matrix.
    columns: Vec<String>,
}

impl Filter {
    /// Parses the text of a query. Fetched components become columns, whose values are read only
    /// for the rows on the screen.
    pub(crate) fn parse(text: &str) -> Result<Self, ReflectError> {
        // the text as a whole, so that an error names its place in it
        text.parse::<DynamicQuery>()?;
        let (mut columns, mut parts) = (Vec::new(), Vec::new());
        for range in split_list(text) {
            let part = text[range].trim();
            // a name alone is a fetched component: the list only needs the entities that have it
            let is_name =
                |part: &str| !part.is_empty() && !part.contains([' ', '=', '!', '"', '.', '[', '\t']);
            match part.strip_prefix('?').map(str::trim) {
                Some(name) => columns.push(name.to_owned()),
                None if is_name(part) && format!("with {part}").parse::<DynamicQuery>().is_ok() => {
                    columns.push(part.to_owned());
                    parts.push(format!("with {part}"));
                }
                None => parts.push(part.to_owned()),
            }
        }
        Ok(Self { text: text.to_owned(), query: parts.join(", ").parse()?, columns })
    }
}

/// The rows and columns that the user looks at.
#[derive(Default, Debug)]
pub(crate) struct Matrix {
    pub(crate) filter: Option<Filter>,
    /// The path by which rows are sorted, and whether the largest value comes first.
    pub(crate) sort: Option<(String, bool)>,
    /// The entities of the filter and the order.
    list: Vec<Entity>,
    /// Whether the list must be read before it is shown.
    pub(crate) is_stale: bool,
    /// The error of the last run of the query.
    pub(crate) error: Option<String>,
    /// The position of the first row on the screen: a slot, or an index of the list.
    pub(crate) top: usize,
    /// The position of the chosen row.
    pub(crate) cursor: usize,
    /// The index of the chosen column.
    pub(crate) column: usize,
    /// The index of the first column on the screen.
    pub(crate) first_column: usize,
    /// The number of rows in the last picture.
    pub(crate) height: usize,
    /// Whether cells show only the presence of a value.
    pub(crate) marks: bool,
    /// Whether components without entities have columns.
    pub(crate) all_columns: bool,
}

impl Matrix {
    /// Whether the rows are a list, and not the world's slots.
    pub(crate) fn is_list(&self) -> bool {
        self.filter.is_some() || self.sort.is_some()
    }

    /// The number of rows of the list.
    pub(crate) fn list_len(&self) -> usize {
        self.list.len()
    }

    /// The names of the columns.
    pub(crate) fn columns(&self, world: &ReflectRef<'_>) -> Vec<&'static str> {
        let fetched: &[String] = self.filter.as_ref().map_or(&[], |filter| &filter.columns);
        let infos = world.components();
        if !fetched.is_empty() {
            let named = |name: &String| infos.iter().find(|info| info.name == name).map(|info| info.name);
            return fetched.iter().filter_map(named).collect();
        }
        let shown = infos.iter().filter(|info| self.all_columns || info.count > 0);
        shown.map(|info| info.name).collect()
    }

    pub(crate) fn set_filter(&mut self, filter: Option<Filter>) {
        self.filter = filter;
        self.restart();
    }

    pub(crate) fn set_sort(&mut self, sort: Option<(String, bool)>) {
        self.sort = sort;
        self.restart();
    }

    fn restart(&mut self) {
        (self.is_stale, self.error) = (true, None);
        self.list.clear();
        (self.top, self.cursor, self.column, self.first_column) = (0, 0, 0, 0);
    }

    /// Reads the list, if it is to be read now. The cursor stays at its entity.
    pub(crate) fn refresh(&mut self, world: &ReflectRef<'_>) {
        // a large world is read again only when the user asks, since that takes too long for each
        // frame
        if !self.is_list() || !(self.is_stale || world.len() <= LIVE) {
            return;
        }
        self.is_stale = false;
        // the entity may have another place in the new list, or none
        let at_cursor = self.list.get(self.cursor).copied();
        let mut query = self.filter.as_ref().map(|filter| filter.query.clone()).unwrap_or_default();
        if let Some((path, descending)) = &self.sort {
            query = query.order_by(path.clone(), *descending);
        }
        match world.query(&query) {
            Ok(page) => {
                self.list = page.rows.iter().map(|row| row.entity).collect();
                self.error = None;
            }
            Err(error) => {
                self.list.clear();
                self.error = Some(error.to_string());
            }
        }
        if let Some(at) = at_cursor.and_then(|entity| self.list.iter().position(|other| *other == entity)) {
            self.cursor = at;
        }
    }

    /// The rows from a position on, at most `count`.
    pub(crate) fn page(&self, world: &ReflectRef<'_>, from: usize, count: usize) -> Vec<(usize, Entity)> {
        if self.is_list() {
            let rows = self.list.iter().copied().enumerate().skip(from);
            return rows.take(count).collect();
        }
        let entities = entities_from(world, from, count);
        entities.into_iter().map(|entity| (entity.slot() as usize, entity)).collect()
    }

    /// The entities of rows that are counted from the first one.
    pub(crate) fn rows(&self, world: &ReflectRef<'_>, rows: Range<usize>) -> Vec<Entity> {
        if self.is_list() {
            let end = rows.end.min(self.list.len());
            return self.list[rows.start.min(end)..end].to_vec();
        }
        let mut found = entities_from(world, 0, rows.end);
        found.drain(..rows.start.min(found.len()));
        found
    }

    /// The last rows before a position, at most `count`.
    pub(crate) fn before(&self, world: &ReflectRef<'_>, until: usize, count: usize) -> Vec<(usize, Entity)> {
        if self.is_list() {
            let until = until.min(self.list.len());
            return self.page(world, until.saturating_sub(count), count.min(until));
        }
        let mut width = count.max(64);
        loop {
            let from = until.saturating_sub(width);
            let mut rows = self.page(world, from, width);
            rows.retain(|(slot, _)| *slot < until);
            if rows.len() >= count || from == 0 {
                return rows.split_off(rows.len().saturating_sub(count));
            }
            width = width.saturating_mul(4);
        }
    }

    /// The position behind all rows.
    fn end(&self) -> usize {
        if self.is_list() { self.list.len() } else { u32::MAX as usize + 1 }
    }

    /// Moves the cursor by rows.
    pub(crate) fn go(&mut self, world: &ReflectRef<'_>, rows: isize) {
        let count = rows.unsigned_abs();
        let reached = if rows < 0 {
            self.before(world, self.cursor, count).first().copied()
        } else {
            self.page(world, self.cursor, count.saturating_add(1)).last().copied()
        };
        if let Some((at, _)) = reached {
            self.cursor = at;
        }
    }

    pub(crate) fn go_to_start(&mut self) {
        self.cursor = 0;
    }

    pub(crate) fn go_to_end(&mut self, world: &ReflectRef<'_>) {
        self.cursor = self.before(world, self.end(), 1).first().map_or(0, |(at, _)| *at);
    }

    /// Moves the cursor to an entity. Returns whether it is one of the rows.
    pub(crate) fn go_to(&mut self, entity: Entity) -> bool {
        if !self.is_list() {
            self.cursor = entity.slot() as usize;
            return true;
        }
        let at = self.list.iter().position(|other| *other == entity);
        self.cursor = at.unwrap_or(self.cursor);
        at.is_some()
    }

    /// The rows of a picture of `height` rows, which include the row of the cursor.
    pub(crate) fn visible(&mut self, world: &ReflectRef<'_>, height: usize) -> Vec<(usize, Entity)> {
        self.height = height;
        if height == 0 {
            return Vec::new();
        }
        // the row at the cursor may be gone
        let here = self.page(world, self.cursor, 1).first().copied();
        let here = here.or_else(|| self.before(world, self.cursor, 1).first().copied());
        let Some((cursor, _)) = here else { return Vec::new() };
        self.cursor = cursor;
        self.top = self.top.min(cursor);
        let mut rows = self.page(world, self.top, height);
        if rows.last().is_none_or(|(last, _)| *last < cursor) {
            rows = self.before(world, cursor + 1, height);
        }
        if rows.len() < height {
            rows = self.before(world, rows.last().map_or(0, |(last, _)| last + 1), height);
        }
        self.top = rows.first().map_or(0, |(first, _)| *first);
        rows
    }
}
