//! The tree of one relation. The entities that are targets and no sources are its roots.

use std::collections::{HashMap, HashSet};

use ecs::Entity;
use ecs::reflect::{DynamicQuery, DynamicValue, ReflectError, ReflectRef};

use crate::matrix::LIVE;

/// The number of sources that are read, at most.
const MAX_SOURCES: usize = 100_000;

/// The tree that the user looks at.
#[derive(Default, Debug)]
pub(crate) struct Tree {
    /// The index among the relations of the world; `None` for the one with the most entities.
    pub(crate) relation: Option<usize>,
    pub(crate) cursor: usize,
    pub(crate) top: usize,
    collapsed: HashSet<Entity>,
    edges: Option<Edges>,
    /// Whether the edges must be read before they are shown.
    pub(crate) is_stale: bool,
    /// All lines, once they were asked for.
    all: Option<Vec<TreeRow>>,
}

/// The edges of a relation.
#[derive(Debug)]
struct Edges {
    relation: &'static str,
    sources: HashMap<Entity, Vec<Entity>>,
    roots: Vec<Entity>,
    count: usize,
    more: bool,
}

/// A line of the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct TreeRow {
    /// The entity.
    pub entity: Entity,
    /// The number of entities above it.
    pub depth: usize,
    /// The number of entities that point to it.
    pub sources: usize,
    /// Whether the branch is closed.
    pub is_collapsed: bool,
    /// Whether the entity is its own ancestor, so that the tree ends here.
    pub is_repeated: bool,
}

/// The names of the world's relations.
pub(crate) fn relations(world: &ReflectRef<'_>) -> Vec<&'static str> {
    world.components().iter().filter(|info| info.relation).map(|info| info.name).collect()
}

/// The ids in a value.
fn targets(value: &DynamicValue, found: &mut Vec<Entity>) {
    match value {
        DynamicValue::EntityId(entity) => found.push(*entity),
        DynamicValue::Optional(Some(inner)) | DynamicValue::Variant(_, inner) => targets(inner, found),
        DynamicValue::List(list) => list.iter().for_each(|value| targets(value, found)),
        DynamicValue::Struct(fields) => fields.iter().for_each(|(_, value)| targets(value, found)),
        DynamicValue::Mapping(entries) => entries.iter().for_each(|(key, value)| {
            targets(key, found);
            targets(value, found);
        }),
        _ => {}
    }
}

impl Edges {
    fn read(world: &ReflectRef<'_>, relation: &'static str) -> Result<Self, ReflectError> {
        let page = world.query(&DynamicQuery::new().fetch(relation).limit(MAX_SOURCES))?;
        let mut sources: HashMap<Entity, Vec<Entity>> = HashMap::new();
        let mut pointed = Vec::new();
        let (mut is_source, mut is_target) = (HashSet::new(), HashSet::new());
        for row in &page.rows {
            let mut found = Vec::new();
            for (_, value) in &row.values {
                value.iter().for_each(|value| targets(value, &mut found));
            }
            for target in found {
                is_source.insert(row.entity);
                if is_target.insert(target) {
                    pointed.push(target);
                }
                let known = sources.entry(target).or_default();
                if known.last() != Some(&row.entity) {
                    known.push(row.entity);
                }
            }
        }
        pointed.sort_unstable();
        let mut roots: Vec<Entity> =
            pointed.iter().copied().filter(|target| !is_source.contains(target)).collect();
        if roots.is_empty() {
            // all targets are sources, too: the relation is not a tree
            roots.extend(pointed.first());
        }
        Ok(Self { relation, sources, roots, count: page.rows.len(), more: page.more })
    }
}

impl Tree {
    /// The name of the relation; `None` if the world has none.
    pub(crate) fn name(&self, world: &ReflectRef<'_>) -> Option<&'static str> {
        relations(world).get(self.index(world)).copied()
    }

    pub(crate) fn index(&self, world: &ReflectRef<'_>) -> usize {
        let infos: Vec<_> = world.components().into_iter().filter(|info| info.relation).collect();
        match self.relation {
            Some(index) => index % infos.len().max(1),
            None => (0..infos.len()).rev().max_by_key(|&index| infos[index].count).unwrap_or(0),
        }
    }

    /// Goes to the next relation, or to the one before.
    pub(crate) fn turn(&mut self, world: &ReflectRef<'_>, step: isize) {
        let count = relations(world).len().max(1);
        self.show((self.index(world) + count).wrapping_add_signed(step) % count);
    }

    /// Shows a relation, by its index.
    pub(crate) fn show(&mut self, relation: usize) {
        self.relation = Some(relation);
        (self.cursor, self.top) = (0, 0);
        self.collapsed.clear();
        (self.edges, self.all) = (None, None);
    }

    /// Reads the edges, if they are to be read now.
    pub(crate) fn refresh(&mut self, world: &ReflectRef<'_>) -> Result<(), ReflectError> {
        let Some(name) = self.name(world) else {
            self.edges = None;
            return Ok(());
        };
        let is_read = self.edges.as_ref().is_some_and(|edges| edges.relation == name);
        if is_read && !self.is_stale && world.component(name)?.count > LIVE {
            return Ok(());
        }
        self.is_stale = false;
        (self.edges, self.all) = (None, None);
        self.edges = Some(Edges::read(world, name)?);
        Ok(())
    }

    /// The number of sources, and whether there are more than are read.
    pub(crate) fn count(&self) -> (usize, bool) {
        self.edges.as_ref().map_or((0, false), |edges| (edges.count, edges.more))
    }

    /// The first lines of the tree.
    pub(crate) fn rows(&self, limit: usize) -> Vec<TreeRow> {
        let Some(edges) = &self.edges else { return Vec::new() };
        let (mut rows, mut path) = (Vec::new(), Vec::new());
        // the entities above a line: one of them again is a cycle, and is not opened a second time
        let mut above = HashSet::new();
        // a stack of lines to come, and only until the limit: a tree may have millions of them
        let mut open: Vec<(Entity, usize)> = edges.roots.iter().rev().map(|root| (*root, 0)).collect();
        while let Some((entity, depth)) = open.pop() {
            if rows.len() == limit {
                break;
            }
            // the next line is at this depth, so the entities from there on are no longer above
            for left in path.drain(depth..) {
                above.remove(&left);
            }
            let is_repeated = above.contains(&entity);
            let is_collapsed = self.collapsed.contains(&entity);
            let sources = edges.sources.get(&entity).map_or(&[][..], Vec::as_slice);
            rows.push(TreeRow { entity, depth, sources: sources.len(), is_collapsed, is_repeated });
            if !is_repeated && !is_collapsed {
                open.extend(sources.iter().rev().map(|source| (*source, depth + 1)));
            }
            if !is_repeated {
                above.insert(entity);
            }
            path.push(entity);
        }
        rows
    }

    /// All lines, at most as many as sources are read.
    pub(crate) fn all_rows(&mut self) -> &[TreeRow] {
        if self.all.is_none() {
            self.all = Some(self.rows(MAX_SOURCES));
        }
        self.all.as_deref().unwrap_or_default()
    }

    /// The rows of a picture, which include the row of the cursor.
    pub(crate) fn visible(&mut self, height: usize) -> Vec<(usize, TreeRow)> {
        let rows = self.rows(self.cursor.saturating_add(height).saturating_add(1));
        self.cursor = self.cursor.min(rows.len().saturating_sub(1));
        self.top = self.top.min(self.cursor).max((self.cursor + 1).saturating_sub(height));
        rows.into_iter().enumerate().skip(self.top).take(height).collect()
    }

    /// Moves the cursor by rows.
    pub(crate) fn go(&mut self, rows: isize) {
        let to = self.cursor.saturating_add_signed(rows).min(MAX_SOURCES);
        let last = self.rows(to.saturating_add(1)).len().saturating_sub(1);
        self.cursor = to.min(last);
    }

    /// The entity at the cursor.
    pub(crate) fn entity(&self) -> Option<Entity> {
        self.rows(self.cursor + 1).get(self.cursor).map(|row| row.entity)
    }

    /// Closes the branch at the cursor, or goes to the entity above it.
    pub(crate) fn collapse(&mut self) {
        let rows = self.rows(self.cursor + 1);
        let Some(row) = rows.get(self.cursor) else { return };
        self.all = None;
        if row.sources > 0 && !row.is_repeated && self.collapsed.insert(row.entity) {
            return;
        }
        let above = rows[..self.cursor].iter().rposition(|other| other.depth < row.depth);
        self.cursor = above.unwrap_or(self.cursor);
    }

    /// Opens or closes the branch of an entity.
    pub(crate) fn toggle(&mut self, entity: Entity) {
        self.all = None;
        if !self.collapsed.remove(&entity) {
            self.collapsed.insert(entity);
        }
    }

    /// Opens the branch at the cursor.
    pub(crate) fn expand(&mut self) {
        self.all = None;
        if let Some(entity) = self.entity() {
            self.collapsed.remove(&entity);
        }
    }
}
