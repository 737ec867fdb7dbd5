//! Conditions of bevy.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Resource, PartialEq)]
enum Screen {
    Menu,
}

world! {
    struct Game {
        components { Position }
        resources { screen: Screen = Screen::Menu }
    }
    schedule tick {
        movement if in_state(Screen::Menu);
    }
    schedule slow {
        movement if on_timer(Duration::from_secs(1)), settle if resource_exists::<Screen>();
    }
}

#[system(Game)]
fn movement(position: &mut Position) {
    position.0 += 1.0;
}

#[system(Game)]
fn settle(position: &mut Position) {
    position.0 = 0.0;
}

fn main() {}
