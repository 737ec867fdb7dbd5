//! Options in the braces of an `include`, `#[cfg(..)]` before it, and parts that share others.

use ecs::prelude::*;
use parts_library::pool::Pool;
use parts_library::shared::{Sail, Steps, sail, sailing, travelling, walk, walking};
use parts_library::{Bounces, Bumped, Clock, Moved, Position, Velocity};

world! {
    struct Game {
        include parts_library::physics as physics {
            bounces = Bounces(40),
            Clock as pace = Clock::of(0.5),
            Bumped(external, keep = 1, full = newest),
            moved as requests(keep = 2),
        };
    }
    schedule tick { include parts_library::step }
}

#[test]
fn an_include_gives_first_values_of_resources() {
    let mut game = Game::new();
    let ball = game.spawn((Position(0.0), Velocity(1.0)));
    game.tick();
    assert_eq!(
        (game.resource::<Bounces>(), game.get::<Position>(ball)),
        (&Bounces(40), Some(&Position(0.5)))
    );
}

#[test]
fn an_include_gives_options_of_events() {
    let mut game = Game::new();
    let ball = game.spawn((Position(9.9), Velocity(2.0)));
    let other = game.spawn((Position(9.9), Velocity(2.0)));
    game.tick();
    let bumped: Vec<Entity> = game.drain::<Bumped>().map(|bumped| bumped.0).collect();
    assert_eq!(bumped, [ball], "the event of {other} did not fit");
    for length in [1.0, 2.0, 3.0] {
        game.send(Moved(ball, length));
    }
    game.tick();
    let kept: Vec<f32> = game.drain::<Moved>().map(|moved| moved.1).collect();
    assert_eq!(kept, [2.0, 3.0], "the option `external` of the library stays beside those of the world");
}

#[test]
fn the_fields_of_an_include_can_begin_with_a_word() {
    let game = Game::new();
    let columns = game.columns();
    assert_eq!(
        columns.physics_position.len() + columns.physics_velocity.len() + columns.physics_resting.len(),
        0
    );
    let (_, _): (&Clock, &Bounces) = (&game.pace, &game.physics_bounces);
}

/// Two libraries that include a third, which the world includes, too.
mod diamond {
    use super::*;

    world! {
        #[derive(Clone)]
        struct Journey {
            include sailing;
            include walking { Steps as paces, position as place };
            include parts_library::physics { bounces = Bounces(0), velocity as speed };
        }
        schedule tick { include sail; include walk, include parts_library::step }
    }

    #[test]
    fn libraries_that_share_parts_have_each_entry_once() {
        let names = ["Sail", "Position", "Velocity", "Resting", "Pool<Stamina>"];
        assert_eq!(<Journey as World>::COMPONENTS, names);
        let mut journey = Journey::new();
        let one = journey.spawn((Position(0.0), Velocity(0.0), Sail(2.0), Pool::of(1)));
        journey.tick();
        journey.tick();
        assert_eq!(journey.get::<Position>(one), Some(&Position(5.0)));
        assert_eq!((journey.columns().place.len(), journey.columns().speed.len()), (1, 1));
        assert_eq!(journey.paces, Steps(1));
    }

    world! {
        struct Short {
            include travelling { bounces = Bounces(3) };
        }
        schedule tick { include sail; include walk }
    }

    #[test]
    fn parts_of_included_parts_reach_the_world() {
        let mut short = Short::new();
        let one = short.spawn((Position(0.0), Velocity(0.0), Sail(2.0), Pool::of(1)));
        short.tick();
        assert_eq!(short.get::<Position>(one), Some(&Position(1.0)));
        assert_eq!(<Short as World>::COMPONENTS.len(), 5);
        assert_eq!(short.resource::<Bounces>(), &Bounces(3));
    }
}

/// Includes with conditions of compilation.
mod conditions {
    use super::*;

    world! {
        struct Game {
            #[cfg(test)]
            include parts_library::physics { bounces = Bounces(0) };
            #[cfg(all(test, not(test)))]
            include no_such_crate::parts { field as other };
            /// A comment.
            #[cfg(not(test))]
            #[cfg(unix)]
            include no_such_crate::others;
        }
        schedule tick {
            #[cfg(not(test))]
            include no_such_crate::step,
            #[cfg(test)]
            include parts_library::step;
            react {
                #[cfg(not(test))]
                include no_such_crate::step,
                nothing
            } max 2
        }
    }

    #[system(Game)]
    fn nothing(bodies: Entered<With<Position>>) {
        let _ = bodies.len();
    }

    #[test]
    fn an_include_that_is_compiled_out_is_not_looked_for() {
        let mut game = Game::new();
        let ball = game.spawn((Position(0.0), Velocity(1.0)));
        game.tick();
        assert_eq!(game.get::<Position>(ball), Some(&Position(1.0)));
    }

    #[test]
    fn a_world_in_a_function_has_conditions_too() {
        world! {
            struct Local {
                #[cfg(not(test))]
                include no_such_crate::parts;
                #[cfg(test)]
                include parts_library::physics;
            }
        }
        assert_eq!(Local::new(Bounces(1)).bounces, Bounces(1));
    }
}
