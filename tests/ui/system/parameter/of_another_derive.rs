//! Parameters of types that the file declares as something else than the parameter asks for.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component, Clone, Copy, PartialEq, Eq, Hash)]
#[component(key)]
struct Seat(u32);
#[derive(Resource)]
struct Score(u32);
#[derive(Event)]
struct Hit(u32);
#[derive(States, Clone, PartialEq, Eq, Debug)]
enum Phase {
    Menu,
    Play,
}
#[derive(Query)]
struct Body<'w> {
    position: &'w Position,
}
#[derive(Bundle)]
struct Player {
    position: Position,
    seat: Seat,
}
#[derive(SystemParam)]
struct Stats<'w> {
    score: Res<'w, Score>,
}
struct Underived<'w> {
    score: Res<'w, Score>,
}
struct Borrows<'w> {
    position: &'w Position,
}

world! {
    struct Game {
        components { Position, Seat }
        resources { Score = Score(0), State<Phase> = State::new(Phase::Menu) }
        events { Hit }
    }
    schedule tick {
        transition::<Phase>; write;
        a_component_as_a_resource; a_resource_as_an_event; an_event_as_a_resource;
        a_resource_in_a_query; an_event_in_a_query; a_resource_in_a_filter;
        a_key_to_change; a_state; a_borrowed_state;
        a_query_by_value; a_borrowed_query; a_borrowed_struct; a_bundle;
        without_the_derive; borrows_without_the_derive
    }
}

#[system(Game)]
fn write(mut hits: EventWriter<Hit>, mut read: EventReader<Hit>) {
    hits.send(Hit(read.iter().map(|hit| hit.0).sum()));
}

#[system(Game)]
fn a_component_as_a_resource(position: Res<Position>) {
    println!("{}", position.0);
}

#[system(Game)]
fn a_resource_as_an_event(score: EventReader<Score>) {
    println!("{}", score.iter().count());
}

#[system(Game)]
fn an_event_as_a_resource(mut hit: ResMut<Hit>) {
    hit.0 = 0;
}

#[system(Game)]
fn a_resource_in_a_query(bodies: Query<(&Position, &Score)>) {
    println!("{}", bodies.len());
}

#[system(Game)]
fn an_event_in_a_query(bodies: Query<(&Position, &Hit)>) {
    println!("{}", bodies.len());
}

#[system(Game)]
fn a_resource_in_a_filter(bodies: Query<&Position, With<Score>>) {
    println!("{}", bodies.len());
}

#[system(Game)]
fn a_key_to_change(mut seat: Mut<Seat>) {
    seat.0 += 1;
}

#[system(Game)]
fn a_state(mut phase: ResMut<Phase>) {
    *phase = Phase::Play;
}

#[system(Game)]
fn a_borrowed_state(phase: &Phase) {
    println!("{phase:?}");
}

#[system(Game)]
fn a_query_by_value(body: Body) {
    println!("{}", body.position.0);
}

#[system(Game)]
fn a_borrowed_query(body: &Body) {
    println!("{}", body.position.0);
}

#[system(Game)]
fn a_borrowed_struct(stats: &mut Stats) {
    println!("{}", stats.score.0);
}

#[system(Game)]
fn a_bundle(player: &Player) {
    println!("{} {}", player.position.0, player.seat.0);
}

#[system(Game)]
fn without_the_derive(stats: Underived) {
    println!("{}", stats.score.0);
}

#[system(Game)]
fn borrows_without_the_derive(body: Borrows) {
    println!("{}", body.position.0);
}

fn main() {
    Game::new().tick();
}
