//! Worlds of 26 components, each in an archetype of its own. More take the compiler minutes, and
//! run the same code.

use crate::harness::Suite;
use crate::workload::wide;

numbered_parts!();

macro_rules! width {
    ($module:ident $(($archetype:ident $component:ident $n:literal))*) => {
        mod $module {
            #![allow(non_camel_case_types, reason = "the names are a macro's")]

            use gecs::prelude::*;

            use super::{Part, parts};
            use crate::harness::Suite;
            use crate::math::digest;
            use crate::workload::wide::{self, Width};

            $(pub type $component = Part<$n>;)*

            ecs_world! {
                $(ecs_archetype!($archetype, dyn, $component);)*
                ecs_archetype!(First, dyn, P0, P1, P2, P3);
            }

            pub(super) fn cases(suite: &mut Suite, width: &Width) {
                suite.case(
                    width.spawn,
                    |count| (met(), count),
                    |(world, count)| {
                        for i in 0..*count {
                            world.create::<First>(parts(i));
                        }
                    },
                    |state| checksum(&mut state.0),
                );
                suite.case(
                    width.iter,
                    |count| filled(count).0,
                    |world| {
                        ecs_iter!(world, |first: &mut P0, second: &P1| {
                            first.0 += second.0;
                        });
                    },
                    checksum,
                );
                suite.case(
                    width.despawn,
                    filled,
                    |(world, ids)| {
                        for &id in &*ids {
                            assert!(world.destroy(id).is_some(), "it lives");
                        }
                    },
                    |state| checksum(&mut state.0),
                );
            }

            /// A world in which each part is held by one entity.
            fn met() -> EcsWorld {
                let mut world = EcsWorld::default();
                $(world.create::<$archetype>((Part(wide::ALONE),));)*
                world
            }

            fn filled(count: u32) -> (EcsWorld, Vec<Entity<First>>) {
                let mut world = met();
                let ids = (0..count).map(|i| world.create::<First>(parts(i))).collect();
                (world, ids)
            }

            fn checksum(world: &mut EcsWorld) -> u64 {
                let mut sum = 0_u64;
                ecs_iter!(world, |first: &P0, second: &P1| {
                    sum = sum.wrapping_add(digest(&[&[first.0], &[second.0]]));
                });
                sum
            }
        }
    };
}

each_number!(26 width of_26);

pub(super) fn cases(suite: &mut Suite) {
    of_26::cases(suite, &wide::OF_26);
}
