//! Facts of an enum that does not derive `Fact`.
use ecs_mechanics::facts::Facts;

enum Need {
    Hungry,
}

fn main() {
    Facts::new().set(Need::Hungry, true);
}
