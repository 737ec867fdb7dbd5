//! Two versions of one library: the second has a component, a resource with a first value, an event
//! and a system more, and includes another library.

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

/// A body.
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
pub struct Body(pub i32);

/// The pull on all bodies.
#[derive(Resource, Clone, Serialize, Deserialize, PartialEq, Debug)]
pub struct Pull(pub i32);

/// A body is on the ground.
#[derive(Event, Clone, Serialize, Deserialize)]
pub struct Grounded(pub Entity);

/// The number of falls; in the second version.
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
pub struct Falls(pub u32);

/// The height of the ground; in the second version.
#[derive(Resource, Clone, Serialize, Deserialize, PartialEq, Debug)]
pub struct Ground(pub i32);

/// A body falls; in the second version.
#[derive(Event, Clone, Serialize, Deserialize)]
pub struct Fell(pub Entity);

/// The first version.
pub mod first {
    use super::*;

    parts! {
        /// Bodies that fall.
        pub falling {
            components { Body }
            resources { Pull = Pull(1) }
            events { Grounded }
            schedule fall { pulled, land }
        }
    }
}

/// The second version.
pub mod second {
    use super::*;

    parts! {
        /// Marks on bodies.
        pub marks {
            components { Falls }
            events { Fell }
        }
    }

    parts! {
        /// Bodies that fall, and are counted.
        pub falling {
            include marks;
            components { Body }
            resources { Ground = Ground(0), Pull = Pull(1) }
            events { Grounded }
            schedule fall { count_falls; pulled, land }
        }
    }
}

/// Pulls the bodies down.
#[system]
pub fn pulled(body: &mut Body, pull: Res<Pull>) {
    body.0 -= pull.0;
}

/// Stops the bodies at the ground.
#[system]
pub fn land(mut bodies: Query<(Entity, &mut Body)>, mut grounded: EventWriter<Grounded>) {
    for (entity, body) in &mut bodies {
        if body.0 < 0 {
            body.0 = 0;
            grounded.send(Grounded(entity));
        }
    }
}

/// Counts the runs above the ground.
#[system]
pub fn count_falls(
    bodies: Query<(Entity, &Body)>,
    ground: Res<Ground>,
    mut falls: Storage<Falls>,
    mut fell: EventWriter<Fell>,
) {
    for (entity, _) in bodies.iter().filter(|(_, body)| body.0 > ground.0) {
        let before = falls.get(entity).map_or(0, |falls| falls.0);
        let counted = falls.insert(entity, Falls(before + 1));
        debug_assert!(counted.is_ok(), "it was found alive");
        fell.send(Fell(entity));
    }
}
