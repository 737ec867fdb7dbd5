//! Families.

use bevy_ecs::prelude::*;

use crate::harness::Suite;
use crate::workload::relations;

#[derive(Component)]
struct Number(u32);

fn planted(count: u32) -> (World, Vec<Entity>) {
    let mut world = World::new();
    let roots = relations::plant(count, |number, parent| match parent {
        Some(parent) => world.spawn((Number(number), ChildOf(parent))).id(),
        None => world.spawn(Number(number)).id(),
    });
    (world, roots)
}

pub(super) fn cases(suite: &mut Suite) {
    suite.case(
        &relations::DESPAWN,
        planted,
        |(world, roots)| {
            for &root in &*roots {
                assert!(world.despawn(root), "it lives");
            }
        },
        |(world, _)| {
            let mut left = world.query::<&Number>();
            left.iter(world).count() as u64
        },
    );
    suite.case(
        &relations::SUM,
        |count| {
            let mut world = planted(count).0;
            let (numbers, parents) = (world.query::<&Number>(), world.query::<&Children>());
            (world, numbers, parents, 0_u64)
        },
        |(world, numbers, parents, sum)| {
            numbers.update_archetypes(world);
            let numbers = numbers.query_manual(world);
            let of = |children: &Children| -> u32 {
                children.iter().filter_map(|child| numbers.get(child).ok()).map(|number| number.0).sum()
            };
            *sum = parents.iter(world).map(|children| u64::from(of(children))).sum();
        },
        |(.., sum)| *sum,
    );
    suite.case(
        &relations::PARENT,
        |count| {
            let mut world = planted(count).0;
            let (numbers, children) = (world.query::<&Number>(), world.query::<&ChildOf>());
            (world, numbers, children, 0_u64)
        },
        |(world, numbers, children, sum)| {
            numbers.update_archetypes(world);
            let numbers = numbers.query_manual(world);
            let of = |child: &ChildOf| numbers.get(child.parent()).map_or(0, |number| number.0);
            *sum = children.iter(world).map(|child| u64::from(of(child))).sum();
        },
        |(.., sum)| *sum,
    );
}
