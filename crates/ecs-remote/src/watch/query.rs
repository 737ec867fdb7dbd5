//! The rows of a query.

use std::sync::Arc;

use ecs::Entity;
use ecs::reflect::{Moment, PreparedQuery, QueryRun};
use serde_json::{Map, Value, json};

use super::{Look, News, Subject};
use crate::dispatch::{Door, DoorError, STEPS};
use crate::ids;
use crate::json_rpc::{AskedQuery, RpcError};

/// The rows of a query: `world.query+watch`. A row is read again if the ticks of its values do not
/// tell that they are the same.
pub(super) struct WatchedRows {
    /// `None` if the world lacks a component of the query, so that it has no rows.
    asked: Option<(AskedQuery, PreparedQuery)>,
    /// The rows at the last look, in the order of the slots, and its moment.
    known: Vec<Row>,
    moment: Option<Moment>,
    /// The look that goes on.
    search: Option<Search>,
}

/// A row and its JSON.
#[derive(Clone)]
struct Row {
    entity: Entity,
    text: Arc<str>,
}

impl Row {
    /// The present row of an entity; `None` if it is gone since the call in which it was found.
    fn read(
        door: &Door<'_>,
        (asked, prepared): &(AskedQuery, PreparedQuery),
        entity: Entity,
    ) -> Result<Option<Self>, DoorError> {
        if !door.world.contains(entity) {
            return Ok(None);
        }
        door.spend(1)?;
        let text = asked.row(door, &door.world.row(prepared, entity)?)?.to_string();
        Ok(Some(Self { entity, text: text.into() }))
    }
}

/// The progress of a look.
struct Search {
    moment: Moment,
    run: QueryRun,
    found: Vec<Entity>,
    /// The entities whose rows may have changed; `None` while the run goes on. Those before the
    /// first number are read, and those of `known` before the second one are compared.
    changed: Option<Vec<Entity>>,
    read: usize,
    compared: usize,
    rows: Vec<Row>,
    /// The bytes of the rows.
    bytes: usize,
    changes: Changes,
}

/// The JSON of rows that came and changed, and the numbers of entities that have gone.
#[derive(Default)]
struct Changes {
    added: String,
    changed: String,
    removed: Vec<u64>,
}

fn push(rows: &mut String, row: &str) {
    if !rows.is_empty() {
        rows.push(',');
    }
    rows.push_str(row);
}

impl Changes {
    fn is_empty(&self) -> bool {
        self.added.is_empty() && self.changed.is_empty() && self.removed.is_empty()
    }

    fn json(&self) -> String {
        let Self { added, changed, removed } = self;
        format!(r#"{{"added":[{added}],"changed":[{changed}],"removed":{}}}"#, json!(removed))
    }
}

impl WatchedRows {
    pub(super) fn new(door: &mut Door<'_>, mut params: Map<String, Value>) -> Result<Self, RpcError> {
        let asked = match AskedQuery::take(door, &mut params)? {
            Some(asked) => {
                let prepared = door.world.prepare(&asked.query)?;
                Some((asked, prepared))
            }
            None => None,
        };
        Ok(Self { asked, known: Vec::new(), moment: None, search: None })
    }
}

impl Search {
    fn begin(door: &Door<'_>, prepared: &PreparedQuery) -> Result<Self, RpcError> {
        Ok(Self {
            // changes from now on may be missing in the rows
            moment: door.world.moment(),
            run: door.world.start(prepared)?,
            found: Vec::new(),
            changed: None,
            read: 0,
            compared: 0,
            rows: Vec::new(),
            bytes: 0,
            changes: Changes::default(),
        })
    }

    /// Goes on until the deadline.
    fn go_on(
        &mut self,
        door: &Door<'_>,
        asked: &(AskedQuery, PreparedQuery),
        known: &[Row],
        since: Option<&Moment>,
    ) -> Result<(), DoorError> {
        let changed = match self.changed.take() {
            Some(changed) => changed,
            None => {
                self.find(door, asked)?;
                let mut changed = self.found.clone();
                if let Some(since) = since.filter(|_| asked.0.has_fetched_only()) {
                    door.world.changed_since(&asked.1, since, &mut changed)?;
                }
                changed
            }
        };
        let result = self.read(door, asked, known, &changed);
        self.changed = Some(changed);
        result
    }

    /// Finds the entities.
    fn find(
        &mut self,
        door: &Door<'_>,
        (asked, prepared): &(AskedQuery, PreparedQuery),
    ) -> Result<(), DoorError> {
        while !self.run.is_done() {
            let before = self.run.steps();
            self.found.extend(door.world.advance(prepared, &mut self.run, STEPS)?);
            door.spend(self.run.steps() - before)?;
            door.in_time()?;
        }
        if self.run.has_more() && asked.is_cut(door, self.found.len()) {
            return Err(asked.too_many(door));
        }
        self.found.sort_unstable_by_key(|entity| entity.slot());
        Ok(())
    }

    /// Reads the rows that may have changed, and compares them with the known ones.
    fn read(
        &mut self,
        door: &Door<'_>,
        asked: &(AskedQuery, PreparedQuery),
        known: &[Row],
        changed: &[Entity],
    ) -> Result<(), DoorError> {
        // the entities of `changed` before the next row
        let next = self.found.get(self.read).map_or(u32::MAX, |entity| entity.slot());
        let mut changed_at = changed.partition_point(|entity| entity.slot() < next);
        while let Some(&entity) = self.found.get(self.read) {
            // those of smaller slots have gone, and so has another entity of this slot
            while let Some(row) = known.get(self.compared)
                && row.entity.slot() <= entity.slot()
                && row.entity != entity
            {
                self.changes.removed.push(ids::number(row.entity));
                self.compared += 1;
            }
            let before = known.get(self.compared).filter(|row| row.entity == entity);
            let may_differ = changed.get(changed_at) == Some(&entity);
            changed_at += usize::from(may_differ);
            let row = match before {
                Some(row) if !may_differ => Some(row.clone()),
                _ => Row::read(door, asked, entity)?,
            };
            match (before, &row) {
                (Some(before), Some(row)) if before.text != row.text => {
                    push(&mut self.changes.changed, &row.text)
                }
                (None, Some(row)) => push(&mut self.changes.added, &row.text),
                (Some(_), None) => self.changes.removed.push(ids::number(entity)),
                _ => {}
            }
            self.compared += usize::from(before.is_some());
            self.bytes += row.as_ref().map_or(0, |row| row.text.len() + 1);
            self.rows.extend(row);
            self.read += 1;
            if self.bytes > door.limits.response {
                let limit = door.limits.response;
                return Err(DoorError::Limit(format!("the rows are longer than {limit} bytes: watch fewer")));
            }
            // behind a row, so that each call has one more
            if may_differ || self.read.is_multiple_of(STEPS) {
                door.in_time()?;
            }
        }
        let gone = known.iter().skip(self.compared).map(|row| ids::number(row.entity));
        self.changes.removed.extend(gone);
        Ok(())
    }
}

impl Subject for WatchedRows {
    fn look(&mut self, door: &mut Door<'_>) -> Result<Look, RpcError> {
        let Some(asked) = &self.asked else { return Ok(Look::Same) };
        let mut search = match self.search.take() {
            Some(search) => search,
            None => Search::begin(door, &asked.1)?,
        };
        match search.go_on(door, asked, &self.known, self.moment.as_ref()) {
            Ok(()) => {}
            Err(DoorError::Unfinished) => {
                self.search = Some(search);
                return Ok(Look::Unfinished);
            }
            Err(error) => return Err(error.into()),
        }
        let Search { rows, changes, moment, .. } = search;
        (self.known, self.moment) = (rows, Some(moment));
        if changes.is_empty() {
            return Ok(Look::Same);
        }
        Ok(Look::News(News { result: changes.json(), count: 1, missed: 0 }))
    }

    fn whole(&self) -> String {
        let mut changes = Changes::default();
        self.known.iter().for_each(|row| push(&mut changes.added, &row.text));
        changes.json()
    }
}
