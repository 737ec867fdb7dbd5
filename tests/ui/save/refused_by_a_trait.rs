//! Several mistakes of one kind (save) in one program: traits refuse them.
use ecs::prelude::*;
use ecs::save::Selection;
use ecs::save::{DanglingIds, move_entities};
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Event)]
struct Bumped;
#[derive(Default, Clone)]
struct Path(Vec<u8>);
#[derive(Component, Clone, Serialize, Deserialize)]
struct Health(u32);
#[derive(Component, Clone, Serialize, Deserialize)]
struct Mana(u32);
#[derive(Resource)]
struct Window;
#[derive(Component)]
struct Sprite(u8);
#[derive(Component)]
struct Frozen;
#[derive(Resource, Default)]
struct Score(u32);

world! {
    #[derive(Serialize, Deserialize)]
    struct Game {
        components { Position, Velocity }
        events { Bumped(external) }
        resources { window: Window }
    }
    schedule tick { walk }
}

world! {
    struct Forest { components { Health, Mana } }
}

world! {
    struct Town { components { Health } }
}

world! {
    struct SelectionGame { components { Position, Sprite } }
}

world! {
    struct SelectionByAFilterGame {
        components { Position, Frozen }
        resources { Score }
    }
}

// A `Local` of a type without `Serialize` in a world that is saved.
#[system(Game)]
fn walk(mut path: Local<Path>) {
    path.0.push(1);
}

fn move_to_a_world_without_the_component() {
    let (mut forest, mut town) = (Forest::new(), Town::new());
    let elf = forest.spawn((Health(3), Mana(1)));
    let _ = move_entities::<(Health, Mana), _, _>(&mut forest, [elf], &mut town, DanglingIds::Refuse);
}

// Selections of components that are not `Serialize`, that are named with `&`, and of a world that
// is not `Clone`.
fn selection() {
    let mut game = SelectionGame::new();
    let _ = Selection::<SelectionGame>::of::<(Position, Sprite)>();
    let _ = Selection::<SelectionGame>::of::<&Position>();
    let _ = Selection::<SelectionGame>::of::<Position>().baseline(&mut game, 1);
}

// A selection of entities by filters in place of components, and by a resource.
fn selection_by_a_filter() {
    let _ = Selection::<SelectionByAFilterGame>::of::<Position>().with::<With<Frozen>>();
    let _ = Selection::<SelectionByAFilterGame>::of::<Position>().without::<Score>();
}

fn main() {}
