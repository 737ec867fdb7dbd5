//! Saves of an older version of a program: renamed components and changed types.

use ecs::prelude::*;
use ecs::save::{DanglingIds, LoadError, LoadOptions, diff};

/// The same world in two versions of a program.
mod versions {
    pub mod old {
        use ecs::prelude::*;
        use serde::{Deserialize, Serialize};

        #[derive(Component, Serialize, Deserialize)]
        pub struct Place(pub f32, pub f32);
        #[derive(Component, Serialize, Deserialize, Clone)]
        pub struct Speed {
            pub x: f32,
            pub y: f32,
        }
        #[derive(Component, Serialize, Deserialize)]
        pub struct Gone(pub u8);
        #[derive(Component, Serialize, Deserialize)]
        pub struct Wide(pub u32);
        #[derive(Resource, Serialize, Deserialize)]
        pub struct Points(pub u32);

        world! {
            #[derive(Serialize, Deserialize)]
            pub struct Game {
                components { Gone, Place, Speed, Wide }
                resources { Points }
            }
            schedule tick { step, leave }
        }
        #[system(Game)]
        fn step(place: &mut Place, speed: &Speed) {
            place.0 += speed.x;
        }
        #[system(Game)]
        fn leave(mut count: Local<u8>) {
            *count += 1;
        }
    }

    pub mod new {
        use ecs::prelude::*;
        use serde::{Deserialize, Serialize};

        #[derive(Component, Serialize, Deserialize, PartialEq, Debug)]
        #[component(alias = "Place", tracked)]
        pub struct Position(pub f32, pub f32);
        #[derive(Component, Serialize, Deserialize, PartialEq, Debug)]
        #[component(from = OldSpeed)]
        pub struct Speed {
            pub length: f32,
        }
        #[derive(Deserialize)]
        struct OldSpeed {
            x: f32,
            y: f32,
        }
        impl From<OldSpeed> for Speed {
            fn from(old: OldSpeed) -> Self {
                Self { length: old.x.hypot(old.y) }
            }
        }
        #[derive(Component, Serialize, Deserialize)]
        pub struct Wide(pub u64);
        #[derive(Component, Serialize, Deserialize)]
        pub struct Added;
        #[derive(Resource, Serialize, Deserialize, PartialEq, Debug)]
        #[resource(alias("Score", "Points"))]
        pub struct Total(pub u32);
        #[derive(Resource, Serialize, Deserialize, PartialEq, Debug)]
        pub struct Lives(pub u8);
        impl Default for Lives {
            fn default() -> Self {
                Self(3)
            }
        }

        world! {
            #[derive(Serialize, Deserialize)]
            pub struct Game {
                components { Added, Speed, Position, Wide }
                resources { Total, Lives }
            }
            schedule tick { age }
        }
        #[system(Game)]
        fn age(position: &Position, mut count: Local<u8>) {
            *count += position.0 as u8;
        }
    }
}

#[test]
fn renamed_and_converted_types_are_loaded() {
    use versions::{new, old};
    let mut before = old::Game::new(old::Points(7));
    let plain = before.spawn((old::Place(1.0, 2.0), old::Speed { x: 3.0, y: 4.0 }));
    before.tick();
    let compact = new::Game::load(&before.to_bytes().unwrap()).unwrap();
    let text = serde_json::to_string(&before).unwrap();
    for game in [compact, serde_json::from_str(&text).unwrap()] {
        assert_eq!(game.get(plain), Some(&new::Position(4.0, 2.0)));
        assert_eq!(game.get(plain), Some(&new::Speed { length: 5.0 }));
        assert_eq!(game.resource::<new::Total>(), &new::Total(7));
        assert_eq!(game.resource::<new::Lives>(), &new::Lives(3));
        let mut again = new::Game::load(&game.to_bytes().unwrap()).unwrap();
        assert_eq!(diff(&game, &again), []);
        let merged = again.merge(&before.to_bytes().unwrap(), DanglingIds::Refuse).unwrap();
        assert_eq!(again.get(merged.get(plain).unwrap()), Some(&new::Speed { length: 5.0 }));
        again.tick();
    }
}

#[test]
fn types_that_the_world_lacks_are_refused_or_dropped() {
    use versions::{new, old};
    let mut before = old::Game::new(old::Points(7));
    let entity = before.spawn((old::Gone(1), old::Place(1.0, 2.0)));
    let bytes = before.to_bytes().unwrap();
    let error = new::Game::load(&bytes).unwrap_err();
    let unknown = LoadError::Unknown { kind: "component", name: "Gone".into(), nearest: None, world: "Game" };
    assert_eq!(error, unknown, "nobody has a `Wide`, which is not what it was: that is no error");
    let game = new::Game::load_with(&bytes, LoadOptions::new().drop_unknown()).unwrap();
    assert_eq!(game.get(entity), Some(&new::Position(1.0, 2.0)));
    assert!(!serde_json::to_string(&game).unwrap().contains("Gone"));
}

#[test]
fn another_layout_without_a_migration_is_named() {
    use versions::{new, old};
    let mut before = old::Game::new(old::Points(7));
    let entity = before.spawn(old::Wide(5));
    let dropping = || LoadOptions::new().drop_unknown();
    let error = new::Game::load_with(&before.to_bytes().unwrap(), dropping()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "component `Wide` of world `Game` was saved as `u32` and is now `u64`: keep the old type, and write \
         `#[component(from = OldWide)]`"
    );
    // the human-readable form contains the names
    let text = serde_json::to_string(&before).unwrap();
    let mut text = serde_json::Deserializer::from_str(&text);
    let game = serde::de::DeserializeSeed::deserialize(dropping(), &mut text).unwrap();
    assert_eq!(game.get::<new::Wide>(entity).map(|wide| wide.0), Some(5));
}

/// A resource and an event whose types have changed, and a component that is not saved any more.
mod later {
    pub mod old {
        use ecs::prelude::*;
        use serde::{Deserialize, Serialize};

        #[derive(Component, Serialize, Deserialize)]
        pub struct Shadow(pub u8);
        #[derive(Resource, Serialize, Deserialize)]
        pub struct Score(pub u32);
        #[derive(Event, Serialize, Deserialize)]
        pub struct Hit(pub u8);
        world! {
            #[derive(Serialize, Deserialize)]
            pub struct Game { components { Shadow } resources { score: Score = Score(1) } events { Hit(external) } }
        }
    }
    pub mod resource {
        use super::old::{Hit, Shadow};
        use ecs::prelude::*;
        use serde::{Deserialize, Serialize};

        #[derive(Resource, Serialize, Deserialize)]
        pub struct Score(pub u64);
        world! {
            #[derive(Serialize, Deserialize)]
            pub struct Game { components { Shadow } resources { score: Score = Score(1) } events { Hit(external) } }
        }
    }
    pub mod event {
        use super::old::{Score, Shadow};
        use ecs::prelude::*;
        use serde::{Deserialize, Serialize};

        #[derive(Event, Serialize, Deserialize)]
        pub struct Hit(pub i8);
        world! {
            #[derive(Serialize, Deserialize)]
            pub struct Game { components { Shadow } resources { score: Score = Score(1) } events { Hit(external) } }
        }
    }
    pub mod skipped {
        use super::old::{Hit, Score};
        use ecs::prelude::*;
        use serde::{Deserialize, Serialize};

        #[derive(Component)]
        #[component(skip)]
        pub struct Shadow;
        world! {
            #[derive(Serialize, Deserialize)]
            pub struct Game { components { Shadow } resources { score: Score = Score(1) } events { Hit(external) } }
        }
    }
}

#[test]
fn another_layout_of_a_resource_or_of_an_event_is_named() {
    use later::{event, old, resource};
    let bytes = old::Game::new().to_bytes().unwrap();
    old::Game::load(&bytes).unwrap();
    let said = resource::Game::load(&bytes).map(drop).unwrap_err().to_string();
    assert!(said.contains("resource `Score` of world `Game` was saved as `u32` and is now `u64`"), "{said}");
    let said = event::Game::load(&bytes).map(drop).unwrap_err().to_string();
    assert!(said.contains("event `Hit` of world `Game` was saved as `u8` and is now `i8`"), "{said}");
    // in the human-readable form, a number is a number
    let text = serde_json::to_string(&old::Game::new()).unwrap();
    assert_eq!(serde_json::from_str::<resource::Game>(&text).unwrap().resource::<resource::Score>().0, 1);
}

#[test]
fn values_of_a_component_that_is_now_skipped_are_ignored() {
    use later::{old, skipped};
    let mut before = old::Game::new();
    let entity = before.spawn(old::Shadow(7));
    let compact = skipped::Game::load(&before.to_bytes().unwrap()).unwrap();
    let text = serde_json::to_string(&before).unwrap();
    for game in [compact, serde_json::from_str(&text).unwrap()] {
        assert!(game.contains(entity) && !game.has::<skipped::Shadow>(entity));
    }
    let mut game = skipped::Game::new();
    let merged = game.merge(&before.to_bytes().unwrap(), DanglingIds::Refuse).unwrap();
    assert_eq!((merged.len(), game.query::<&skipped::Shadow>().len()), (1, 0));
    let said = serde_json::from_str::<skipped::Game>(r#"{ "entities": { "0v1@7": { "": 7 } } }"#);
    let said = said.map(drop).unwrap_err().to_string();
    assert!(said.contains("world `Game` has no component ``"), "{said}");
}

/// A world whose types are saved, and one whose types are not saved any more.
macro_rules! once_saved {
    ($($module:ident: $kept:ident $(= $name:literal)?;)*) => {$(
        mod $module {
            use ecs::prelude::*;
            use serde::{Deserialize, Serialize};

            #[derive(Component, Clone, Serialize, Deserialize)]
            #[component(removed, $kept $(= $name)?)]
            pub struct Torch(pub u8);
            #[derive(Event, Serialize, Deserialize)]
            #[event($kept $(= $name)?)]
            pub struct Rang(pub u8);
            #[derive(Resource, Serialize, Deserialize, Default)]
            #[resource($kept $(= $name)?)]
            pub struct Rooms(pub u8);
            world! {
                #[derive(Serialize, Deserialize)]
                pub struct House {
                    components { Torch }
                    resources { rooms: Rooms = Rooms::default() }
                    events { Rang(external) }
                }
                schedule tick { count }
            }
            #[system(House)]
            fn count(mut removed: Removed<Torch>, mut rang: EventReader<Rang>, mut all: Local<u32>) {
                *all += (removed.into_iter().count() + rang.into_iter().count()) as u32;
            }
        }
    )*};
}
once_saved! {
    saved: alias = "Other";
    unsaved: skip;
}

#[test]
fn what_is_now_skipped_is_ignored_in_every_section() {
    let mut before = saved::House::new();
    let torch = before.spawn(saved::Torch(7));
    let other = before.spawn(saved::Torch(8));
    before.tick();
    before.despawn(torch).unwrap();
    before.send(saved::Rang(9));
    let json = serde_json::to_string(&before).unwrap();
    assert!(json.contains("\"kept\":[9]") && json.contains(",7]]"), "{json}");
    let houses = [
        unsaved::House::load(&before.to_bytes().unwrap()).unwrap(),
        serde_json::from_str(&json).unwrap(),
        ron::from_str(&ron::to_string(&before).unwrap()).unwrap(),
    ];
    for mut house in houses {
        house.tick();
        assert!(house.contains(other) && !house.has::<unsaved::Torch>(other));
    }
}
