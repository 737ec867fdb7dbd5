//! A component with `immutable`, changed in place in every way.
use ecs::prelude::*;

#[derive(Component)]
#[component(immutable)]
struct Class(u8);
#[derive(Component)]
#[component(immutable, tracked)]
struct Rank(u8);
#[derive(Component, PartialEq, Eq, Hash)]
#[component(immutable, index)]
struct Team(u8);

world! {
    struct Game { components { Class, Rank, Team } }
    schedule tick { promote, change, desert, changed, written }
}

// A per-entity system.
#[system(Game)]
fn promote(mut rank: Mut<Rank>, class: &mut Class) {
    rank.0 += class.0;
}

// Queries of a system.
#[system(Game)]
fn change(classes: Query<(Entity, &mut Class)>, ranks: Query<&mut Rank>) {
    let _ = (classes, ranks);
}

// An index that does not track its values.
#[system(Game)]
fn desert(teams: Query<Mut<Team>>) {
    let _ = teams;
}

// A filter of changes without `tracked`.
#[system(Game)]
fn changed(class: &Class, _: Changed<Class>) {
    let _ = class;
}

// Writing through a `Storage`.
#[system(Game)]
fn written(entity: Entity, mut teams: Storage<Team>) {
    teams.get_mut(entity).unwrap().0 = 1;
}

// Verbs of the world.
fn by_hand() {
    let mut game = Game::new();
    let hero = game.spawn((Class(1), Rank(1), Team(1)));
    game.get_mut::<Class>(hero).unwrap().0 = 2;
    game.get_tracked::<Rank>(hero).unwrap().0 = 2;
    game.query_mut::<&mut Class>();
    game.query_mut::<&mut Class>().chunks_mut();
    game.columns_mut().class.get_mut(hero).unwrap().0 = 2;
    game.entity_mut(hero).unwrap().get_mut::<Team>().unwrap().0 = 2;
}

fn main() {}
