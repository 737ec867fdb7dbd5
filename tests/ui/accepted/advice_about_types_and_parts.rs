//! What the messages about types of another derive and about the names of parts say to write.
use ecs::prelude::*;
use ecs::relation::{Bubbling, bubble};
use ecs::{RelatedTo, Target, Up};

#[derive(Component)]
pub struct A;
#[derive(Component)]
struct B;
#[derive(Component)]
struct Position(f32);
#[derive(Component, Clone, Copy, PartialEq, Eq, Hash)]
#[component(key)]
struct Seat(u32);
#[derive(Component, Clone, Copy, PartialEq, Eq, Hash)]
#[component(index)]
struct Team(u32);
#[derive(Component)]
#[component(index = team)]
struct Member {
    team: u32,
}
#[derive(Component)]
#[component(hidden)]
struct Secret(u32);
#[derive(Component)]
struct Ship;
#[derive(Relation)]
#[relation(exclusive)]
struct Follows(Entity);
#[derive(Resource)]
#[resource(tracked)]
struct Score(u32);
#[derive(Clone, Event)]
struct Click;
#[derive(States, Clone, PartialEq, Eq, Debug)]
enum Phase {
    Menu,
    Play,
}
#[derive(States, Clone, PartialEq, Eq, Debug)]
enum Turn {
    Player,
    Enemy,
}
#[derive(Query)]
struct Body<'w> {
    position: &'w mut Position,
}
#[derive(SystemParam)]
struct Stats<'w> {
    score: ResMut<'w, Score>,
}
type Moving = (With<A>, Without<B>);

parts! {
    physics {
        components { Position }
        schedule step { fall }
        schedule simulation { fall }
    }
}

mod bodies_of_all {
    use super::A;
    use ecs::prelude::*;

    parts! {
        pub bodies { components { A } }
    }
}

#[system]
fn fall(position: &mut Position) {
    position.0 -= 1.0;
}

world! {
    struct Game {
        include physics;
        include bodies_of_all::bodies;
        components { B, Seat, Team, Member, Secret, ChildOf, Follows, Ship }
        events { Bubbling<Click>(external) }
        resources {
            Score = Score(0),
            State<Phase> = State::new(Phase::Menu),
            State<Turn> = State::new(Turn::Player)
        }
    }
    observers { press, bubble::<Click, ChildOf> } max 16
    schedule tick {
        include step;
        transition::<Phase>; transition::<Turn>;
        sit, show, push, change, gather, follow, count, play, look
    }
}

#[system(Game)]
fn press(mut clicks: EventReader<Bubbling<Click>>, mut score: ResMut<Score>) {
    score.0 += clicks.iter().count() as u32;
}

#[system(Game)]
fn sit(seat: &Seat, mut score: ResMut<Score>) {
    score.0 += seat.0;
}

#[system(Game)]
fn show(phase: Res<State<Phase>>, turn: Res<State<Turn>>) {
    println!("{:?} {:?}", **phase, **turn);
}

#[system(Game)]
fn push(mut body: Each<Body>) {
    body.position.0 += 1.0;
}

#[system(Game)]
fn change(mut teams: Query<(Mut<Team>, &Seat)>) {
    for (mut team, seat) in &mut teams {
        team.0 = seat.0;
    }
}

#[system(Game)]
fn gather(children: Sources<ChildOf>) {
    println!("{}", children.len());
}

#[system(Game)]
fn follow(
    leader: Query<Target<Follows, &Position>, RelatedTo<Follows, With<A>>>,
    ship: Query<Up<ChildOf, (&Position, &Ship)>>,
    followers: Query<Sources<Follows, (Entity, &Position)>>,
) {
    println!("{}", leader.iter().map(|leader| leader.0).sum::<f32>());
    println!("{}", ship.iter().map(|ship| ship.0.0).sum::<f32>());
    println!("{}", followers.iter().map(|followers| followers.values().count()).sum::<usize>());
}

#[system(Game)]
fn count(mut stats: Stats) {
    stats.score.0 += 1;
}

#[system(Game)]
fn play(mut phase: ResMut<State<Phase>>, mut turn: ResMut<State<Turn>>) {
    phase.set(Phase::Play).expect("is allowed");
    turn.set(Turn::Enemy).expect("is allowed");
}

#[system(Game)]
fn look(positions: Query<&Position, Moving>) {
    println!("{}", positions.iter().count());
}

pub fn main() {
    let mut game = Game::new();
    let moving = game.spawn((A, Position(0.0)));
    let seat = game.spawn((B, Seat(1), Team(0), Member { team: 2 }, Secret(0)));
    game.send(Bubbling::new(seat, Click));
    game.tick();
    assert!(game.find::<Member>(&2).eq([seat]));
    assert_eq!(game.get::<Position>(moving).map(|position| position.0), Some(0.0));
}
