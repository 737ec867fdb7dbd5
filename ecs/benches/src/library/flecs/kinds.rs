//! Worlds in which entities differ in what they have.

use std::mem::swap;

use flecs_ecs::prelude::*;

use super::{
    A, B, C, D, E, F, G, H, I, J, Moving, Position, Queried, Velocity, body, empty, movement, queried,
};
use crate::harness::Suite;
use crate::math::digest;
use crate::workload::{churn, combinations, eight_kinds, rare, schedule};

pub(super) fn cases(suite: &mut Suite) {
    combinations_cases(suite);
    moving_cases(suite);
    schedule_case(suite);
    rare_cases(suite);
}

/// Whether entity `i` has a letter.
fn has(i: u32, bit: u32) -> bool {
    (i % combinations::COMBINATIONS) >> bit & 1 == 1
}

/// Hands the ten letters to a macro, after its own arguments: the bit, the type and a name for the
/// value.
macro_rules! each_of_ten {
    ($then:ident $($args:tt)*) => {
        $then! { $($args)* 0 A a, 1 B b, 2 C c, 3 D d, 4 E e, 5 F f, 6 G g, 7 H h, 8 I i, 9 J j }
    };
}

fn combined(count: u32) -> World {
    macro_rules! spawn {
        ($world:ident $n:ident $($bit:literal $letter:ident $value:ident),*) => {
            $(let $value = [$letter(combinations::value($n))];)*
            let mut builder = $world.entity_bulk(1);
            let mut builder = &mut builder;
            $(
                if has($n, $bit) {
                    builder = builder.set(&$value);
                }
            )*
            builder.build();
        };
    }
    let world = empty();
    for n in 0..count {
        each_of_ten!(spawn world n);
    }
    world
}

fn combined_later(count: u32) -> World {
    macro_rules! insert {
        ($entity:ident $n:ident $($bit:literal $letter:ident $value:ident),*) => {
            $(
                if has($n, $bit) {
                    $entity.set($letter(combinations::value($n)));
                }
            )*
        };
    }
    let world = empty();
    let ids = world.entity_bulk(count).build();
    for (n, id) in (0..count).zip(ids) {
        let entity = world.entity_from_id(id);
        each_of_ten!(insert entity n);
    }
    world
}

fn combinations_cases(suite: &mut Suite) {
    type Pairs = Queried<(&'static mut A, &'static B)>;
    fn run((query, _): &mut Pairs) {
        query.each(|(a, b)| combinations::step(&mut a.0, &b.0));
    }
    suite.case(
        &combinations::SPAWNED,
        |count| -> Pairs { queried(combined(count)) },
        run,
        |state| sum_of_pairs(&state.1),
    );
    suite.case(
        &combinations::INSERTED,
        |count| -> Pairs { queried(combined_later(count)) },
        run,
        |state| sum_of_pairs(&state.1),
    );
}

fn sum_of_pairs(world: &World) -> u64 {
    let mut sum = 0_u64;
    world.each::<(&A, &B)>(|(a, b)| sum = sum.wrapping_add(digest(&[&[a.0], &[b.0]])));
    sum
}

/// Number `n`, with the letters that the bits of its kind say.
fn spawn(world: &World, n: u32, kind: u32) -> Entity {
    let (_, position, _, velocity) = body(n);
    let (position, velocity, a, b, c) = ([position], [velocity], [A(0.0)], [B(0.0)], [C(0.0)]);
    let mut builder = world.entity_bulk(1);
    let mut builder = builder.set(&position).set(&velocity);
    if kind & 1 != 0 {
        builder = builder.set(&a);
    }
    if kind & 2 != 0 {
        builder = builder.set(&b);
    }
    if kind & 4 != 0 {
        builder = builder.set(&c);
    }
    builder.build()[0]
}

fn four_kinds(count: u32) -> (World, Vec<Entity>) {
    let world = empty();
    let ids = (0..count).map(|n| spawn(&world, n, n % 4)).collect();
    (world, ids)
}

fn churned((world, ids): &mut (World, Vec<Entity>)) {
    churn::churn(
        world,
        ids,
        |world, id| world.entity_from_id(id).destruct(),
        |world, n| spawn(world, n, n % 4),
    );
}

fn sum_of_moving(world: &World) -> u64 {
    let mut sum = 0_u64;
    world.each::<(&Position, &Velocity)>(|(position, velocity)| {
        sum = sum.wrapping_add(digest(&[&position.0, &velocity.0]));
    });
    sum
}

fn moving_cases(suite: &mut Suite) {
    suite.case(
        &eight_kinds::EIGHT_KINDS,
        |count| -> Moving {
            let world = empty();
            for i in 0..count {
                spawn(&world, i, i % 8);
            }
            queried(world)
        },
        movement,
        |state| sum_of_moving(&state.1),
    );
    suite.case(&churn::STEP, four_kinds, churned, |state| sum_of_moving(&state.0));
    suite.case(
        &churn::BEFORE,
        |count| queried(four_kinds(count).0),
        movement,
        |state| sum_of_moving(&state.1),
    );
    suite.case(
        &churn::AFTER,
        |count| {
            let mut state = four_kinds(count);
            churned(&mut state);
            queried(state.0)
        },
        movement,
        |state| sum_of_moving(&state.1),
    );
}

/// Systems run in the order in which they are made.
fn swapped(count: u32) -> World {
    let world = empty();
    let values = |which: usize| -> Vec<f32> { (0..count).map(|i| schedule::values(i)[which]).collect() };
    let a: Vec<_> = values(0).into_iter().map(A).collect();
    let b: Vec<_> = values(1).into_iter().map(B).collect();
    let c: Vec<_> = values(2).into_iter().map(C).collect();
    let d: Vec<_> = values(3).into_iter().map(D).collect();
    let e: Vec<_> = values(4).into_iter().map(E).collect();
    world.entity_bulk(count).set(&a).set(&b).build();
    world.entity_bulk(count).set(&a).set(&b).set(&c).build();
    world.entity_bulk(count).set(&a).set(&b).set(&c).set(&d).build();
    world.entity_bulk(count).set(&a).set(&b).set(&c).set(&e).build();
    world.system::<(&mut A, &mut B)>().each(|(a, b)| swap(&mut a.0, &mut b.0));
    world.system::<(&mut C, &mut D)>().each(|(c, d)| swap(&mut c.0, &mut d.0));
    world.system::<(&mut C, &mut E)>().each(|(c, e)| swap(&mut c.0, &mut e.0));
    world
}

fn schedule_case(suite: &mut Suite) {
    suite.case(
        &schedule::SCHEDULE,
        swapped,
        |world| {
            world.progress_time(1.0);
        },
        |world| {
            let mut sum = sum_of_pairs(world);
            world.each::<&C>(|c| sum = sum.wrapping_add(digest(&[&[c.0]])));
            sum
        },
    );
}

/// In tables as all others: what flecs has for rare components, `DontFragment`, is slower here, to
/// set as to iterate.
#[derive(Component)]
struct Rare(f32);

type Rarity = Queried<(&'static mut Position, &'static Rare)>;

fn positions(count: u32) -> (Rarity, Vec<Entity>) {
    let world = empty();
    let positions: Vec<_> = (0..count).map(|i| body(i).1).collect();
    let ids = world.entity_bulk(count).set(&positions).build();
    let ids = rare::chosen(count).into_iter().map(|i| ids[i as usize]).collect();
    (queried(world), ids)
}

fn set(((_, world), chosen): &mut (Rarity, Vec<Entity>)) {
    for &id in &*chosen {
        world.entity_from_id(id).set(Rare(0.5));
    }
}

fn step((query, _): &mut Rarity) {
    query.each(|(position, rare)| rare::step(&mut position.0, &rare.0));
}

fn sum_of_rare(world: &World) -> u64 {
    let mut sum = 0_u64;
    world.each::<(&Position, &Rare)>(|(position, rare)| {
        sum = sum.wrapping_add(digest(&[&position.0, &[rare.0]]));
    });
    sum
}

fn rare_cases(suite: &mut Suite) {
    suite.case(
        &rare::RANDOM,
        |count| {
            let mut state = positions(count);
            set(&mut state);
            state.0
        },
        step,
        |state| sum_of_rare(&state.1),
    );
    suite.case(
        &rare::SET,
        positions,
        |state| {
            set(state);
            step(&mut state.0);
            let ((_, world), chosen) = state;
            for &id in &*chosen {
                world.entity_from_id(id).remove(Rare::id());
            }
        },
        |((_, world), _)| {
            let mut sum = 0_u64;
            world.each::<&Position>(|position| sum = sum.wrapping_add(digest(&[&position.0])));
            sum
        },
    );
    suite.case(
        &rare::KIND,
        |count| -> Rarity {
            let world = empty();
            for i in 0..count {
                let (position, rare) = ([body(i).1], [Rare(0.5)]);
                let mut builder = world.entity_bulk(1);
                let mut builder = builder.set(&position);
                if i % 100 == 0 {
                    builder = builder.set(&rare);
                }
                builder.build();
            }
            queried(world)
        },
        step,
        |state| sum_of_rare(&state.1),
    );
}
