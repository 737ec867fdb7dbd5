//! Several mistakes of one kind (component) in one program: the macros report them.
use ecs::prelude::*;
use ecs::component::ComponentHook;

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
#[derive(Component)]
#[component(deref)]
struct Position {
    x: f32,
    y: f32,
}
#[derive(Component)]
struct Velocity(f32);
#[derive(Component)]
#[component(disables(Velocity, Velocity))]
struct Stunned;
#[derive(Component)]
#[component(disables(Asleep))]
struct Asleep;
#[derive(Component, Default)]
#[component(excludes(Burning))]
struct Frozen;
#[derive(Component)]
#[component(requires(Frozen), excludes(Frozen))]
struct Burning;
#[derive(Clone, Default)]
struct Count(usize);
impl<T> ComponentHook<T> for Count {
    fn inserted(&mut self, _: Entity, old: Option<&T>, _: &T) {
        self.0 += usize::from(old.is_none());
    }
    fn removed(&mut self, _: Entity, _: &T) {
        self.0 -= 1;
    }
}
#[derive(Component)]
#[component(unique, hook = Count)]
struct Camera(u32);
#[derive(Component, PartialEq, Eq, Hash)]
#[component(index, hook = Count)]
struct Team(u32);
#[derive(Component)]
#[component(tracked, hook = Count)]
struct Weight(u32);
#[derive(Component, PartialEq, Eq, Hash)]
#[component(index, key)]
struct Seat(u32);
#[derive(Component, PartialEq, Eq, Hash)]
#[component(unique, index)]
struct Crown(u32);
#[derive(Component)]
#[component(index = nam)]
struct Person {
    name: String,
}
#[derive(Component)]
struct Armor(u32);
#[derive(Component)]
#[component(requires(armor(3)))]
struct Knight;
#[derive(Component)]
union Bits {
    whole: u32,
    real: f32,
}

world! {
    struct Game { components { Velocity, Stunned, Asleep, Armor, Knight } }
}

// A required component that begins with the result of a function, without its name.
fn armor(points: u32) -> Armor {
    Armor(points)
}

fn main() {}
