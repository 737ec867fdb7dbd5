//! Several mistakes of one kind (query) in one program.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Query)]
struct Mover<'a> {
    position: &'a mut Position,
    velocity: &'a Velocity,
}
type Place = Position;
#[derive(Component)]
struct Frozen;
#[derive(Resource, Default)]
struct Clock(f32);
#[derive(Component)]
struct A;
#[derive(Component)]
struct B;
#[derive(Component)]
struct C;
#[derive(Component)]
struct D;
#[derive(Component)]
struct E;
#[derive(Component)]
struct F;
#[derive(Component)]
struct G;
#[derive(Component)]
struct H;
#[derive(Component)]
struct I;
#[derive(Component)]
struct J;
#[derive(Component)]
struct K;
#[derive(Component)]
struct L;
#[derive(Component)]
struct M;
#[derive(Component)]
struct Mana(u32);
type Wizard<'a> = (&'a mut Position, &'a Mana);

world! {
    struct Game {
        components { Position, Velocity, Frozen, A, B, C, D, E, F, G, H, I, J, K, L, M }
        resources { clock: Clock = Clock::default() }
    }
    schedule tick { movement }
}

// A query that borrows a component mutably, twice.
fn borrows_mutably_twice() {
    let mut game = Game::new();
    for (one, other) in game.query_mut::<(&mut Position, &mut Position)>() {
        std::mem::swap(one, other);
    }
}

// A query that borrows a component that a query struct borrows too.
fn borrows_twice_beside_a_struct() {
    let mut game = Game::new();
    for (mover, position) in game.query_mut::<(Mover, &Position)>() {
        mover.position.0 += position.0;
    }
}

// A query that borrows a component twice, once in a nested tuple.
fn borrows_twice_nested() {
    let mut game = Game::new();
    for (one, (velocity, other)) in game.query_mut::<(&Position, (&Velocity, Option<&mut Position>))>() {
        let _ = (one, velocity, other);
    }
}

// A query that borrows a component twice, once under another name.
fn borrows_twice_through_an_alias() {
    let mut game = Game::new();
    for (one, other) in game.query_mut::<(&mut Position, &Place)>() {
        one.0 += other.0;
    }
}

// A component where a filter is expected.
fn component_as_filter() {
    let mut game = Game::new();
    for position in game.query_mut::<&mut Position>().filter::<Frozen>() {
        position.0 += 1.0;
    }
}

// A shared query of a component by value.
fn component_by_value_shared() {
    let game = Game::new();
    for position in game.query::<Position>() {
        println!("{}", position.0);
    }
}

// A query without elements.
fn empty() {
    let mut game = Game::new();
    for () in game.query_mut::<()>() {}
}

// A filter where query data is expected.
fn filter_as_data() {
    let mut game = Game::new();
    for (position, _) in game.query_mut::<(&mut Position, Without<Frozen>)>() {
        position.0 += 1.0;
    }
}

// A query that borrows a tag mutably.
fn mutable_tag() {
    let mut game = Game::new();
    for frozen in game.query_mut::<&mut Frozen>() {
        let _ = frozen;
    }
}

// A resource where a component is expected.
fn resource_as_data() {
    let game = Game::new();
    for clock in &game.query::<&Clock>() {
        println!("{}", clock.0);
    }
}

// A query that writes, of a world that is borrowed shared.
fn shared_world_mutable_query() {
    let game = Game::new();
    for position in &game.query::<&Position>() {
        println!("{}", position.0);
    }
    for position in game.query::<&mut Position>() {
        position.0 += 1.0;
    }
}

// A query for a tuple of more than twelve elements.
fn tuple_of_thirteen() {
    let game = Game::new();
    println!("{}", game.query::<(&A, &B, &C, &D, &E, &F, &G, &H, &I, &J, &K, &L, &M)>().len());
}

// Two simultaneous queries that borrow one component, one of them mutably.
fn two_queries_clash() {
    let mut game = Game::new();
    let (movers, positions) = game.queries::<((&mut Position, &Velocity), &Position)>();
    let _ = (movers, positions);
}

// A filter by a component that the world does not have.
fn unknown_component_in_a_filter() {
    let mut game = Game::new();
    for position in game.query_mut::<&mut Position>().filter::<With<Mana>>() {
        position.0 += 1.0;
    }
}

// A query for a tuple with a component that the world does not have.
fn unknown_component_in_a_tuple() {
    let mut game = Game::new();
    for (position, mana) in game.query_mut::<(&mut Position, &Mana)>() {
        position.0 += mana.0 as f32;
    }
}

// A query whose alias hides a component that the world does not have.
fn unknown_component_through_an_alias() {
    let mut game = Game::new();
    for (position, mana) in game.query_mut::<Wizard>() {
        position.0 += mana.0 as f32;
    }
}

// `iter` of a query that writes, which needs `iter_mut`.
fn iter_of_mutable_query() {
    let mut game = Game::new();
    let query = game.query_mut::<&mut Position>();
    for position in query.iter() {
        position.0 += 1.0;
    }
}

// A query that writes, iterated by a shared reference.
#[system(Game)]
fn movement(bodies: Query<&mut Position>) {
    for position in &bodies {
        position.0 += 1.0;
    }
}

fn main() {}
