//! Several mistakes of one kind (foreign) in one program: the macros report them.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(QueryData)]
#[query_data(mutable)]
struct Body {
    position: &'static mut Position,
}
#[derive(Component, Deref, DerefMut)]
struct Velocity(f32);
#[derive(Message)]
struct Hit;
#[derive(SystemSet, Debug, Clone, PartialEq, Eq, Hash)]
enum Phase {
    Physics,
}
#[derive(SubStates, Default)]
#[source(Phase = Phase::Physics)]
enum Turn {
    #[default]
    Player,
    Monsters,
}
#[derive(Unique)]
struct Score(u32);
#[derive(Component)]
struct TypesVelocity(f32);
#[derive(Resource)]
struct TypesScore(u32);
#[derive(Event)]
struct TypesHit(u32);
#[derive(States)]
enum Screen {
    Menu,
    Play,
}

world! {
    struct Game {
        components { Position, Velocity, TypesVelocity }
        resources {
            Score = Score(0), TypesScore = TypesScore(0), State<Screen> = State::new(Screen::Menu)
        }
        events { Hit(external), TypesHit(external) }
    }
    schedule tick { movement, drag; }
    schedule types_tick { start, drift, welcome, count, clear, jump, lend, sort }
}

// Derives of bevy and shipyard.
#[system(Game)]
fn movement(mut bodies: Query<Body>) {
    for body in &mut bodies {
        body.position.0 += 1.0;
    }
}

#[system(Game)]
fn drag(velocity: &mut Velocity, mut hits: EventReader<Hit>) {
    **velocity *= 0.9;
    for _ in &mut hits {}
}

// Types of bevy, hecs, specs, legion and shipyard in the parameters of systems.
#[system(Game)]
fn start(mut next: ResMut<NextState<Screen>>) {
    next.set(Screen::Play);
}

#[system(Game)]
fn drift(mut positions: ViewMut<Position>, velocities: View<TypesVelocity>) {
    for (position, velocity) in (&mut positions, &velocities).iter() {
        position.0 += velocity.0;
    }
}

#[system(Game)]
fn welcome(new: Query<Entity, (With<Position>, Spawned)>) {
    println!("{}", new.len());
}

#[system(Game)]
fn count(positions: Query<&Position>, mut score: Write<TypesScore>) {
    score.0 = positions.len() as u32;
}

#[system(Game)]
fn clear(mut hits: ResMut<Events<TypesHit>>) {
    for hit in hits.drain() {
        println!("{}", hit.0);
    }
}

#[system(Game)]
fn jump(keys: Res<ButtonInput<KeyCode>>) {
    println!("{}", keys.just_pressed(KeyCode::Space));
}

#[system(Game)]
fn lend(children: Query<&Children, With<Position>>) {
    println!("{}", children.len());
}

#[system(Game)]
fn sort(added: On<Add, Position>) {
    println!("{}", added.entity);
}

fn main() {}
