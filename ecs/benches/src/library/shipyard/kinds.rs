//! Entities of several kinds, iterated.

use shipyard::{IntoIter, View, ViewMut, Workload, World};

use super::{A, B, C, D, E, F, G, H, I, J, Position, Velocity, body, movement};
use crate::harness::Suite;
use crate::math::{digest, total};
use crate::workload::{combinations, eight_kinds, schedule};

pub(super) fn cases(suite: &mut Suite) {
    for workload in [&combinations::SPAWNED, &combinations::INSERTED] {
        suite.case(workload, combined, |world| world.run(sum), |world| world.run(pairs));
    }
    suite.case(
        &eight_kinds::EIGHT_KINDS,
        eight_kinds,
        |world| world.run(movement),
        |world| {
            world.run(|positions: View<'_, Position>, velocities: View<'_, Velocity>| {
                let all = (&positions, &velocities).iter();
                total(all.map(|(position, velocity)| digest(&[&position.0, &velocity.0])))
            })
        },
    );
    let sum_of_swaps = |world: &mut World| {
        let singles = world.run(|all: View<'_, C>| total(all.iter().map(|c| digest(&[&[c.0]]))));
        world.run(pairs).wrapping_add(singles)
    };
    suite.case(
        &schedule::SCHEDULE,
        swaps,
        // one by one, since a workload takes threads
        |world| {
            world.run(swap_ab);
            world.run(swap_cd);
            world.run(swap_ce);
        },
        sum_of_swaps,
    );
    suite.case(
        &schedule::PARALLEL,
        swaps,
        |world| world.run_default_workload().expect("its storages are free"),
        sum_of_swaps,
    );
}

fn sum(mut firsts: ViewMut<'_, A>, bs: View<'_, B>) {
    (&mut firsts, &bs).iter().for_each(|(a, b)| combinations::step(&mut a.0, &b.0));
}

fn pairs(firsts: View<'_, A>, bs: View<'_, B>) -> u64 {
    total((&firsts, &bs).iter().map(|(a, b)| digest(&[&[a.0], &[b.0]])))
}

/// Each storage is by itself: how an entity came by its components makes no difference.
fn combined(count: u32) -> World {
    macro_rules! add {
        ($world:ident $i:ident $(($letter:ident $bit:literal))*) => {
            let id = $world.add_entity(());
            $(if $i >> $bit & 1 == 1 {
                $world.add_component(id, $letter(combinations::value($i)));
            })*
        };
    }
    let mut world = World::new();
    for i in 0..count {
        each_of_ten!(add world i);
    }
    world
}

fn eight_kinds(count: u32) -> World {
    let mut world = World::new();
    for i in 0..count {
        let (_, p, _, v) = body(i);
        match i % 8 {
            0 => world.add_entity((p, v)),
            1 => world.add_entity((p, v, A(0.0))),
            2 => world.add_entity((p, v, B(0.0))),
            3 => world.add_entity((p, v, A(0.0), B(0.0))),
            4 => world.add_entity((p, v, C(0.0))),
            5 => world.add_entity((p, v, A(0.0), C(0.0))),
            6 => world.add_entity((p, v, B(0.0), C(0.0))),
            _ => world.add_entity((p, v, A(0.0), B(0.0), C(0.0))),
        };
    }
    world
}

fn swaps(count: u32) -> World {
    let mut world = World::new();
    let values = || (0..count).map(schedule::values);
    world.bulk_add_entity(values().map(|[a, b, ..]| (A(a), B(b))));
    world.bulk_add_entity(values().map(|[a, b, c, ..]| (A(a), B(b), C(c))));
    world.bulk_add_entity(values().map(|[a, b, c, d, _]| (A(a), B(b), C(c), D(d))));
    world.bulk_add_entity(values().map(|[a, b, c, _, e]| (A(a), B(b), C(c), E(e))));
    let swaps = Workload::new("swaps").with_system(swap_ab).with_system(swap_cd).with_system(swap_ce);
    swaps.add_to_world(&world).expect("the only workload");
    world
}

fn swap_ab(mut firsts: ViewMut<'_, A>, mut bs: ViewMut<'_, B>) {
    (&mut firsts, &mut bs).iter().for_each(|(a, b)| std::mem::swap(&mut a.0, &mut b.0));
}

fn swap_cd(mut cs: ViewMut<'_, C>, mut ds: ViewMut<'_, D>) {
    (&mut cs, &mut ds).iter().for_each(|(c, d)| std::mem::swap(&mut c.0, &mut d.0));
}

fn swap_ce(mut cs: ViewMut<'_, C>, mut es: ViewMut<'_, E>) {
    (&mut cs, &mut es).iter().for_each(|(c, e)| std::mem::swap(&mut c.0, &mut e.0));
}
