//! Several mistakes of one kind (component) in one program.
use ecs::prelude::*;
use ecs::component::ComponentHook;

#[derive(Component, Default)]
#[component(hook = Load)]
struct Weight(u32);
#[derive(Clone, Default)]
struct Load {
    sum: u32,
}
impl ComponentHook<Weight> for Load {
    fn inserted(&mut self, _: Entity, old: Option<&Weight>, new: &Weight) {
        self.sum = self.sum - old.map_or(0, |old| old.0) + new.0;
    }
    fn removed(&mut self, _: Entity, old: &Weight) {
        self.sum -= old.0;
    }
}
#[derive(Component)]
#[component(requires(Weight(3)))]
struct Barrel;
#[derive(Component, Default)]
#[component(unique)]
struct Camera;
#[derive(Component)]
#[component(requires(Camera))]
struct Player;
#[derive(Component, Default)]
#[component(requires(Velocity))]
struct Position(f32);
#[derive(Component, Default)]
#[component(requires(Mass))]
struct Velocity(f32);
#[derive(Component, Default)]
#[component(requires(Position))]
struct Mass(f32);
#[derive(Component)]
struct Armor(u32);
#[derive(Component)]
#[component(requires(Armor = 3))]
struct Knight;

world! {
    struct Ship { components { Weight, Barrel } }
}

world! {
    struct Game { components { Player, Camera, Armor, Knight } }
}

world! {
    struct RequiresCycleGame { components { Position, Velocity, Mass } }
}

fn main() {}
