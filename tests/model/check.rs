//! The comparison of the two worlds, in every way.

use std::fmt::Debug;

use ecs::prelude::*;
use ecs::query::QueryFilter;

use super::game::{Game, Held, Large, Needy, Small, Tag};
use super::operation::Pair;
use super::plain::Row;

type Answer = Result<(), String>;

fn same<T: PartialEq + Debug>(what: &str, got: T, expected: T) -> Answer {
    if got == expected { Ok(()) } else { Err(format!("{what}: {got:?} instead of {expected:?}")) }
}

pub fn agreement(pair: &Pair, thorough: bool) -> Answer {
    entities(pair)?;
    rows(pair)?;
    stale(pair)?;
    queries(pair)?;
    filters(pair)?;
    columns(pair)?;
    same("tokens", pair.ledger.alive(), pair.tokens())?;
    if thorough { chunks(pair) } else { Ok(()) }
}

fn entities(pair: &Pair) -> Answer {
    let expected: Vec<Entity> = pair.plain.rows.keys().copied().collect();
    let query = pair.game.entities();
    same("count", query.len(), expected.len())?;
    same("emptiness", query.is_empty(), expected.is_empty())?;
    same("entities", query.iter().collect(), expected)?;
    same("statistics", pair.game.stats().entities, pair.plain.rows.len())
}

/// Lookups of single entities.
fn rows(pair: &Pair) -> Answer {
    let game = &pair.game;
    for (&entity, row) in &pair.plain.rows {
        let got = Row {
            held: game.get::<Held>(entity).map(|held| held.0),
            small: game.get::<Small>(entity).map(|small| small.0),
            large: game.get::<Large>(entity).map(|large| large.0),
            tag: game.has::<Tag>(entity),
            needy: game.get::<Needy>(entity).map(|needy| needy.0),
        };
        same(&format!("row of {entity}"), &got, row)?;
        let listed = game.entity(entity).map(|entity| entity.components().collect::<Vec<_>>());
        same(&format!("components of {entity}"), listed.ok(), Some(row.components()))?;
    }
    Ok(())
}

/// Ids of despawned entities stay invalid.
fn stale(pair: &Pair) -> Answer {
    let game = &pair.game;
    let all = game.query::<(Entity, Option<&Held>)>();
    for &entity in &pair.plain.dead {
        let seen = game.contains(entity)
            || game.get::<Held>(entity).is_some()
            || game.has::<Tag>(entity)
            || game.entity(entity).is_ok()
            || all.contains(entity)
            || game.columns().small.contains(entity);
        same(&format!("life of {entity}"), seen, false)?;
    }
    Ok(())
}

fn queries(pair: &Pair) -> Answer {
    let (game, rows) = (&pair.game, &pair.plain.rows);
    let got: Vec<_> = game.query::<(Entity, &Held)>().iter().map(|(entity, held)| (entity, held.0)).collect();
    let expected: Vec<_> = rows.iter().filter_map(|(&entity, row)| Some((entity, row.held?))).collect();
    same("held", got, expected)?;

    let query = game.query::<(Entity, &Small, Option<&Needy>, Is<Tag>)>();
    let got: Vec<_> =
        query.iter().map(|(e, small, needy, tag)| (e, small.0, needy.map(|n| n.0), *tag)).collect();
    let expected: Vec<_> =
        rows.iter().filter_map(|(&entity, row)| Some((entity, row.small?, row.needy, row.tag))).collect();
    same("small", &got, &expected)?;
    let mut folded = Vec::new();
    query.iter().for_each(|(e, small, needy, tag)| folded.push((e, small.0, needy.map(|n| n.0), *tag)));
    same("small, folded", &folded, &expected)?;
    same("small, counted", query.len(), expected.len())?;

    let got: Vec<_> =
        game.query::<(&Large, (Entity, &Tag))>().iter().map(|(large, (e, _))| (e, large.0)).collect();
    let expected: Vec<_> = rows
        .iter()
        .filter(|(_, row)| row.tag)
        .filter_map(|(&entity, row)| Some((entity, row.large?)))
        .collect();
    same("large", got, expected)
}

fn filter<F: QueryFilter<Game>>(pair: &Pair, what: &str, passes: impl Fn(&Row) -> bool) -> Answer {
    let rows = &pair.plain.rows;
    let expected: Vec<Entity> =
        rows.iter().filter(|(_, row)| passes(row)).map(|(&entity, _)| entity).collect();
    let query = pair.game.query::<Entity>().filter::<F>();
    same(what, query.iter().collect(), expected.clone())?;
    same(&format!("{what}, counted"), query.len(), expected.len())?;
    same(&format!("{what}, as a set"), query.to_set(), expected.iter().copied().collect())?;
    for (&entity, row) in rows {
        same(&format!("{what} of {entity}"), query.contains(entity), passes(row))?;
    }
    let needy: Vec<Entity> = expected.into_iter().filter(|entity| rows[entity].needy.is_some()).collect();
    let query = pair.game.query::<(Entity, &Needy)>().filter::<F>();
    same(&format!("{what} of needy"), query.iter().map(|(entity, _)| entity).collect(), needy)
}

fn filters(pair: &Pair) -> Answer {
    filter::<With<Held>>(pair, "with", |row| row.held.is_some())?;
    filter::<Without<Tag>>(pair, "without", |row| !row.tag)?;
    filter::<(With<Small>, Without<Large>)>(pair, "both", |row| row.small.is_some() && row.large.is_none())?;
    filter::<Or<(With<Large>, Without<Needy>)>>(pair, "or", |row| {
        row.large.is_some() || row.needy.is_none()
    })?;
    filter::<Not<And<(With<Tag>, With<Needy>)>>>(pair, "not both", |row| !(row.tag && row.needy.is_some()))?;
    filter::<Or<((With<Held>, Without<Small>), Not<Or<(With<Tag>, With<Large>)>>)>>(pair, "nested", |row| {
        (row.held.is_some() && row.small.is_none()) || !(row.tag || row.large.is_some())
    })
}

fn columns(pair: &Pair) -> Answer {
    let (columns, rows) = (pair.game.columns(), &pair.plain.rows);
    let count = |has: fn(&Row) -> bool| rows.values().filter(|row| has(row)).count();
    let expected = [
        count(|row| row.large.is_some()),
        count(|row| row.needy.is_some()),
        count(|row| row.tag),
        count(|row| row.held.is_some()),
        count(|row| row.small.is_some()),
    ];
    let lens = [
        columns.large.len(),
        columns.needy.len(),
        columns.tag.len(),
        columns.held.len(),
        columns.small.len(),
    ];
    same("columns", lens, expected)?;
    let stats: Vec<usize> = pair.game.stats().columns.iter().map(|column| column.len).collect();
    same("statistics of columns", stats, expected.to_vec())?;
    let got: Vec<_> = columns.held.iter().map(|(entity, held)| (entity, held.0)).collect();
    let expected: Vec<_> = rows.iter().filter_map(|(&entity, row)| Some((entity, row.held?))).collect();
    same("column of held", got, expected)
}

/// Slices, from a clone, since they need a mutable borrow.
fn chunks(pair: &Pair) -> Answer {
    let mut game = pair.game.clone();
    let mut query =
        game.query_mut::<(Entity, &mut Small, &Needy)>().filter::<Or<(Without<Tag>, With<Held>)>>();
    let rows: Vec<(Entity, u8, u32)> =
        query.iter_mut().map(|(e, small, needy)| (e, small.0, needy.0)).collect();
    let mut chunked = Vec::new();
    for (ids, small, needy) in query.chunks_mut() {
        let values = small.iter().zip(needy).map(|(small, needy)| (small.0, needy.0));
        chunked.extend(ids.zip(values).map(|(e, (small, needy))| (e, small, needy)));
    }
    same("chunks", &chunked, &rows)?;
    let mut pairs = 0;
    query.pairs_mut(|one, two| pairs += usize::from(one.0 < two.0));
    same("pairs", pairs, rows.len() * rows.len().saturating_sub(1) / 2)?;
    for &own in rows.iter().take(3) {
        let ((entity, small, needy), others) = query.split_one_mut(own.0).ok_or("no own row")?;
        same("own row", (entity, small.0, needy.0), own)?;
        same("own row among others", others.get(entity).is_none() && !others.contains(entity), true)?;
        let got: Vec<(Entity, u8, u32)> =
            others.iter().map(|(e, small, needy)| (e, small.0, needy.0)).collect();
        same("others by id", got.iter().all(|other| others.get(other.0).is_some()), true)?;
        same("others", got, rows.iter().copied().filter(|row| *row != own).collect())?;
    }
    Ok(())
}
