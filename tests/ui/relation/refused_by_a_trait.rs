//! Several mistakes of one kind (relation) in one program: traits refuse them.
use ecs::prelude::*;
use ecs::Many;
use ecs::Sources;
use ecs::relation::{Propagate, propagate_changed};

#[derive(Component)]
struct Gold(u32);
#[derive(Component)]
struct Wheel;
struct Rim;
#[derive(Component)]
struct Position(f32);
#[derive(Relation)]
#[relation(many)]
pub struct Likes(Entity);
#[derive(Relation)]
#[relation(many)]
struct Owes(Entity);
#[derive(Component, Default)]
struct CleanUp;
#[derive(Relation)]
#[relation(many, gone = mark(CleanUp))]
struct Knows(Entity);
#[derive(Relation)]
#[relation(exclusive, gone = mark(CleanUp))]
struct Attacks(Entity);
#[derive(Relation)]
#[relation(exclusive)]
#[component(tracked)]
struct Follows(Entity);
#[derive(Component)]
struct Offset(i32);
#[derive(Component, Clone)]
struct Place(i32);
impl Propagate for Offset {
    type Combined = Place;
    fn combine(&self, above: Option<&Place>) -> Place {
        Place(above.map_or(0, |above| above.0) + self.0)
    }
}
#[derive(Relation)]
#[relation(exclusive, symmetric)]
struct MarriedTo(Entity);

world! {
    struct Town { components { ChildOf, Gold } }
    schedule tick { found }
}

world! {
    struct Game {
        components {
            Wheel, Position, likes: Many<Likes>, Owes, knows: Many<Knows>, Attacks, Follows
        }
    }
    schedule tick { watch, turn, look }
}

world! {
    struct Race { components { Wheel, ChildOf } }
}

world! {
    struct Room { components { ChildOf, Offset, Place } }
    schedule frame { propagate_changed::<Offset, ChildOf> }
}

// A relation in place of its constructor, behind which children are listed.
#[system(Town)]
fn found(mut commands: Commands<Town>) {
    let town = commands.spawn(());
    commands.spawn_with_children(Gold(1), ChildOf(town), children![Gold(2) => [Gold(3)]]);
}

// Children with a relation that the world does not have, and a child that is no component.
fn children_of_no_relation() {
    Game::new().spawn_with_children(Wheel, ChildOf, children![Wheel]);
    Race::new().spawn_with_children(Wheel, ChildOf, children![Wheel => [Wheel, Rim]]);
}

// A relation with many targets that is listed itself, not as `Many`.
#[system(Game)]
pub fn watch(likes: &Likes) {}

fn edge_as_component() {
    let game = Game::new();
    game.query::<(&Position, &Likes)>();
}

#[system(Game)]
fn turn(entity: Entity, mut follows: Mut<Follows>) {
    follows.0 = entity;
}

fn related_by_a_component() {
    let mut game = Game::new();
    let entity = game.spawn(Position(0.0));
    let _ = game.sources::<Position>(entity);
}

#[system(Game)]
fn look(positions: Query<(Entity, Sources<Position>)>) {
    let _ = positions.len();
}

fn main() {}
