//! Forest fire and wolf-sheep on krABMaga, after its own examples of these models: fields with a
//! state to read and one to write, and agents in a priority queue. The rules and the generator of
//! random numbers are those of this crate.

use std::any::Any;
use std::cell::RefCell;
use std::collections::HashSet;
use std::hash::{Hash, Hasher};

use ecs_agents::prelude::{Cell, Grid, Random, RngExt};
use krabmaga::engine::agent::Agent;
use krabmaga::engine::fields::dense_number_grid_2d::DenseNumberGrid2D;
use krabmaga::engine::fields::dense_object_grid_2d::DenseGrid2D;
use krabmaga::engine::fields::field::Field;
use krabmaga::engine::fields::grid_option::GridOption;
use krabmaga::engine::location::Int2D;
use krabmaga::engine::schedule::Schedule;
use krabmaga::engine::state::State;

use crate::arrays::fire::{ASH, BURNING, GREEN};
use crate::wolf_sheep::{Kind, Rules};

/// Implements the methods of a state that every model writes.
macro_rules! casts {
    () => {
        fn as_any(&self) -> &dyn Any {
            self
        }
        fn as_any_mut(&mut self) -> &mut dyn Any {
            self
        }
        fn as_state(&self) -> &dyn State {
            self
        }
        fn as_state_mut(&mut self) -> &mut dyn State {
            self
        }
        fn reset(&mut self) {}
    };
}

struct Forest {
    trees: DenseNumberGrid2D<u8>,
    start: Vec<u8>,
}

impl State for Forest {
    casts!();
    fn init(&mut self, schedule: &mut Schedule) {
        for (&tree, place) in self.start.iter().zip(0..) {
            let (x, y) = (place % self.trees.width, place / self.trees.width);
            self.trees.set_value_location(tree, &Int2D { x, y });
        }
        schedule.schedule_repeating(Box::new(Spread), 0.0, 0);
    }
    fn update(&mut self, _: u64) {
        self.trees.lazy_update();
    }
}

#[derive(Clone)]
struct Spread;

impl Agent for Spread {
    fn step(&mut self, state: &mut dyn State) {
        let trees = &state.as_any().downcast_ref::<Forest>().unwrap().trees;
        trees.iter_values(|at, &tree| {
            if tree == BURNING {
                trees.set_value_location(ASH, at);
                for (dx, dy) in [(0, -1), (-1, 0), (1, 0), (0, 1)] {
                    let near = Int2D { x: at.x + dx, y: at.y + dy };
                    let inside = near.x >= 0 && near.y >= 0 && near.x < trees.width && near.y < trees.height;
                    if inside && trees.get_value(&near) == Some(GREEN) {
                        trees.set_value_location(BURNING, &near);
                    }
                }
            } else if trees.get_value_unbuffered(at).is_none() {
                trees.set_value_location(tree, at);
            }
        });
    }
}

pub(crate) fn fire(seed: u64, width: u32, density: f64, steps: u32) -> Vec<u64> {
    let start = crate::arrays::fire::forest(seed, width as usize, density).trees;
    let mut forest = Forest { trees: DenseNumberGrid2D::new(width as i32, width as i32), start };
    let mut schedule = Schedule::new();
    forest.init(&mut schedule);
    (0..steps).for_each(|_| schedule.step(&mut forest));
    let trees = RefCell::new(vec![0; (width * width) as usize]);
    let place = |at: &Int2D| (at.y * width as i32 + at.x) as usize;
    forest.trees.iter_values(|at, &tree| trees.borrow_mut()[place(at)] = tree.into());
    trees.into_inner()
}

struct Meadow {
    grid: Grid,
    random: Random,
    rules: Rules,
    grass: DenseNumberGrid2D<u32>,
    sheep: DenseGrid2D<Animal>,
    eaten: HashSet<u32>,
    born: Vec<Animal>,
    animals: Vec<Animal>,
    next_id: u32,
    steps: u64,
    /// The sheep and the wolves that have outlived the last step.
    numbers: [usize; 2],
}

#[derive(Clone, Copy)]
struct Animal {
    id: u32,
    is_wolf: bool,
    at: Int2D,
    energy: i32,
    is_dead: bool,
}

impl Hash for Animal {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}
impl PartialEq for Animal {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}
impl Eq for Animal {}

impl State for Meadow {
    casts!();
    fn init(&mut self, schedule: &mut Schedule) {
        for animal in std::mem::take(&mut self.animals) {
            schedule.schedule_repeating(Box::new(animal), 0.0, animal.is_wolf.into());
        }
    }
    fn after_step(&mut self, schedule: &mut Schedule) {
        for animal in self.born.drain(..) {
            schedule.schedule_repeating(Box::new(animal), schedule.time + 1.0, animal.is_wolf.into());
        }
    }
    fn update(&mut self, step: u64) {
        if step > 0 {
            self.grass.apply_to_all_values(|wait| wait.saturating_sub(1), GridOption::READWRITE);
        }
        self.grass.lazy_update();
        self.sheep.lazy_update();
        self.steps = step;
    }
}

impl Animal {
    /// The end of the last step, in which all animals live or die after all have eaten.
    fn live(&mut self, meadow: &mut Meadow) -> bool {
        self.energy -= 1;
        if meadow.eaten.remove(&self.id) || self.energy < 0 {
            return false;
        }
        meadow.numbers[usize::from(self.is_wolf)] += 1;
        let Kind { birth, .. } = if self.is_wolf { meadow.rules.wolf } else { meadow.rules.sheep };
        if meadow.random.random_bool(birth) {
            self.energy /= 2;
            let mut child = Animal { id: meadow.next_id, ..*self };
            meadow.next_id += 1;
            meadow.numbers[usize::from(self.is_wolf)] += 1;
            child.act(meadow);
            meadow.born.push(child);
        }
        true
    }

    fn act(&mut self, meadow: &mut Meadow) {
        let here = Cell { x: self.at.x as u32, y: self.at.y as u32 };
        let Cell { x, y } = meadow.grid.random_moore(here, 1, &mut meadow.random).unwrap();
        self.at = Int2D { x: x as i32, y: y as i32 };
        if self.is_wolf {
            let sheep = meadow.sheep.get_objects_unbuffered(&self.at).unwrap_or_default();
            if let Some(prey) = sheep.iter().find(|prey| !meadow.eaten.contains(&prey.id)) {
                meadow.eaten.insert(prey.id);
                self.energy += meadow.rules.wolf.meal;
            }
            return;
        }
        meadow.sheep.set_object_location(*self, &self.at);
        let grass = meadow.grass.get_value_unbuffered(&self.at).or_else(|| meadow.grass.get_value(&self.at));
        if grass == Some(0) {
            meadow.grass.set_value_location(meadow.rules.regrowth, &self.at);
            self.energy += meadow.rules.sheep.meal;
        }
    }
}

impl Agent for Animal {
    fn step(&mut self, state: &mut dyn State) {
        let meadow = state.as_any_mut().downcast_mut::<Meadow>().unwrap();
        self.is_dead = meadow.steps > 0 && !self.live(meadow);
        if !self.is_dead {
            self.act(meadow);
        }
    }
    fn is_stopped(&mut self, _: &mut dyn State) -> bool {
        self.is_dead
    }
}

/// Calls `each` with the numbers of sheep and of wolves after each step but the last one, whose
/// births and deaths are part of the step after it.
pub(crate) fn wolf_sheep(
    seed: u64,
    width: u32,
    numbers: [usize; 2],
    rules: Rules,
    steps: u32,
    mut each: impl FnMut([usize; 2]),
) {
    let (grid, mut random, size) = (Grid::torus(width, width), Random::new(seed), width as i32);
    let grass = DenseNumberGrid2D::new(size, size);
    for Cell { x, y } in grid.cells() {
        let wait = if random.random_bool(0.5) { 0 } else { random.random_range(0..rules.regrowth) };
        grass.set_value_location(wait, &Int2D { x: x as i32, y: y as i32 });
    }
    let mut animals = Vec::new();
    for (number, kind, is_wolf) in [(numbers[0], rules.sheep, false), (numbers[1], rules.wolf, true)] {
        for _ in 0..number {
            let Cell { x, y } = grid.random(&mut random);
            let (at, energy) = (Int2D { x: x as i32, y: y as i32 }, random.random_range(0..2 * kind.meal));
            animals.push(Animal { id: animals.len() as u32, is_wolf, at, energy, is_dead: false });
        }
    }
    let mut meadow = Meadow {
        grid,
        random,
        rules,
        grass,
        sheep: DenseGrid2D::new(size, size),
        eaten: HashSet::new(),
        born: Vec::new(),
        next_id: animals.len() as u32,
        animals,
        steps: 0,
        numbers: [0, 0],
    };
    let mut schedule = Schedule::new();
    meadow.init(&mut schedule);
    for step in 0..steps {
        meadow.numbers = [0, 0];
        // an empty schedule would print that it is empty
        if !schedule.events.is_empty() {
            schedule.step(&mut meadow);
        }
        if step > 0 {
            each(meadow.numbers);
        }
    }
}
