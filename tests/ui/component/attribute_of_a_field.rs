//! Options that stand before the item, before a field or a variant, and attributes of other derives.
use ecs::prelude::*;

#[derive(Component)]
struct Likes {
    #[target]
    whom: Entity,
}
#[derive(Component)]
enum Name {
    #[component(tracked)]
    Short { #[component(index)] id: u32 },
}
#[derive(Relation)]
#[relation(exclusive)]
#[target]
struct Guards {
    #[relation(target)]
    whom: Entity,
}
#[derive(Resource)]
struct Clock {
    #[resource(skip)]
    cached: f32,
}
#[derive(Event)]
struct Hit {
    #[event(target)]
    target: Entity,
}

fn main() {}
