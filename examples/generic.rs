//! Generic systems: for every world with the components that they need, and for every type. A
//! library of components consists of them.

use ecs::prelude::*;

/// This module could be a library.
mod physics {
    use ecs::prelude::*;

    #[derive(Component, Debug)]
    pub struct Position(pub f32);

    #[derive(Component, Debug)]
    pub struct Velocity(pub f32);

    /// Runs in every world that has both components.
    #[system]
    pub fn movement(position: &mut Position, velocity: &Velocity) {
        position.0 += velocity.0;
    }
}

#[derive(Component, Debug)]
struct Health(f32);

#[derive(Component)]
struct Fire(f32);

#[derive(Component)]
struct Frost(f32);

/// A component that damages its entity.
trait Element: Component {
    fn strength(&self) -> f32;
}

impl Element for Fire {
    fn strength(&self) -> f32 {
        self.0
    }
}

impl Element for Frost {
    fn strength(&self) -> f32 {
        self.0 / 2.0
    }
}

/// A system for all elements; a schedule names each instance: `damage::<Fire>`.
#[system]
fn damage<E: Element>(health: &mut Health, element: &E) {
    health.0 -= element.strength();
}

world! {
    struct Game {
        components { physics::Position, physics::Velocity, Health, Fire, Frost }
    }
    schedule tick { physics::movement; damage::<Fire>; damage::<Frost> }
}

fn main() {
    let mut game = Game::new();
    let hero =
        game.spawn((physics::Position(0.0), physics::Velocity(2.0), Health(10.0), Fire(1.0), Frost(1.0)));
    game.tick();
    game.tick();
    println!("{:?} {:?}", game.get::<physics::Position>(hero), game.get::<Health>(hero));
}
