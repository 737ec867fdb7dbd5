//! Children in the bundle of their parent, as in bevy.
use ecs::prelude::*;

#[derive(Component)]
struct Hull(u32);

#[derive(Component)]
struct Wheel;

world! {
    struct Game {
        components { Hull, Wheel, ChildOf }
    }
    schedule tick { build; }
}

#[system(Game)]
fn build(mut commands: Commands<Game>) {
    commands.spawn((Hull(1), children![Wheel, Wheel]));
}

fn main() {}
