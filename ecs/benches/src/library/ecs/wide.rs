//! Worlds of many components.

use ecs::prelude::*;
use ecs::{Has, HasMut, WorldData};

use crate::harness::Suite;
use crate::math::digest;
use crate::workload::wide::{self, Width};

numbered_parts!(Component);

/// A world that has the first five parts, and others.
trait Wide: Default + HasMut<Part<0>> + Has<Part<1>> + Has<Part<4>> {}

macro_rules! width {
    ($world:ident $(($field:ident $_:ident $n:literal))*) => {
        world! {
            struct $world {
                components { $($field: Part<$n>),* }
            }
        }

        impl Wide for $world {}
    };
}

each_number!(26 width World26);
each_number!(128 width World128);
each_number!(512 width World512);

pub(super) fn cases(suite: &mut Suite) {
    width::<World26>(suite, &wide::OF_26);
    width::<World128>(suite, &wide::OF_128);
    width::<World512>(suite, &wide::OF_512);
}

type First = (Part<0>, Part<1>, Part<2>, Part<3>);

fn width<W: Wide>(suite: &mut Suite, width: &Width)
where
    First: Bundle<W>,
    Part<4>: Bundle<W>,
    (&'static mut Part<0>, &'static Part<1>): WorldData<W>,
{
    suite.case(
        width.spawn,
        |count| (W::default(), count),
        |(game, count)| {
            for i in 0..*count {
                game.spawn(parts(i));
            }
        },
        |state| checksum(&mut state.0),
    );
    suite.case(
        width.iter,
        |count| filled::<W>(count).0,
        |game| {
            game.query_mut::<(&'static mut Part<0>, &'static Part<1>)>()
                .for_each(|(first, second)| first.0 += second.0)
        },
        checksum,
    );
    suite.case(
        width.insert,
        filled::<W>,
        |(game, ids)| {
            for &id in &*ids {
                game.insert(id, Part::<4>(wide::FIFTH)).expect("it lives");
            }
            for &id in &*ids {
                game.remove::<Part<4>>(id).expect("it lives");
            }
        },
        |state| checksum(&mut state.0),
    );
    suite.case(
        width.despawn,
        filled::<W>,
        |(game, ids)| {
            for &id in &*ids {
                game.despawn(id).expect("it lives");
            }
        },
        |state| checksum(&mut state.0),
    );
}

fn filled<W: Wide>(count: u32) -> (W, Vec<Entity>)
where
    First: Bundle<W>,
{
    let mut game = W::default();
    let ids = game.spawn_batch((0..count).map(parts)).collect();
    (game, ids)
}

fn checksum<W: Wide>(game: &mut W) -> u64
where
    (&'static mut Part<0>, &'static Part<1>): WorldData<W>,
{
    let mut sum = 0_u64;
    game.query_mut::<(&'static mut Part<0>, &'static Part<1>)>()
        .for_each(|(first, second)| sum = sum.wrapping_add(digest(&[&[first.0], &[second.0]])));
    sum
}
