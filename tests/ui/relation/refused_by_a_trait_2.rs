//! Several mistakes of one kind (relation) in one program: traits refuse them.
use ecs::prelude::*;
use ecs::ChildOf;
use ecs::Many;

#[derive(Component)]
struct Position(f32);
#[derive(Relation)]
#[relation(exclusive)]
struct Likes(Entity);
#[derive(Component)]
struct CleanUp(u32);
#[derive(Relation)]
#[relation(exclusive, gone = mark(CleanUp))]
struct Attacks(Entity);
#[derive(Relation)]
#[relation(many)]
struct Owes(Entity);

world! {
    struct Game {
        components { ChildOf, Position, likes: Many<Likes>, Attacks, CleanUp, owes: Many<Owes> }
    }
    schedule tick { turn, adopt, forgive }
}

fn get_mut() {
    let mut game = Game::new();
    let root = game.spawn(());
    let child = game.spawn(ChildOf(root));
    game.get_mut::<ChildOf>(child).unwrap().0 = child;
}

#[system(Game)]
fn turn(entity: Entity, mut parent: Mut<ChildOf>) {
    parent.0 = entity;
}

#[system(Game)]
fn adopt(entity: Entity, parent: &mut ChildOf) {
    parent.0 = entity;
}

#[system(Game)]
fn forgive(mut debts: Query<(Entity, &mut Many<Owes>)>) {
    debts.for_each(|_| {});
}

fn target_of_many() {
    let mut game = Game::new();
    let entity = game.spawn(());
    let _ = game.target::<Owes>(entity);
}

fn main() {}
