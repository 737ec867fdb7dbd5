//! A library of components and systems, and two worlds that include it.

use ecs::prelude::*;

/// This module could be a crate of its own.
mod hunger {
    use ecs::prelude::*;

    #[derive(Component, Debug)]
    pub struct Stomach(pub u32);

    #[derive(Event)]
    pub struct Starved(pub Entity);

    parts! {
        /// Stomachs that become empty.
        pub hunger {
            components { Stomach }
            events { Starved }
            schedule digest { digestion }
        }
    }

    #[system]
    pub fn digestion(entity: Entity, stomach: &mut Stomach, mut starved: EventWriter<Starved>) {
        stomach.0 = stomach.0.saturating_sub(1);
        if stomach.0 == 0 {
            starved.send(Starved(entity));
        }
    }
}

use hunger::{Starved, Stomach};

#[derive(Component)]
struct Wool(u32);

world! {
    struct Farm {
        include hunger::hunger;
        components { Wool }
    }
    schedule day { graze; include hunger::digest; bury }
}

#[system(Farm)]
fn graze(stomach: &mut Stomach, wool: &Wool) {
    stomach.0 += wool.0 % 2;
}

#[system(Farm)]
fn bury(mut starved: EventReader<Starved>, mut commands: Commands<Farm>) {
    for Starved(entity) in &mut starved {
        println!("{entity} has starved");
        commands.despawn_if_alive(*entity);
    }
}

fn main() {
    let mut farm = Farm::new();
    farm.spawn_batch([(Stomach(2), Wool(1)), (Stomach(2), Wool(4))]);
    for day in 1..=3 {
        farm.day();
        println!("day {day}: {:?}", farm.query::<&Stomach>().iter().collect::<Vec<_>>());
    }
}
