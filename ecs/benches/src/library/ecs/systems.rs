//! Systems that have little to do, and systems that send and read events.

use ecs::prelude::*;
use ecs::schedule::Parallelism;

use super::wide::Part as Lone;
use crate::harness::Suite;
use crate::math::{digest, total};
use crate::workload::{empty_systems, events};

macro_rules! many {
    ($(($name:ident $_:ident $n:literal))*) => {
        world! {
            struct Many {
                components { $($name: Lone<$n>),* }
            }
            schedule tick { $($name),* }
        }

        $(
            #[system(Many)]
            fn $name(lone: &mut Lone<$n>) {
                empty_systems::step(&mut lone.0);
            }
        )*

        fn many(spread: Parallelism) -> Many {
            let mut game = Many::new();
            let id = game.spawn(());
            $(game.insert(id, Lone::<$n>($n as f32)).expect("it lives");)*
            game.set_parallelism(spread);
            game
        }

        fn lones(game: &mut Many) -> u64 {
            [$(total(game.query::<&Lone<$n>>().iter().map(|lone| digest(&[&[lone.0]])))),*]
                .into_iter()
                .fold(0, u64::wrapping_add)
        }
    };
}

each_number!(100 many);

#[derive(Event)]
struct Hit(u32, u32);

#[derive(Resource)]
struct Hits {
    sent: u32,
    sum: u64,
}

world! {
    struct Fight {
        resources { Hits }
        events { Hit }
    }
    schedule tick { send, receive }
}

#[system(Fight)]
fn send(hits: Res<'_, Hits>, mut writer: EventWriter<'_, Hit>) {
    for i in 0..hits.sent {
        let (target, amount) = events::values(i);
        writer.send(Hit(target, amount));
    }
}

#[system(Fight)]
fn receive(mut reader: EventReader<'_, Hit>, mut hits: ResMut<'_, Hits>) {
    let terms = reader.iter().map(|hit| events::term((hit.0, hit.1)));
    hits.sum = hits.sum.wrapping_add(total(terms));
}

pub(super) fn cases(suite: &mut Suite) {
    suite.case(&empty_systems::IN_TURN, |_| many(Parallelism::Never), Many::tick, lones);
    suite.case(&empty_systems::PARALLEL, |_| many(Parallelism::Auto), Many::tick, lones);
    suite.case(
        &events::EVENTS,
        |count| {
            let mut game = Fight::new(Hits { sent: count, sum: 0 });
            game.set_parallelism(Parallelism::Never);
            game
        },
        Fight::tick,
        |game| game.resource::<Hits>().sum,
    );
}
