use ecs_agents::prelude::*;

#[derive(Clone, Copy)]
pub struct Bird {
    pub at: [f64; 2],
    pub heading: [f64; 2],
}

/// The size of the sky, how far birds see and how far apart they keep, and the width in cells.
#[derive(Clone, Copy)]
pub struct Sky {
    size: f64,
    sight: f64,
    apart: f64,
    width: usize,
}

pub struct Flock {
    pub(super) sky: Sky,
    random: Random,
    pub birds: Vec<Bird>,
    homes: Vec<u32>,
    /// The birds of each cell, in the order of their numbers.
    cells: Vec<Vec<u32>>,
}

impl Sky {
    pub(super) fn cell(&self, at: [f64; 2]) -> usize {
        let [x, y] = at.map(|part| ((part / self.size * self.width as f64) as usize).min(self.width - 1));
        y * self.width + x
    }

    fn way(&self, from: f64, to: f64) -> f64 {
        let way = to - from;
        if way > self.size / 2.0 {
            way - self.size
        } else if way < -self.size / 2.0 {
            way + self.size
        } else {
            way
        }
    }

    /// A bird after its next step, which sees the birds in its cell and in those around it.
    #[inline]
    pub(super) fn turned(&self, birds: &[Bird], cells: &[Vec<u32>], id: usize, home: usize) -> Bird {
        let bird = birds[id];
        let ([mut near, mut apart, mut along], mut seen) = ([[0.0; 2]; 3], 0.0);
        let mut look = |other: u32| {
            if other as usize == id {
                return;
            }
            let other = &birds[other as usize];
            let way = [0, 1].map(|i| self.way(bird.at[i], other.at[i]));
            let square = way[0] * way[0] + way[1] * way[1];
            if square <= self.sight * self.sight {
                seen += 1.0;
                let too_near = f64::from(u8::from(square < self.apart * self.apart));
                for i in [0, 1] {
                    near[i] += way[i];
                    apart[i] -= way[i] * too_near;
                    along[i] += other.heading[i];
                }
            }
        };
        let around = super::moore(self.width, self.width, home % self.width, home / self.width).chain([home]);
        around.for_each(|cell| cells[cell].iter().for_each(|&other| look(other)));
        let seen = f64::max(seen, 1.0);
        let turn = |i: usize| (near[i] * 0.03 + apart[i] * 0.015 + along[i] * 0.05) / seen;
        let [x, y] = [0, 1].map(|i| bird.heading[i] + turn(i));
        let heading = [x, y].map(|part| part / (x * x + y * y).sqrt());
        let at = [0, 1].map(|i| (bird.at[i] + heading[i]).rem_euclid(self.size));
        Bird { at, heading }
    }
}

pub fn flock(seed: u64, number: usize, size: f64, sight: f64, apart: f64) -> Flock {
    let (mut random, width) = (Random::new(seed), (size / sight) as usize);
    let birds = (0..number).map(|_| {
        let at = [0, 1].map(|_| random.random_range(0.0..size));
        let [x, y] = [0, 1].map(|_| random.random_range(-1.0..1.0_f64));
        Bird { at, heading: [x, y].map(|part| part / (x * x + y * y).sqrt()) }
    });
    let birds: Vec<Bird> = birds.collect();
    let sky = Sky { size, sight, apart, width };
    let homes: Vec<u32> = birds.iter().map(|bird| sky.cell(bird.at) as u32).collect();
    let mut cells = vec![Vec::new(); width * width];
    homes.iter().zip(0..).for_each(|(&home, id)| cells[home as usize].push(id));
    Flock { sky, random, birds, homes, cells }
}

impl Flock {
    pub fn step(&mut self) {
        for id in self.random.shuffled(0..self.birds.len()) {
            self.fly(id);
        }
    }

    fn fly(&mut self, id: usize) {
        let home = self.homes[id] as usize;
        let next = self.sky.turned(&self.birds, &self.cells, id, home);
        self.birds[id] = next;
        let next = self.sky.cell(next.at);
        if next != home {
            let from = &mut self.cells[home];
            let place = from.binary_search(&(id as u32)).expect("the bird is in its cell");
            from.remove(place);
            let to = &mut self.cells[next];
            to.insert(to.partition_point(|&other| other < id as u32), id as u32);
            self.homes[id] = next as u32;
        }
    }
}
