//! Systems that have little to do.

use shipyard::{IntoIter, View, ViewMut, Workload, World};

use super::wide::Part as Lone;
use crate::harness::Suite;
use crate::math::{digest, total};
use crate::workload::empty_systems;

fn step<const N: usize>(mut all: ViewMut<'_, Lone<N>>) {
    (&mut all).iter().for_each(|lone| empty_systems::step(&mut lone.0));
}

fn sum<const N: usize>(all: View<'_, Lone<N>>) -> u64 {
    total(all.iter().map(|lone| digest(&[&[lone.0]])))
}

macro_rules! many {
    ($(($_:ident $__:ident $n:literal))*) => {
        fn many(_: u32) -> World {
            let mut world = World::new();
            let id = world.add_entity(());
            $(world.add_component(id, Lone::<$n>($n as f32));)*
            let steps = Workload::new("steps");
            $(let steps = steps.with_system(step::<$n>);)*
            steps.add_to_world(&world).expect("the only workload");
            world
        }

        fn in_turn(world: &mut World) {
            $(world.run(step::<$n>);)*
        }

        fn lones(world: &mut World) -> u64 {
            [$(world.run(sum::<$n>)),*].into_iter().fold(0, u64::wrapping_add)
        }
    };
}

each_number!(100 many);

pub(super) fn cases(suite: &mut Suite) {
    suite.case(&empty_systems::IN_TURN, many, in_turn, lones);
    suite.case(
        &empty_systems::PARALLEL,
        many,
        |world| world.run_default_workload().expect("its storages are free"),
        lones,
    );
}
