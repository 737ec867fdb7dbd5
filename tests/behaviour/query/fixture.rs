//! A world of four components, with several entities for each subset of them.

use ecs::prelude::*;

#[derive(Component, Clone, PartialEq, Debug)]
pub struct A(pub u32);
#[derive(Component, Clone, PartialEq, Debug)]
pub struct B(pub u64);
#[derive(Component, Clone, PartialEq, Debug)]
pub struct C(pub String);
/// A tag.
#[derive(Component, Clone, PartialEq, Debug)]
pub struct D;

world! {
    #[derive(Clone)]
    pub struct Four {
        components { A, B, C, D }
    }
}

/// An entity and the components that it should have: bit 0 for `A` up to bit 3 for `D`.
pub type Expected = Vec<(Entity, u8)>;

pub fn has(bits: u8, component: u8) -> bool {
    bits >> component & 1 == 1
}

fn values(n: usize) -> (A, B, C, D) {
    (A(n as u32), B(n as u64 * 10), C(format!("c{n}")), D)
}

fn spawn(world: &mut Four, bits: u8, n: usize) -> Entity {
    let (a, b, c, d) = values(n);
    match bits {
        0 => world.spawn(()),
        1 => world.spawn(a),
        2 => world.spawn(b),
        3 => world.spawn((a, b)),
        4 => world.spawn(c),
        5 => world.spawn((a, c)),
        6 => world.spawn((b, c)),
        7 => world.spawn((a, b, c)),
        8 => world.spawn(d),
        9 => world.spawn((a, d)),
        10 => world.spawn((b, d)),
        11 => world.spawn((a, b, d)),
        12 => world.spawn((c, d)),
        13 => world.spawn((a, c, d)),
        14 => world.spawn((b, c, d)),
        _ => world.spawn((a, b, c, d)),
    }
}

/// Inserts the components of `bits` one by one.
pub fn give(world: &mut Four, entity: Entity, bits: u8, n: usize) {
    let (a, b, c, d) = values(n);
    if has(bits, 0) {
        world.insert(entity, a).unwrap();
    }
    if has(bits, 1) {
        world.insert(entity, b).unwrap();
    }
    if has(bits, 2) {
        world.insert(entity, c).unwrap();
    }
    if has(bits, 3) {
        world.insert(entity, d).unwrap();
    }
}

/// Every subset `count` times, spawned with its components: full words of one allocation group.
pub fn by_kind(count: usize) -> (Four, Expected) {
    let mut world = Four::new();
    let mut expected = Expected::new();
    for bits in 0..16 {
        for n in 0..count {
            expected.push((spawn(&mut world, bits, n), bits));
        }
    }
    (world, expected)
}

/// Every subset `count` times, spawned empty, with components inserted later: words of mixed
/// subsets.
pub fn by_insertion(count: usize) -> (Four, Expected) {
    let mut world = Four::new();
    let mut expected = Expected::new();
    for n in 0..count {
        for bits in 0..16 {
            let entity = world.spawn(());
            give(&mut world, entity, bits, n);
            expected.push((entity, bits));
        }
    }
    (world, expected)
}

/// Every subset, made by removing components, after every third entity was despawned.
pub fn by_removal(count: usize) -> (Four, Expected) {
    let mut world = Four::new();
    let mut expected = Expected::new();
    for n in 0..count * 16 {
        let bits = (n % 16) as u8;
        let entity = spawn(&mut world, 15, n);
        if n % 3 == 0 {
            world.despawn(entity).unwrap();
            continue;
        }
        if !has(bits, 0) {
            world.remove::<A>(entity).unwrap();
        }
        if !has(bits, 1) {
            world.remove::<B>(entity).unwrap();
        }
        if !has(bits, 2) {
            world.remove::<C>(entity).unwrap();
        }
        if !has(bits, 3) {
            world.remove::<D>(entity).unwrap();
        }
        expected.push((entity, bits));
    }
    (world, expected)
}

/// All three worlds: with full words, mixed words, and words with holes.
pub fn all() -> Vec<(Four, Expected)> {
    vec![by_kind(1), by_kind(130), by_insertion(9), by_removal(40), by_kind(0)]
}

/// The entities whose components satisfy `wanted`, in the order of queries.
pub fn expect(expected: &Expected, wanted: impl Fn(u8) -> bool) -> Vec<Entity> {
    let mut entities: Vec<Entity> =
        expected.iter().filter(|(_, bits)| wanted(*bits)).map(|(entity, _)| *entity).collect();
    entities.sort();
    entities
}
