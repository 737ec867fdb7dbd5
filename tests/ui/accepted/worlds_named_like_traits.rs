//! Worlds with the names of the library's traits.
use ecs::prelude::*;

#[derive(Component, Clone, serde::Serialize, serde::Deserialize)]
struct Position(f32);

#[derive(Aspect)]
struct Body {
    #[aspect(default = Position(0.0))]
    position: Position,
}

mod world {
    use super::{Body, Position};
    use ecs::prelude::*;
    use serde::{Deserialize, Serialize};

    world! {
        #[derive(Clone, Serialize, Deserialize)]
        pub struct World {
            components { Position, ChildOf }
        }
        schedule tick { movement }
    }

    #[system(World)]
    fn movement(position: &mut Position) {
        position.0 += 1.0;
    }

    pub fn use_verbs() {
        let mut world = World::new();
        let entity = world.spawn((Position(0.0),));
        world.time_systems(false);
        world.tick();
        assert!(world.has_aspect::<Body>(entity));
        assert_eq!(world.target::<ChildOf>(entity), None);
        assert_eq!(world.hash(), World::load(&world.to_bytes().unwrap()).unwrap().hash());
        assert_eq!(world.query::<&Position>().len(), 1);
    }
}

mod schedules {
    use super::{Body, Position};
    use ecs::prelude::*;
    use serde::{Deserialize, Serialize};

    world! {
        #[derive(Clone, Serialize, Deserialize)]
        pub struct Schedules {
            components { Position, ChildOf }
        }
        schedule tick { movement }
    }

    #[system(Schedules)]
    fn movement(position: &mut Position) {
        position.0 += 1.0;
    }

    pub fn use_verbs() {
        let mut world = Schedules::new();
        let entity = world.spawn((Position(0.0),));
        world.time_systems(false);
        world.tick();
        assert!(world.has_aspect::<Body>(entity));
        assert_eq!(world.target::<ChildOf>(entity), None);
        assert_eq!(world.hash(), Schedules::load(&world.to_bytes().unwrap()).unwrap().hash());
        assert_eq!(world.query::<&Position>().len(), 1);
    }
}

mod saved {
    use super::{Body, Position};
    use ecs::prelude::*;
    use serde::{Deserialize, Serialize};

    world! {
        #[derive(Clone, Serialize, Deserialize)]
        pub struct Saved {
            components { Position, ChildOf }
        }
        schedule tick { movement }
    }

    #[system(Saved)]
    fn movement(position: &mut Position) {
        position.0 += 1.0;
    }

    pub fn use_verbs() {
        let mut world = Saved::new();
        let entity = world.spawn((Position(0.0),));
        world.time_systems(false);
        world.tick();
        assert!(world.has_aspect::<Body>(entity));
        assert_eq!(world.target::<ChildOf>(entity), None);
        assert_eq!(world.hash(), Saved::load(&world.to_bytes().unwrap()).unwrap().hash());
        assert_eq!(world.query::<&Position>().len(), 1);
    }
}

mod aspects {
    use super::{Body, Position};
    use ecs::prelude::*;
    use serde::{Deserialize, Serialize};

    world! {
        #[derive(Clone, Serialize, Deserialize)]
        pub struct Aspects {
            components { Position, ChildOf }
        }
        schedule tick { movement }
    }

    #[system(Aspects)]
    fn movement(position: &mut Position) {
        position.0 += 1.0;
    }

    pub fn use_verbs() {
        let mut world = Aspects::new();
        let entity = world.spawn((Position(0.0),));
        world.time_systems(false);
        world.tick();
        assert!(world.has_aspect::<Body>(entity));
        assert_eq!(world.target::<ChildOf>(entity), None);
        assert_eq!(world.hash(), Aspects::load(&world.to_bytes().unwrap()).unwrap().hash());
        assert_eq!(world.query::<&Position>().len(), 1);
    }
}

mod relations {
    use super::{Body, Position};
    use ecs::prelude::*;
    use serde::{Deserialize, Serialize};

    world! {
        #[derive(Clone, Serialize, Deserialize)]
        pub struct Relations {
            components { Position, ChildOf }
        }
        schedule tick { movement }
    }

    #[system(Relations)]
    fn movement(position: &mut Position) {
        position.0 += 1.0;
    }

    pub fn use_verbs() {
        let mut world = Relations::new();
        let entity = world.spawn((Position(0.0),));
        world.time_systems(false);
        world.tick();
        assert!(world.has_aspect::<Body>(entity));
        assert_eq!(world.target::<ChildOf>(entity), None);
        assert_eq!(world.hash(), Relations::load(&world.to_bytes().unwrap()).unwrap().hash());
        assert_eq!(world.query::<&Position>().len(), 1);
    }
}

pub fn main() {
    world::use_verbs();
    schedules::use_verbs();
    saved::use_verbs();
    aspects::use_verbs();
    relations::use_verbs();
}
