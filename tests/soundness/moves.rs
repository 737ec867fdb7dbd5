//! Values that move between entities and worlds, while the code of their types panics or lies: no
//! value is lost or dropped twice.

use ecs::prelude::*;
use ecs_tests::fuse::{blows_up, burn};

use super::bomb::token;
use super::ground::{Ledger, Token, watched};

#[derive(Component)]
struct Plain(u32, Token);
#[derive(Component)]
#[component(key)]
struct Badge(u32, Token);
#[derive(Component)]
#[component(index)]
struct Team(u32, Token);
#[derive(Component, Clone)]
#[component(requires(Extra))]
struct Needy(#[allow(dead_code)] Token);
#[derive(Component, Clone)]
struct Extra(#[allow(dead_code)] Token);
#[derive(Relation, Clone)]
#[relation(exclusive, symmetric)]
struct Married(#[target] Entity, #[allow(dead_code)] Token);

watched!(burn: Plain Badge Team);

impl Default for Extra {
    fn default() -> Self {
        burn("a default");
        Self(token())
    }
}

world! {
    #[derive(Clone)]
    struct Field { components { Plain, Badge, Team, Needy, Extra, Married, ChildOf } }
}

/// Two entities with all components, two with few, and their spouses.
fn field() -> (Field, [Entity; 4]) {
    let mut field = Field::new();
    let ids = [1, 2, 3, 4].map(|n| match n {
        1 | 2 => field.spawn((Plain(n, token()), Badge(n, token()), Team(n % 2, token()), Needy(token()))),
        3 => field.spawn(Badge(n, token())),
        _ => field.spawn(Team(n, token())),
    });
    for id in [ids[0], ids[1]] {
        let spouse = field.spawn(ChildOf(id));
        field.insert(spouse, Married(id, token())).unwrap();
    }
    (field, ids)
}

/// The number of values in the world, by its columns.
fn values(field: &Field) -> usize {
    let tags =
        field.query::<(Option<&Plain>, Option<&Badge>, Option<&Team>, Option<&Needy>, Option<&Extra>)>();
    let counts = tags.iter().map(|(a, b, c, d, e)| {
        [a.is_some(), b.is_some(), c.is_some(), d.is_some(), e.is_some()].into_iter().filter(|is| *is).count()
    });
    counts.sum::<usize>() + field.query::<&Married>().len()
}

/// Runs an attempt with each step of user code as the one that panics, until none does.
fn attempt(what: &str, act: impl Fn(&mut Field, &mut Field, [Entity; 4])) {
    let mut panics = 0;
    for n in 1.. {
        let ((mut field, ids), (mut other, _)) = (field(), (Field::new(), ()));
        let blown = blows_up(n, || act(&mut field, &mut other, ids));
        assert_eq!(Ledger::of_thread().alive(), values(&field) + values(&other), "{what}, step {n}");
        assert!(field.sources::<Married>(ids[0]).len() <= 1);
        drop((field, other));
        Ledger::of_thread().assert_settled();
        if !blown {
            break;
        }
        panics += 1;
    }
    assert!(panics > 0, "{what}: no user code was called");
}

#[test]
fn exchanged_values_survive_panics() {
    attempt("swap", |field, _, [a, b, ..]| field.swap::<(Plain, Badge, Team, Needy)>(a, b).unwrap());
    attempt("swap with fewer", |field, _, [a, _, c, d]| {
        field.swap_all(a, c).unwrap();
        field.swap_all(c, d).unwrap();
    });
}

#[test]
fn moved_values_survive_panics() {
    attempt("move", |field, _, [a, b, ..]| {
        drop(field.move_components::<(Plain, Badge, Team, Needy)>(a, b).unwrap());
    });
    attempt("move all", |field, _, [a, b, c, d]| {
        field.move_all_components(a, b).unwrap();
        field.move_all_components(c, b).unwrap();
        field.move_all_components(b, d).unwrap();
    });
    attempt("take", |field, _, [a, b, ..]| {
        drop(field.take_entity::<(Badge, Married)>(a).unwrap());
        field.take_entity::<()>(b).unwrap();
    });
}

#[test]
fn values_that_move_to_another_world_survive_panics() {
    attempt("move entities", |field, other, [a, b, c, d]| {
        let spouse = field.target::<Married>(a).unwrap();
        field.move_entities(&[a, c, spouse], other).unwrap();
        field.move_entities(&[b, d, b], other).unwrap();
    });
}

#[test]
fn chosen_ids_survive_panics() {
    attempt("spawn at", |field, other, ids| {
        for id in ids {
            other.spawn_at(id, (Needy(token()), Badge(id.slot(), token()))).unwrap();
            assert!(field.spawn_at(id, Plain(0, token())).is_err());
        }
    });
}
