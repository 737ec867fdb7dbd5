//! A library that grows: the same text of a game compiles with both versions and gives the same
//! results, and a file of the first version loads in the second.

use ecs::prelude::*;
use ecs::save::Saved;
use parts_library::growing::{Body, Falls, Ground, Grounded, Pull, first, second};
use serde::{Deserialize, Serialize};

#[derive(Resource, Clone, Serialize, Deserialize, PartialEq, Debug, Default)]
struct Landings(u32);

/// The game, which does not know the version.
macro_rules! game {
    ($game:ident, $version:ident) => {
        mod $game {
            use super::*;

            world! {
                #[derive(Clone, Serialize, Deserialize)]
                pub struct Game {
                    include $version::falling { Pull = Pull(2) };
                    resources { landings: Landings }
                }
                schedule tick { include $version::fall; count }
            }

            #[system(Game)]
            fn count(mut grounded: EventReader<Grounded>, mut landings: ResMut<Landings>) {
                landings.0 += grounded.iter().count() as u32;
            }

            pub fn played() -> (Game, Entity) {
                let mut game = Game::new(Landings(0));
                let body = game.spawn(Body(3));
                game.tick();
                assert_eq!(game.columns().body.get(body), Some(&Body(1)));
                (game, body)
            }
        }
    };
}

game!(of_first, first);
game!(of_second, second);

#[test]
fn a_component_a_resource_an_event_and_a_system_more_break_no_world() {
    let (mut first, body) = of_first::played();
    let (mut second, same) = of_second::played();
    first.tick();
    second.tick();
    assert_eq!((first.get::<Body>(body), second.get::<Body>(same)), (Some(&Body(0)), Some(&Body(0))));
    assert_eq!((first.resource::<Landings>(), second.resource::<Landings>()), (&Landings(1), &Landings(1)));
    assert_eq!((second.get::<Falls>(same), second.resource::<Ground>()), (Some(&Falls(2)), &Ground(0)));
}

#[test]
fn a_file_of_the_first_version_loads_in_the_second() {
    let (first, body) = of_first::played();
    let bytes = first.to_bytes().unwrap();
    let mut second = of_second::Game::load(&bytes).unwrap();
    assert_eq!((second.get::<Body>(body), second.resource::<Ground>()), (Some(&Body(1)), &Ground(0)));
    second.tick();
    assert_eq!((second.resource::<Landings>(), second.get::<Falls>(body)), (&Landings(1), Some(&Falls(1))));
}
