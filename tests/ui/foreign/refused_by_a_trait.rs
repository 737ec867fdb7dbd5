//! Several mistakes of one kind (foreign) in one program: traits refuse them.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Frozen;
#[derive(Component)]
struct Velocity(f32);
#[derive(Resource, Default)]
struct Clock {
    step: f32,
}
#[derive(Event)]
struct Bumped;
struct Physics;
impl Plugin for Physics {
    fn build(&self, app: &mut App) {
        app.add_systems(Update, movement).init_resource::<u32>();
    }
}

world! {
    struct Game {
        components { Position, Frozen, Velocity, ChildOf }
        resources { clock: Clock = Clock::default() }
        events { Bumped(external) }
    }
    schedule tick { thaw, steer, spawner, movement, clear, arm, show, follow, walk }
}

// Commands that are called on the result of a command, as in bevy.
#[system(Game)]
fn thaw(mut commands: Commands<Game>, all: Query<Entity, With<Frozen>>) {
    for entity in &all {
        commands.insert(entity, Position(0.0)).remove::<Frozen>(entity);
    }
}

// Methods that `Commands` has in bevy.
#[system(Game)]
fn steer(balls: Query<Entity, With<Position>>, mut commands: Commands<Game>) {
    for ball in &balls {
        commands.get_entity(ball).unwrap().despawn();
        commands.add(|game: &mut Game| game.resource_mut::<Clock>().step = 1.0);
    }
    commands.queue(|game| println!("{}", game.is_ready()));
    commands.insert_resource(Clock { step: 1.0 });
    commands.init_resource::<Clock>();
    commands.spawn_empty().insert(Position(0.0));
    commands.send_event(Bumped);
    commands.trigger(Bumped);
    commands.delayed().secs(1.0).spawn(Position(0.0));
}

// Methods of other libraries, called on what `spawn` returns: the id of an entity.
#[system(Game)]
fn spawner(mut commands: Commands<Game>, all: Query<Entity, With<Position>>) {
    let _ = commands.spawn(Position(1.0)).id();
    commands.spawn(Position(1.0)).insert(Velocity(0.0)).insert(Velocity(1.0));
    commands.spawn(Position(1.0)).with_children(|parent| {
        parent.spawn(Position(2.0));
    });
    for entity in &all {
        entity.remove::<Velocity>();
        entity.despawn();
    }
}

fn entity() {
    let mut game = Game::new();
    let (a, b) = (game.spawn(Position(0.0)), game.spawn(Position(0.0)));
    a.add_child(b);
    println!("{}", a.is_alive());
}

// `entity` and `entity_mut` return a `Result`.
fn entity_result() {
    let mut game = Game::new();
    let ball = game.spawn(());
    game.entity_mut(ball).insert(Position(0.0));
    println!("{}", game.entity(ball).get::<Position>().unwrap().0);
}

// An app, a plugin and a builder of entities.
#[system(Game)]
fn movement(position: &mut Position) {
    position.0 += 1.0;
}

fn programs() {
    let mut game = Game::new();
    let mut builder = EntityBuilder::new();
    builder.add(Position(1.0));
    game.spawn(builder.build());
    App::new().add_plugins(Physics).run();
}

// Methods of worlds and of other libraries on commands, the commands of an entity, queries and
// their iterators.
#[system(Game)]
fn clear(mut commands: Commands<Game>) {
    commands.clear();
    commands.insert_batch(vec![(Entity::from_bits(1).unwrap(), Position(1.0))]);
    let position = commands.get_mut::<Position>(Entity::from_bits(1).unwrap()).unwrap();
    position.0 = 1.0;
}

#[system(Game)]
fn arm(all: Query<Entity>, mut commands: Commands<Game>) {
    for entity in &all {
        commands.entity(entity).queue(|mut entity: EntityWorldMut| {
            entity.insert(Velocity(1.0));
        });
        commands.entity(entity).despawn_related::<Children>();
        commands.spawn(Position(0.0)).observe(|added: On<Position>| println!("added"));
    }
}

#[system(Game)]
fn show(positions: Query<(Entity, &Position)>) {
    println!("{}", positions[0].1.0);
    for (entity, position) in positions.iter().sort::<Entity>() {
        println!("{entity} {}", position.0);
    }
}

#[system(Game)]
fn follow(children: Query<&ChildOf>) {
    for child in &children {
        println!("{}", child.parent());
    }
}

fn receivers() {
    let mut game = Game::new();
    // a chain is one mistake
    game.add_event::<u32>().init_resource::<u32>().add_systems((), clear);
    println!("{}", game.len());
}

// Methods that relations have in bevy.
#[system(Game)]
fn walk(roots: Query<Entity, Without<ChildOf>>, tree: Related<ChildOf>) {
    for root in &roots {
        for child in tree.children(root) {
            println!("{child} {}", tree.parent(child).unwrap());
        }
        tree.iter_descendants(root).for_each(|entity| println!("{entity}"));
    }
}

// Methods of other libraries, called on a schedule that is built at run time.
fn schedule() {
    let mut schedule = Schedule::<Game>::new("update");
    schedule.add_systems(movement);
}

// Methods of bevy for values and entities that may be there or not.
fn or_not(mut game: Game, entity: Entity, mut commands: Commands<Game>) {
    game.try_insert(entity, Frozen);
    commands.try_insert(entity, Frozen);
    commands.try_despawn(entity);
    commands.entity(entity).try_insert(Frozen).try_despawn();
}

fn main() {}
