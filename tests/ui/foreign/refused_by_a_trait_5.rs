//! Methods of engines, joins of storages, and methods that belong to another type.

use ecs::prelude::*;
use ecs::{Accumulate, Accumulator};

#[derive(Component, Clone)]
struct Place(f32);
#[derive(Component, Clone)]
struct Speed(f32);
#[derive(Component, Clone)]
struct Player;
#[derive(Resource, Clone, Default)]
struct Heat(f32);
#[derive(Event, Clone)]
struct Alarm;

impl Accumulate for Heat {
    type Value = f32;
    fn accumulate(&mut self, value: f32) {
        self.0 += value;
    }
}

world! {
    #[derive(Clone)]
    struct Game {
        components { Place, Speed, Player }
        resources { Heat = Heat::default() }
        events { Alarm(external) }
    }
    schedule tick { join; burn; listen }
}

#[system(Game)]
fn join(mut places: Storage<Place>, speeds: Storage<Speed>) {
    (&mut places, &speeds).join();
}

#[system(Game, par)]
fn burn(speed: &Speed, mut heat: Accumulator<Heat>) {
    heat.accumulate(speed.0);
}

#[system(Game)]
fn listen(mut alarms: EventWriter<Alarm>) {
    alarms.iter();
}

fn main() {
    let mut game = Game::new();
    let player = game.spawn(Player);
    let snapshot = game.snapshot();
    game.tick().unwrap();
    game.instantiate(Place(1.0));
    game.find_with_tag("player");
    game.set_active(player, false);
    player.get_component::<Place>();
    player.add_component(Place(1.0));
    player.set_active(false);
    player.destroy();
    game.destroy(player);
    snapshot.restore();
}
