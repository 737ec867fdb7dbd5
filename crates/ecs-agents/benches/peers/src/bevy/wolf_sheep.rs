//! Wolf-sheep: the grass and the sheep of each cell are in a resource.

use bevy_ecs::prelude::*;
use ecs_agents::prelude::{Grid, Random, RngExt};

use super::{Draws, Home, Shape, schedule};
use crate::wolf_sheep::{Kind, Rules};

#[derive(Component)]
struct Sheep;
#[derive(Component)]
struct Wolf;
#[derive(Component, Clone, Copy)]
struct Energy(i32);
#[derive(Resource)]
struct Meadow {
    grass: Vec<u32>,
    /// The sheep of each cell.
    sheep: Vec<Vec<Entity>>,
    rules: Rules,
}

fn graze(
    mut sheep: Query<(Entity, &mut Home, &mut Energy), With<Sheep>>,
    (mut meadow, shape, mut draws): (ResMut<Meadow>, Res<Shape>, ResMut<Draws>),
) {
    let (grid, Meadow { grass, sheep: cells, rules }) = (shape.0, &mut *meadow);
    for agent in draws.0.shuffled(sheep.iter().map(|(agent, ..)| agent)) {
        let Ok((_, mut home, mut energy)) = sheep.get_mut(agent) else { continue };
        let cell = grid.random_moore(home.0, 1, &mut draws.0).unwrap();
        let list = &mut cells[grid.index(home.0)];
        list.swap_remove(list.iter().position(|&other| other == agent).unwrap());
        cells[grid.index(cell)].push(agent);
        home.0 = cell;
        let grass = &mut grass[grid.index(cell)];
        if *grass == 0 {
            *grass = rules.regrowth;
            energy.0 += rules.sheep.meal;
        }
    }
}

fn hunt(
    mut wolves: Query<(Entity, &mut Home, &mut Energy), With<Wolf>>,
    mut sheep: Query<&mut Energy, Without<Wolf>>,
    (mut meadow, shape, mut draws): (ResMut<Meadow>, Res<Shape>, ResMut<Draws>),
) {
    let grid = shape.0;
    for agent in draws.0.shuffled(wolves.iter().map(|(agent, ..)| agent)) {
        let Ok((_, mut home, mut energy)) = wolves.get_mut(agent) else { continue };
        home.0 = grid.random_moore(home.0, 1, &mut draws.0).unwrap();
        if let Some(prey) = meadow.sheep[grid.index(home.0)].pop() {
            // an eaten sheep is in no cell, and dies without energy
            sheep.get_mut(prey).unwrap().0 = 0;
            energy.0 += meadow.rules.wolf.meal;
        }
    }
}

fn live(
    mut animals: Query<(Entity, &Home, &mut Energy, Has<Wolf>)>,
    (mut meadow, shape, mut draws): (ResMut<Meadow>, Res<Shape>, ResMut<Draws>),
    mut commands: Commands,
) {
    let (grid, Meadow { sheep, rules, .. }) = (shape.0, &mut *meadow);
    for (agent, home, mut energy, is_wolf) in &mut animals {
        let (Kind { birth, .. }, list) =
            (if is_wolf { rules.wolf } else { rules.sheep }, &mut sheep[grid.index(home.0)]);
        energy.0 -= 1;
        if energy.0 < 0 {
            commands.entity(agent).despawn();
            list.retain(|&other| other != agent);
        } else if draws.0.random_bool(birth) {
            energy.0 /= 2;
            if is_wolf {
                commands.spawn((Home(home.0), *energy, Wolf));
            } else {
                list.push(commands.spawn((Home(home.0), *energy, Sheep)).id());
            }
        }
    }
}

fn grow(mut meadow: ResMut<Meadow>) {
    meadow.grass.iter_mut().for_each(|wait| *wait = wait.saturating_sub(1));
}

/// Calls `each` with the numbers of sheep and of wolves after each step.
pub(crate) fn wolf_sheep(
    seed: u64,
    width: u32,
    numbers: [usize; 2],
    rules: Rules,
    steps: u32,
    mut each: impl FnMut([usize; 2]),
) {
    let (grid, mut random, mut world) = (Grid::torus(width, width), Random::new(seed), World::new());
    let mut meadow = Meadow { grass: Vec::new(), sheep: vec![Vec::new(); grid.len()], rules };
    let full = |random: &mut Random| random.random_bool(0.5);
    meadow.grass.extend(
        (0..grid.len()).map(|_| if full(&mut random) { 0 } else { random.random_range(0..rules.regrowth) }),
    );
    let mut animal =
        |kind: Kind| (Home(grid.random(&mut random)), Energy(random.random_range(0..2 * kind.meal)));
    for _ in 0..numbers[0] {
        let (home, energy) = animal(rules.sheep);
        let place = grid.index(home.0);
        meadow.sheep[place].push(world.spawn((home, energy, Sheep)).id());
    }
    for _ in 0..numbers[1] {
        world.spawn((animal(rules.wolf), Wolf));
    }
    world.insert_resource(meadow);
    world.insert_resource(Draws(random));
    world.insert_resource(Shape(grid));
    let mut schedule = schedule((graze, hunt, live, grow).chain());
    let mut sheep = world.query_filtered::<(), With<Sheep>>();
    let mut wolves = world.query_filtered::<(), With<Wolf>>();
    for _ in 0..steps {
        schedule.run(&mut world);
        each([sheep.iter(&world).len(), wolves.iter(&world).len()]);
    }
}
