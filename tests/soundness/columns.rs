//! Whole columns that are moved, swapped and replaced, in the module that sees the private fields.
//!
//! Entities and values do not correspond then. A spawn may leak the value of a former entity, and
//! must do nothing worse.

use std::mem::{replace, swap, take};

use ecs::component::Column;
use ecs::prelude::*;

use super::ground::{Ledger, Left, Number, Right, Tag};

/// Worlds of this module, with accessible private fields.
mod inside {
    use super::*;

    world! {
        #[derive(Clone)]
        pub struct Here {
            components { left: Left, right: Right, number: Number, tag: Tag }
        }
    }

    world! {
        #[derive(Clone)]
        pub struct There {
            components { tag: Tag, left: Left, number: Number }
        }
    }

    fn here(ledger: &Ledger, count: u32, from: u32) -> (Here, Vec<Entity>) {
        let mut world = Here::new();
        let ids = (0..count)
            .map(|n| world.spawn((Left(ledger.token()), Number(from + n), Right(ledger.token()))))
            .collect();
        (world, ids)
    }

    fn exercise(world: &mut Here) {
        let count = world.query::<&Left>().len();
        assert_eq!(world.query::<&Left>().iter().filter(|left| left.0.number() > 0).count(), count);
        let mut seen = 0;
        world.query_mut::<(Entity, &mut Left, Option<&mut Number>, Is<Right>)>().for_each(
            |(_, left, number, _)| {
                left.0 = left.0.clone();
                if let Some(number) = number {
                    number.0 += 1;
                }
                seen += 1;
            },
        );
        assert!(seen <= count);
        for (ids, left) in world.query_mut::<(Entity, &mut Left)>().chunks_mut() {
            assert_eq!(ids.count(), left.len());
        }
        let both =
            world.query::<(&Left, &Right)>().filter::<Or<(With<Tag>, Without<Number>)>>().iter().count();
        assert!(both <= count);
        for (entity, right) in world.columns().right {
            assert!(entity.to_bits() > 0 && right.0.number() > 0);
        }
        for (_, left) in world.columns_mut().left.iter_mut() {
            left.0 = left.0.clone();
        }
        let living: Vec<Entity> = world.entities().iter().collect();
        assert_eq!(living.len(), world.entities().len());
        for id in living {
            assert!(world.contains(id) && world.entity(id).is_ok());
        }
        let copy = world.clone();
        assert_eq!(copy.query::<&Left>().len(), count);
    }

    fn wear_out(mut world: Here, ledger: &Ledger) {
        exercise(&mut world);
        for n in 0..100 {
            world.spawn((Left(ledger.token()), Number(n)));
        }
        world.spawn_batch((0..200).map(|n| (Left(ledger.token()), Right(ledger.token()), Number(n))));
        exercise(&mut world);
        let living: Vec<Entity> = world.entities().iter().collect();
        for id in living {
            let _ = world.insert(id, Tag).unwrap();
            let _ = world.try_remove::<(Left, Tag)>(id);
            world.despawn(id).unwrap();
        }
        world.clear();
        assert_eq!((world.entities().len(), world.query::<&Left>().len()), (0, 0));
        drop(world);
        ledger.alive();
    }

    #[test]
    fn columns_of_two_worlds_are_swapped() {
        let ledger = Ledger::new();
        let (mut small, few) = here(&ledger, 3, 0);
        let (mut large, many) = here(&ledger, 9000, 100);
        swap(&mut small.left, &mut large.left);
        assert_eq!((small.query::<&Left>().len(), large.query::<&Left>().len()), (64, 3));
        assert_eq!(small.query::<(&Left, &Number)>().len(), 3);
        assert_eq!(small.columns().left.len(), 9000);
        assert!(small.get::<Left>(few[0]).is_some() && large.get::<Left>(many[8999]).is_none());
        wear_out(small, &ledger);
        wear_out(large, &ledger);
    }

    #[test]
    fn a_column_of_more_slots_than_the_world_has_is_harmless() {
        let ledger = Ledger::new();
        let (mut large, _) = here(&ledger, 9000, 0);
        let mut empty = Here::new();
        empty.left = take(&mut large.left);
        assert_eq!((empty.query::<&Left>().len(), empty.columns().left.iter().count()), (0, 0));
        assert_eq!(empty.query_mut::<(Entity, &mut Left)>().chunks_mut().count(), 0);
        wear_out(empty, &ledger);
        wear_out(large, &ledger);
    }

    #[test]
    fn columns_are_taken_out_and_put_back() {
        let ledger = Ledger::new();
        let (mut world, ids) = here(&ledger, 200, 0);
        let left = take(&mut world.left);
        assert!(world.query::<&Left>().is_empty() && world.get::<Left>(ids[0]).is_none());
        for &id in &ids[..100] {
            world.despawn(id).unwrap();
        }
        let replaced = replace(&mut world.left, left);
        assert_eq!(replaced.clone().len_of(), 0);
        // columns with values in free slots: queries skip them
        assert_eq!(world.query::<&Left>().iter().count(), world.query::<&Left>().len());
        assert!(ids[..100].iter().all(|&id| world.get::<Left>(id).is_none()));
        wear_out(world, &ledger);
    }

    /// The length of a column, as its `Debug` prints it.
    trait LenOf {
        fn len_of(&self) -> usize;
    }

    impl<T> LenOf for Column<T> {
        fn len_of(&self) -> usize {
            let text = format!("{self:?}");
            text.chars().filter(char::is_ascii_digit).collect::<String>().parse().unwrap()
        }
    }

    #[test]
    fn columns_of_different_world_types_are_swapped() {
        let ledger = Ledger::new();
        let (mut world, _) = here(&ledger, 300, 0);
        let mut there = There::new();
        let ids: Vec<Entity> = (0..5000).map(|n| there.spawn((Number(n), Tag))).collect();
        swap(&mut world.number, &mut there.number);
        swap(&mut world.left, &mut there.left);
        swap(&mut world.tag, &mut there.tag);
        assert_eq!((there.query::<&Left>().len(), there.query::<&Tag>().len()), (300, 0));
        assert!(there.query::<(&Left, &Number)>().iter().all(|(left, _)| left.0.number() > 0));
        for id in ids {
            there.despawn(id).unwrap();
        }
        wear_out(world, &ledger);
        drop(there);
        ledger.alive();
    }

    #[test]
    fn the_list_of_entities_is_swapped() {
        let ledger = Ledger::new();
        let (mut small, _) = here(&ledger, 3, 0);
        let (mut large, many) = here(&ledger, 9000, 0);
        swap(&mut small.__entities, &mut large.__entities);
        assert!(small.contains(many[8999]) && small.get::<Left>(many[8999]).is_none());
        for &id in &many[..200] {
            drop(small.insert(id, (Left(ledger.token()), Tag)).unwrap());
        }
        wear_out(small, &ledger);
        wear_out(large, &ledger);
    }

    #[test]
    fn the_list_of_entities_of_another_world_type_is_swapped_in() {
        let ledger = Ledger::new();
        let (mut world, _) = here(&ledger, 3, 0);
        let mut wide = super::wide::filled();
        super::wide::swap_entities(&mut wide, &mut world.__entities);
        super::wide::wear_out(wide);
        wear_out(world, &ledger);
    }

    #[test]
    fn a_fresh_list_of_entities_has_no_live_entities() {
        let ledger = Ledger::new();
        let (mut world, ids) = here(&ledger, 500, 0);
        world.__entities = Here::new().__entities;
        assert!(ids.iter().all(|&id| !world.contains(id)));
        assert_eq!(world.entities().len(), 0);
        wear_out(world, &ledger);
    }

    #[test]
    fn columns_replaced_by_clones_own_their_values() {
        let ledger = Ledger::new();
        let (mut world, _) = here(&ledger, 100, 0);
        let copy = world.left.clone();
        world.left = copy;
        world.right = Column::default();
        wear_out(world, &ledger);
        ledger.assert_settled();
    }
}

/// A world with another number of columns than the other worlds here.
mod wide {
    use super::*;

    #[derive(Component, Clone)]
    pub struct N<const I: usize>(#[allow(dead_code)] u32);

    macro_rules! wide {
        ($($field:ident $index:literal)*) => {
            world! {
                pub struct Wide { components { $($field: N<$index>,)* } }
            }
        };
    }
    wide! {
        a0 0 a1 1 a2 2 a3 3 a4 4 a5 5 a6 6 a7 7 a8 8 a9 9 b0 10 b1 11 b2 12 b3 13 b4 14 b5 15 b6 16 b7 17 b8 18
        b9 19 c0 20 c1 21 c2 22 c3 23 c4 24 c5 25 c6 26 c7 27 c8 28 c9 29 d0 30 d1 31 d2 32 d3 33 d4 34 d5 35
        d6 36 d7 37 d8 38 d9 39 e0 40 e1 41 e2 42 e3 43 e4 44 e5 45 e6 46 e7 47 e8 48 e9 49 f0 50 f1 51 f2 52
        f3 53 f4 54 f5 55 f6 56 f7 57 f8 58 f9 59 g0 60 g1 61 g2 62 g3 63 g4 64 g5 65 g6 66 g7 67 g8 68 g9 69
    }

    pub fn filled() -> Wide {
        let mut wide = Wide::new();
        for n in 0..300 {
            wide.spawn((N::<0>(n), N::<69>(n)));
            wide.spawn((N::<64>(n), N::<65>(n)));
        }
        wide
    }

    pub fn swap_entities(wide: &mut Wide, with: &mut ecs::__private::Entities) {
        swap(&mut wide.__entities, with);
    }

    pub fn wear_out(mut wide: Wide) {
        let ids: Vec<Entity> = wide.entities().iter().collect();
        for id in ids {
            let _ = wide.insert(id, (N::<68>(1), N::<3>(2))).unwrap();
            assert!(wide.entity(id).unwrap().components().count() >= 2 || wide.has::<N<68>>(id));
            wide.despawn(id).unwrap();
        }
        for n in 0..200 {
            wide.spawn((N::<1>(n), N::<66>(n)));
        }
        assert_eq!(wide.query::<&N<66>>().iter().count(), wide.query::<&N<66>>().len());
        wide.clear();
        assert!(wide.query::<&N<69>>().is_empty());
    }
}
