//! The clock of turns.

use ecs::prelude::*;
use ecs::time::every_millis;
use ecs_mechanics::turns::{self, Clock, Turn, TurnClock, time_passes};

#[derive(Resource, Default, PartialEq, Debug)]
struct Runs {
    answers: u32,
    thirds: u32,
}
#[derive(Event)]
struct Order {
    times: u32,
}

world! {
    struct Cave {
        include turns::turns;
        resources { Runs }
        events { Order(external) }
    }
    schedule order { include turns::begin_order; obey; answer if time_passes; third if every_millis::<Turn, 3000> }
}

#[system(Cave)]
fn obey(mut orders: EventReader<Order>, mut clock: ResMut<Clock<Turn>>) {
    for _ in 0..orders.iter().map(|order| order.times).sum() {
        clock.spend();
    }
}
#[system(Cave)]
fn answer(mut runs: ResMut<Runs>) {
    runs.answers += 1;
}
#[system(Cave)]
fn third(mut runs: ResMut<Runs>) {
    runs.thirds += 1;
}

#[test]
fn an_order_takes_one_turn_or_none() {
    let mut cave = Cave::new(Runs::default());
    for times in [1, 0, 5, 0, 0, 1, 0] {
        cave.send(Order { times });
        cave.order();
    }
    assert_eq!(cave.resource::<Clock<Turn>>().turn(), 3);
    assert_eq!(*cave.resource::<Runs>(), Runs { answers: 3, thirds: 1 });
    assert!(!cave.resource::<Clock<Turn>>().passes(), "the last order took no time");
}
