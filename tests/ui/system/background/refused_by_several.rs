//! Several mistakes of one kind (system, background) in one program.
use ecs::prelude::*;

#[derive(Component, Clone)]
struct Position(f32);
#[derive(Resource, Clone, Default)]
struct Map(Vec<f32>);
#[derive(Event, Clone)]
struct Bumped;
type Changing<'w> = Query<'w, &'static mut Position>;
#[derive(SystemParam)]
struct Seen<'w> {
    bodies: Query<'w, &'static Position>,
    map: Res<'w, Map>,
}

world! {
    #[derive(Clone)]
    struct Game {
        components { Position }
        resources { Map }
        events { Bumped(external) }
    }
    schedule tick {
        plan, fails_in_a_schedule_without_result, with_a_struct_of_parameters, refused_by_the_macro,
        with_a_populated, with_a_query_that_writes, with_a_resource_that_it_changes, with_a_single,
        with_a_value, with_a_wrong_time, plan_at_once, plan_later, plan_twice,
        with_an_element_that_writes, with_an_event_reader, with_commands, with_par, with_the_world,
        without_a_time
    }
}

#[system(Game, background(ticks = 3))]
fn plan(mut positions: Changing<'_>) {
    positions.iter_mut().for_each(|position| position.0 += 1.0);
}

#[system(Game, background(ticks = 3))]
fn fails_in_a_schedule_without_result(positions: Query<&Position>) -> Result<(), String> {
    if positions.is_empty() { Err("nobody".to_owned()) } else { Ok(()) }
}

#[system(Game, background(ticks = 3))]
fn with_a_struct_of_parameters(seen: Seen) {
    println!("{} {}", seen.bodies.len(), seen.map.0.len());
}

#[system(Game, background(ticks = 3))]
fn refused_by_the_macro(mut both: ParamSet<(Query<&Position>, Query<Entity>)>) {
    println!("{}", both.p0().len());
}

#[system(Game, background(ticks = 3))]
fn with_a_populated(bodies: Populated<&Position>) {
    println!("{}", bodies.len());
}

#[system(Game, background(ticks = 3))]
fn with_a_query_that_writes(mut positions: Query<(Entity, &mut Position)>) {
    positions.iter_mut().for_each(|(_, position)| position.0 += 1.0);
}

#[system(Game, background(ticks = 3))]
fn with_a_resource_that_it_changes(positions: Query<&Position>, mut map: ResMut<Map>) {
    map.0.push(positions.len() as f32);
}

#[system(Game, background(ticks = 3))]
fn with_a_single(player: Single<&Position>) {
    println!("{}", player.0);
}

#[system(Game, background(ticks = 3))]
fn with_a_value(positions: Query<&Position>) -> usize {
    positions.len()
}

#[system(Game, background(after = 3))]
fn with_a_wrong_time(positions: Query<&Position>) {
    let _ = positions.len();
}

#[system(Game, background(ticks = 0))]
fn plan_at_once(positions: Query<&Position>) {
    let _ = positions.len();
}

#[system(Game, background(ticks = "3"))]
fn plan_later(positions: Query<&Position>) {
    let _ = positions.len();
}

#[system(Game, background(ticks = 3, when_done))]
fn plan_twice(positions: Query<&Position>) {
    let _ = positions.len();
}

#[system(Game, background(ticks = 3))]
fn with_an_element_that_writes(position: &mut Position) {
    position.0 += 1.0;
}

#[system(Game, background(ticks = 3))]
fn with_an_event_reader(mut bumped: EventReader<Bumped>) {
    bumped.clear();
}

#[system(Game, background(ticks = 3))]
fn with_commands(positions: Query<&Position>, mut commands: Commands<Game>) {
    commands.spawn(Position(positions.len() as f32));
}

#[system(Game, par, background(ticks = 3))]
fn with_par(position: &Position, mut commands: ParCommands<Game>) {
    let x = position.0;
    commands.run(move |game| game.resource_mut::<Map>().0.push(x));
}

#[system(Game, background(ticks = 3))]
fn with_the_world(game: &mut Game) {
    game.spawn(Position(1.0));
}

#[system(Game, background)]
fn without_a_time(positions: Query<&Position>) {
    let _ = positions.len();
}

fn main() {}
