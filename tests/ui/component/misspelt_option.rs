//! A misspelt option counts as the one that is meant, so that its absence is no second error; fields of
//! bundles that are references; a relation of the library that is changed in place.

use ecs::prelude::*;

#[derive(Component, Clone, PartialEq, Eq, Hash)]
#[component(indexed)]
struct Team(u8);

#[derive(Bundle)]
struct Knight {
    team: Team,
    name: &'static str,
}

world! {
    struct Game { components { Team, ChildOf } }
    schedule tick { look, adopt }
}

#[system(Game)]
fn look(teams: Lookup<Team>) {
    teams.find(&Team(1)).count();
}

#[system(Game)]
fn adopt(mut children: Query<(Entity, &mut ChildOf)>) {
    for (entity, parent) in &mut children {
        parent.0 = entity;
    }
}

fn main() {
    let mut game = Game::new();
    game.spawn(Knight { team: Team(1), name: "Lancelot" });
    game.tick();
}
