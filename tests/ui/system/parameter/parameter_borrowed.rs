//! Parameters of the library behind a reference.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Component)]
struct Frozen;
#[derive(Component)]
#[component(tracked)]
struct Health(u32);
#[derive(Resource, Default)]
struct Clock;
#[derive(Event)]
struct Bumped;
#[derive(Query)]
struct Mover<'a> {
    position: &'a mut Position,
    velocity: &'a Velocity,
}

world! {
    struct Game {
        components { Position, Velocity, Frozen, Health }
        resources { clock: Clock = Clock }
        events { Bumped }
    }
    schedule tick { whole, per_entity, of_any_world, of_one_of_several, twice }
}

#[system(Game)]
fn whole(positions: &Query<&Position>, clock: &mut ResMut<Clock>, commands: &mut Commands<Game>) {}

#[system(Game)]
fn per_entity(entity: &Entity, health: &mut Mut<Health>, mover: &mut Each<Mover>, _: &Without<Frozen>) {}

#[system]
fn of_any_world(bumped: &mut EventReader<Bumped>, frozen: &mut Storage<Frozen>) {}

#[system(W)]
fn of_one_of_several<W: World>(commands: &mut Commands<W>) {}

#[system(Game)]
fn twice(position: &&Position, velocity: &Option<&Velocity>) {}

fn main() {}
