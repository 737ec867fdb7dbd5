//! A fact with data, and facts that are no enum.
use ecs_mechanics::facts::Fact;

#[derive(Fact)]
enum Need {
    Hungry,
    HasGold(u32),
}

#[derive(Fact)]
struct Tired;

fn main() {}
