use ecs_agents::prelude::*;

#[derive(Clone, Copy)]
struct Animal {
    cell: u32,
    energy: i32,
}

#[derive(Clone, Copy)]
pub struct Kind {
    pub meal: i32,
    pub birth: f64,
}

/// Sheep and wolves, each in the order of births.
///
/// A world keeps its agents in another order where places of the dead are taken by the newborn. So
/// its run is another one from the first births on: only means of many runs can be compared.
pub struct Meadow {
    width: usize,
    random: Random,
    grass: Vec<u32>,
    regrowth: u32,
    kinds: [Kind; 2],
    animals: [Vec<Animal>; 2],
    /// The sheep of each cell.
    sheep: Vec<Vec<u32>>,
}

pub fn meadow(seed: u64, width: usize, numbers: [usize; 2], kinds: [Kind; 2], regrowth: u32) -> Meadow {
    let mut random = Random::new(seed);
    let grass = (0..width * width)
        .map(|_| if random.random_bool(0.5) { 0 } else { random.random_range(0..regrowth) })
        .collect();
    let animals = [0, 1].map(|kind| {
        let animal = |_| {
            let x = random.random_range(0..width as u32);
            let cell = random.random_range(0..width as u32) * width as u32 + x;
            Animal { cell, energy: random.random_range(0..2 * kinds[kind].meal) }
        };
        (0..numbers[kind]).map(animal).collect::<Vec<_>>()
    });
    let mut sheep = vec![Vec::new(); width * width];
    animals[0].iter().zip(0..).for_each(|(animal, id)| sheep[animal.cell as usize].push(id));
    Meadow { width, random, grass, regrowth, kinds, animals, sheep }
}

impl Meadow {
    pub fn number(&self, kind: usize) -> usize {
        self.animals[kind].len()
    }

    pub fn step(&mut self) {
        self.graze();
        self.hunt();
        self.live(0);
        self.live(1);
        self.grass.iter_mut().for_each(|wait| *wait = wait.saturating_sub(1));
        self.sheep.iter_mut().for_each(Vec::clear);
        for (animal, id) in self.animals[0].iter().zip(0..) {
            self.sheep[animal.cell as usize].push(id);
        }
    }

    fn graze(&mut self) {
        for id in self.random.shuffled(0..self.animals[0].len()) {
            let from = self.animals[0][id].cell;
            let to = self.wander(from);
            let list = &mut self.sheep[from as usize];
            let place = list.iter().position(|&other| other as usize == id).expect("it is in its cell");
            list.swap_remove(place);
            self.sheep[to as usize].push(id as u32);
            self.animals[0][id].cell = to;
            let grass = &mut self.grass[to as usize];
            if *grass == 0 {
                *grass = self.regrowth;
                self.animals[0][id].energy += self.kinds[0].meal;
            }
        }
    }

    fn hunt(&mut self) {
        for id in self.random.shuffled(0..self.animals[1].len()) {
            let to = self.wander(self.animals[1][id].cell);
            let wolf = &mut self.animals[1][id];
            wolf.cell = to;
            if let Some(prey) = self.sheep[to as usize].pop() {
                wolf.energy += self.kinds[1].meal;
                self.animals[0][prey as usize].energy = 0;
            }
        }
    }

    fn wander(&mut self, cell: u32) -> u32 {
        let (x, y) = (cell as usize % self.width, cell as usize / self.width);
        let drawn = self.random.random_range(0..8_u32) as usize;
        let place = drawn + usize::from(drawn >= 4);
        let (columns, rows) = (super::around(x, self.width), super::around(y, self.width));
        (rows[place / 3] * self.width + columns[place % 3]) as u32
    }

    /// The births and deaths of a kind.
    fn live(&mut self, kind: usize) {
        let Self { random, animals, kinds, .. } = self;
        let mut children = Vec::new();
        animals[kind].retain_mut(|animal| {
            animal.energy -= 1;
            if animal.energy >= 0 && random.random_bool(kinds[kind].birth) {
                animal.energy /= 2;
                children.push(*animal);
            }
            animal.energy >= 0
        });
        animals[kind].extend(children);
    }
}
