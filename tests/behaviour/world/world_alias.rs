//! World types that were renamed: files with a former name are loaded, in both forms.

use ecs::prelude::*;
use ecs::save::{DanglingIds, LoadError, Saved};

#[derive(Component, Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
struct Plain(u32);

mod before {
    use super::*;
    world! {
        #[derive(Clone, serde::Serialize, serde::Deserialize)]
        pub struct Room { components { Plain } }
    }
}

mod after {
    use super::*;
    world! {
        #[derive(Clone, serde::Serialize, serde::Deserialize)]
        #[world(alias("Chamber", "Room"))]
        pub struct Hall { components { Plain } }
    }
    world! {
        #[derive(Clone, serde::Serialize, serde::Deserialize)]
        #[world(alias = "Chamber")]
        pub struct Cellar { components { Plain } }
    }
}

use after::{Cellar, Hall};
use before::Room;

#[test]
fn a_file_with_a_former_name_is_loaded_with_its_ids() {
    let mut room = Room::new();
    let ids: Vec<Entity> = room.spawn_batch((0..100).map(Plain)).collect();
    room.despawn(ids[7]).unwrap();
    let (bytes, text) = (room.to_bytes().unwrap(), serde_json::to_string(&room).unwrap());
    let mut next = room.clone();
    let expected = next.spawn(Plain(5));
    for mut hall in [Hall::load(&bytes).unwrap(), serde_json::from_str(&text).unwrap()] {
        assert_eq!(hall.get(ids[3]), Some(&Plain(3)));
        assert!(!hall.contains(ids[7]));
        let again = Hall::load(&hall.to_bytes().unwrap()).unwrap();
        assert!(ecs::save::diff(&hall, &again).is_empty());
        assert_eq!(hall.spawn(Plain(5)), expected, "new entities have the ids that they would have had");
        let merged = hall.merge(&bytes, DanglingIds::Refuse).unwrap();
        assert_eq!(merged.len(), 99);
    }
    assert!(matches!(Cellar::load(&bytes), Err(LoadError::OtherWorld { .. })));
    assert!(serde_json::from_str::<Cellar>(&text).is_err());
    let hall = Hall::load(&bytes).unwrap();
    assert!(Room::load(&hall.to_bytes().unwrap()).is_err(), "an alias is not the name that is written");
}
