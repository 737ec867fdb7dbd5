//! Words and names of schedules that stand at another place than theirs.
use ecs::prelude::*;
use ecs::schedule::FixedTime;
use std::time::Duration;

#[derive(Component, Clone)]
#[component(tracked)]
struct Position(f32);

parts! {
    physics {
        components { Position }
        schedule step { fall }
    }
}

#[system]
fn fall(position: Mut<Position>) {
    let mut position = position;
    position.0 -= 1.0;
}

world! {
    struct Slow {
        components { Position }
        resources { FixedTime = FixedTime::new(Duration::from_millis(20)) }
    }
    schedule tick { moved every FixedTime }
}

world! {
    struct Watched { components { Position } }
    observers { watch, max 4 }
    schedule tick { moved }
}

world! {
    struct Twice { include physics; }
    schedule tick { include step; include step }
}

world! {
    struct Named { include physics { position as place } as body; }
    schedule tick { include step }
}

world! {
    struct Own { components { Position } }
    schedule moved { moved }
}

#[system]
fn moved(mut positions: Query<Mut<Position>>) {
    positions.for_each(|mut position| position.0 += 1.0);
}

#[system]
fn watch(positions: Query<&Position, Changed<Position>>) {
    println!("{}", positions.iter().count());
}

fn main() {}
