//! Functions that have little to do.

use hecs::{PreparedQuery, World};

use super::wide::Part as Lone;
use crate::harness::Suite;
use crate::math::{digest, total};
use crate::workload::empty_systems;

/// A function and the query that it has made once.
type System = Box<dyn FnMut(&mut World)>;

fn step<const N: usize>() -> System {
    let mut query = PreparedQuery::<&mut Lone<N>>::new();
    Box::new(move |world| query.query_mut(world).for_each(|lone| empty_systems::step(&mut lone.0)))
}

macro_rules! many {
    ($(($_:ident $__:ident $n:literal))*) => {
        fn many(_: u32) -> (World, Vec<System>) {
            let mut world = World::new();
            let id = world.spawn(());
            $(world.insert_one(id, Lone::<$n>($n as f32)).expect("it lives");)*
            (world, vec![$(step::<$n>()),*])
        }

        fn lones(world: &mut World) -> u64 {
            [$(total(world.query_mut::<&Lone<$n>>().into_iter().map(|lone| digest(&[&[lone.0]])))),*]
                .into_iter()
                .fold(0, u64::wrapping_add)
        }
    };
}

each_number!(100 many);

pub(super) fn cases(suite: &mut Suite) {
    suite.case(
        &empty_systems::IN_TURN,
        many,
        |(world, systems)| systems.iter_mut().for_each(|system| system(world)),
        |(world, _)| lones(world),
    );
}
