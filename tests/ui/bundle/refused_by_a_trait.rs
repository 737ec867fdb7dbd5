//! Several mistakes of one kind (bundle) in one program: traits refuse them.
use ecs::prelude::*;

#[derive(Component)]
struct Hull(u32);
#[derive(Component)]
struct Wheel;
#[derive(Component)]
#[component(excludes(Burning))]
struct Frozen;
#[derive(Component)]
#[component(excludes(Frozen))]
struct Burning;
#[derive(Component)]
struct Position;
#[derive(Relation)]
#[relation(many)]
struct Owes(Entity);
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

world! {
    struct Game {
        components {
            Hull, Wheel, ChildOf, Frozen, Burning, Position, owes: Many<Owes>, A, B, C, D, E, F, G,
            H, I, J, K, L, M
        }
    }
    schedule tick { build; }
}

// Children in the bundle of their parent, as in bevy.
#[system(Game)]
fn build(mut commands: Commands<Game>) {
    commands.spawn((Hull(1), children![Wheel, Wheel]));
}

// A bundle with two components that exclude each other.
fn excluded() {
    let mut game = Game::new();
    game.spawn((Frozen, (Position, Burning)));
}

// Spawning a relation with many targets without `Many`.
fn relation_with_many_targets() {
    let mut game = Game::new();
    let bank = game.spawn(());
    game.spawn(Owes(bank));
}

// A tuple of more than twelve components.
fn tuple_of_thirteen() {
    let mut game = Game::new();
    game.spawn((A, B, C, D, E, F, G, H, I, J, K, L, M));
}

fn main() {}
