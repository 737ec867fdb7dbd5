//! Families.

use ecs::prelude::*;
use ecs::{ChildOf, Sources, Target, TargetOf};

use crate::harness::Suite;
use crate::workload::relations;

#[derive(Component)]
struct Number(u32);

world! {
    struct Families { components { Number, ChildOf } }
}

fn planted(count: u32) -> (Families, Vec<Entity>) {
    let mut game = Families::new();
    let roots = relations::plant(count, |number, parent| match parent {
        Some(parent) => game.spawn((Number(number), ChildOf(parent))),
        None => game.spawn(Number(number)),
    });
    (game, roots)
}

pub(super) fn cases(suite: &mut Suite) {
    suite.case(
        &relations::DESPAWN,
        planted,
        |(game, roots)| {
            for &root in &*roots {
                game.despawn(root).expect("it lives");
            }
        },
        |(game, _)| game.entities().len() as u64,
    );
    suite.case(
        &relations::SUM,
        |count| (planted(count).0, 0_u64),
        |(game, sum)| {
            let numbers = game.query::<&Number>().into_query();
            let parents = game.query::<Sources<'_, ChildOf>>().filter::<TargetOf<ChildOf>>();
            let of = |children: Sources<'_, ChildOf>| -> u32 {
                children.into_iter().filter_map(|&child| numbers.get(child)).map(|number| number.0).sum()
            };
            *sum = parents.into_query().iter().map(|children| u64::from(of(children))).sum();
        },
        |(_, sum)| *sum,
    );
    suite.case(
        &relations::PARENT,
        |count| (planted(count).0, 0_u64),
        |(game, sum)| {
            let parents = game.query::<Target<ChildOf, &Number>>().into_query();
            *sum = parents.iter().map(|parent| u64::from(parent.0)).sum();
        },
        |(_, sum)| *sum,
    );
}
