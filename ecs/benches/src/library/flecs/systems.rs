//! Systems that have little to do.

use std::marker::PhantomData;

use flecs_ecs::prelude::*;

use super::empty;
use crate::harness::Suite;
use crate::math::digest;
use crate::workload::empty_systems;

/// A component of a system. It has to be generic over a type, since the library would take the
/// components of one constant for those of another.
#[derive(Component)]
struct Lone<N: 'static>(f32, PhantomData<fn() -> N>);

struct Number<const N: usize>;

macro_rules! many {
    ($(($_:ident $__:ident $n:literal))*) => {
        fn many(_: u32) -> World {
            let world = empty();
            let id = world.entity();
            $(id.set(Lone::<Number<$n>>($n as f32, PhantomData));)*
            $(world.system::<&mut Lone<Number<$n>>>().each(|lone| empty_systems::step(&mut lone.0));)*
            world
        }

        fn lones(world: &World) -> u64 {
            let mut sum = 0_u64;
            $(world.each::<&Lone<Number<$n>>>(|lone| sum = sum.wrapping_add(digest(&[&[lone.0]])));)*
            sum
        }
    };
}

each_number!(100 many);

pub(super) fn cases(suite: &mut Suite) {
    suite.case(
        &empty_systems::IN_TURN,
        many,
        |world| {
            world.progress_time(1.0);
        },
        |world| lones(world),
    );
}
