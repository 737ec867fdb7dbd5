//! Several mistakes of one kind (meta aspect) in one program: the macros report them.
use ecs::prelude::*;
use ecs::MetaAspect;

#[derive(Component, Default)]
struct Health {
    now: u32,
    max: u32,
}
#[derive(Component, Default)]
struct Speed(u32);
#[derive(MetaAspect)]
enum Mind {
    Strong(Health),
    Fast(Speed),
    Weak(Health),
}
#[derive(MetaAspect)]
enum Empty {}
#[derive(MetaAspect)]
struct Struct {
    health: Health,
}
#[derive(MetaAspect)]
enum VariantOfTwo {
    Fast(Health, Speed),
    Slow(Health),
}

fn main() {}
