//! Queries of the small world, with filters and in every form, beside the map.

use std::fmt::Debug;

use ecs::prelude::*;
use ecs::query::QueryFilter;

use super::parts::Numbered;
use super::play::{Row, Rows};
use super::worlds::{Game, H0, N0, P0, R0, Small, T0};

/// The place of a component in a row.
fn part<T: Numbered>() -> usize {
    Small::PARTS.iter().position(|part| part.name == T::NAME).unwrap()
}

fn has<T: Numbered>(row: &Row) -> bool {
    row.contains_key(&part::<T>())
}

fn number<T: Numbered>(row: &Row) -> Option<u32> {
    row.get(&part::<T>()).copied()
}

fn same<T: PartialEq + Debug>(what: &str, got: impl IntoIterator<Item = T>, expected: &[T]) {
    assert_eq!(got.into_iter().collect::<Vec<T>>(), expected, "{what}");
}

/// Writes into `H0` of entities without `T0`, and into their `N0`, if they have one.
pub fn write(game: &mut Small, rows: &mut Rows, number: u32) {
    let mut query = game.query_mut::<(&mut H0, Option<&mut N0>)>().filter::<Without<T0>>();
    for (held, plain) in &mut query {
        *held = H0::make(number);
        if let Some(plain) = plain {
            *plain = N0::make(number);
        }
    }
    for row in rows.values_mut().filter(|row| has::<H0>(row) && !has::<T0>(row)) {
        row.insert(part::<H0>(), number);
        row.entry(part::<N0>()).and_modify(|plain| *plain = number);
    }
}

pub fn check(game: &Small, rows: &Rows) {
    let expected: Vec<_> = rows
        .iter()
        .filter_map(|(&entity, row)| Some((entity, number::<N0>(row)?, number::<R0>(row), has::<T0>(row))))
        .collect();
    let query = game.query::<(Entity, &N0, Option<&R0>, Is<T0>)>();
    let item = |(entity, plain, needy, tag): (Entity, &N0, Option<&R0>, Is<T0>)| {
        (entity, plain.number(), needy.map(R0::number), *tag)
    };
    same("a query", query.iter().map(item), &expected);
    let mut folded = Vec::new();
    query.iter().for_each(|row| folded.push(item(row)));
    same("a query, folded", folded, &expected);
    assert_eq!(query.len(), expected.len());

    let expected: Vec<_> = rows
        .iter()
        .filter(|(_, row)| has::<T0>(row))
        .filter_map(|(&entity, row)| Some((number::<P0>(row)?, entity)))
        .collect();
    let query = game.query::<(&P0, (Entity, &T0))>();
    same("a nested query", query.iter().map(|(packed, (entity, _))| (packed.number(), entity)), &expected);
    filters(game, rows);
    exclusive(game.clone(), rows);
}

fn filters(game: &Small, rows: &Rows) {
    filter::<With<H0>>(game, rows, "with", has::<H0>);
    filter::<Without<T0>>(game, rows, "without", |row| !has::<T0>(row));
    filter::<(With<N0>, Without<P0>)>(game, rows, "both", |row| has::<N0>(row) && !has::<P0>(row));
    filter::<Or<(With<P0>, Without<R0>)>>(game, rows, "or", |row| has::<P0>(row) || !has::<R0>(row));
    filter::<Not<And<(With<T0>, With<R0>)>>>(game, rows, "not both", |row| {
        !(has::<T0>(row) && has::<R0>(row))
    });
    filter::<Or<((With<H0>, Without<N0>), Not<Or<(With<T0>, With<P0>)>>)>>(game, rows, "nested", |row| {
        (has::<H0>(row) && !has::<N0>(row)) || !(has::<T0>(row) || has::<P0>(row))
    });
}

fn filter<F: QueryFilter<Small>>(game: &Small, rows: &Rows, what: &str, passes: impl Fn(&Row) -> bool) {
    let expected: Vec<Entity> =
        rows.iter().filter(|(_, row)| passes(row)).map(|(&entity, _)| entity).collect();
    let query = game.query::<Entity>().filter::<F>();
    same(what, query.iter(), &expected);
    assert_eq!(query.len(), expected.len(), "{what}");
    assert_eq!(query.to_set(), expected.iter().copied().collect(), "{what}");
    for (&entity, row) in rows {
        assert_eq!(query.contains(entity), passes(row), "{what} of {entity}");
    }
    let needy: Vec<Entity> = expected.into_iter().filter(|entity| has::<R0>(&rows[entity])).collect();
    let query = game.query::<(Entity, &R0)>().filter::<F>();
    same(what, query.iter().map(|(entity, _)| entity), &needy);
}

/// Slices, pairs, and one entity beside the others: they need a mutable borrow.
fn exclusive(mut game: Small, rows: &Rows) {
    let expected: Vec<_> = rows
        .iter()
        .filter(|(_, row)| !has::<T0>(row) || has::<H0>(row))
        .filter_map(|(&entity, row)| Some((entity, number::<N0>(row)?, number::<R0>(row)?)))
        .collect();
    let mut query = game.query_mut::<(Entity, &mut N0, &R0)>().filter::<Or<(Without<T0>, With<H0>)>>();
    let item = |(entity, plain, needy): (Entity, &N0, &R0)| (entity, plain.number(), needy.number());
    same(
        "a mutable query",
        query.iter_mut().map(|(entity, plain, needy)| item((entity, plain, needy))),
        &expected,
    );
    let mut chunked = Vec::new();
    for (ids, plain, needy) in query.chunks_mut() {
        chunked.extend(
            ids.zip(plain.iter().zip(needy)).map(|(entity, (plain, needy))| item((entity, plain, needy))),
        );
    }
    same("slices", chunked, &expected);
    let mut pairs = 0;
    query.pairs_mut(|one, two| pairs += usize::from(one.0 < two.0));
    assert_eq!(pairs, expected.len() * expected.len().saturating_sub(1) / 2);
    for &own in expected.iter().take(3) {
        let ((entity, plain, needy), others) = query.split_one_mut(own.0).expect("the entity has a row");
        assert_eq!(item((entity, plain, needy)), own);
        assert!(others.get(entity).is_none() && !others.contains(entity));
        let others_expected: Vec<_> = expected.iter().copied().filter(|row| *row != own).collect();
        assert!(others_expected.iter().all(|other| others.get(other.0).is_some()));
        same("the others", others.iter().map(item), &others_expected);
    }
}
