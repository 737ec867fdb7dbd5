//! The corrected types that messages about misplaced types advise, and types of the user with names of the library.

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
}

mod own {
    use ecs::prelude::*;

    #[derive(Component)]
    pub struct Storage(pub u32);
    #[derive(Component)]
    pub struct Added<T: Send + Sync + 'static>(pub T);

    world! {
        struct Shop { components { Storage, count: self::Added<u32> } }
    }

    #[system(Shop)]
    pub fn stock(storage: &mut Storage, added: &self::Added<u32>, _: With<self::Added<u32>>) {
        storage.0 += added.0;
    }
}

#[system(Game)]
fn whole(positions: Query<&Position>, mut clock: ResMut<Clock>, mut commands: Commands<Game>) {
    *clock = Clock;
    commands.spawn(Position(positions.len() as f32));
}

#[system(Game)]
fn per_entity(entity: Entity, mut health: Mut<Health>, velocity: Option<&Velocity>, _: Without<Frozen>) {
    health.0 += u32::from(velocity.is_some()) + entity.slot();
}

#[system(Game)]
fn of_a_struct(mut mover: Each<Mover>, _: With<Frozen>) {
    mover.position.0 += mover.velocity.0;
}

#[system]
fn of_any_world(mut bumped: EventReader<Bumped>, mut frozen: Storage<Frozen>, velocities: Query<(Entity, &Velocity)>) {
    for (_, (entity, _)) in bumped.iter().zip(&velocities) {
        frozen.insert(entity, Frozen).ok();
    }
}

#[system(W)]
fn of_one_of_several<W: World>(mut commands: Commands<W>) {
    commands.spawn(());
}

#[system(Game)]
fn queries(
    mut frozen: Query<&mut Position, With<Frozen>>,
    all: Query<Entity, With<Frozen>>,
    three: Query<(&Velocity, &Health)>,
    _clock: Res<Clock>,
) {
    for position in &mut frozen {
        position.0 += (all.len() + three.len()) as f32;
    }
}

#[system(Game)]
fn filters(_: Without<Frozen>, _: Without<Health>, _: Not<Or<(With<Frozen>, With<Health>)>>, _: With<Position>) {}

#[system(Game)]
fn the_world(game: &mut Game) {
    game.spawn(());
}

pub fn main() {}
