use super::flocking::{Bird, cell};

/// The birds of `flocking.rs`, all at once.
pub struct Flock {
    size: f64,
    sight: f64,
    apart: f64,
    width: usize,
    pub birds: Vec<Bird>,
    next: Vec<Bird>,
    /// The birds of each cell, in the order of their numbers.
    cells: Vec<Vec<u32>>,
}

pub fn flock(seed: u64, number: usize, size: f64, sight: f64, apart: f64) -> Flock {
    let birds = super::flocking::flock(seed, number, size, sight, apart).birds;
    let width = (size / sight) as usize;
    let mut flock =
        Flock { size, sight, apart, width, birds, next: Vec::new(), cells: vec![Vec::new(); width * width] };
    flock.settle();
    flock
}

impl Flock {
    pub fn step(&mut self) {
        let mut next = std::mem::take(&mut self.next);
        next.clear();
        next.extend((0..self.birds.len()).map(|id| self.turned(id)));
        self.next = std::mem::replace(&mut self.birds, next);
        self.settle();
    }

    fn settle(&mut self) {
        self.cells.iter_mut().for_each(Vec::clear);
        for (bird, id) in self.birds.iter().zip(0..) {
            self.cells[cell(bird.at, self.size, self.width)].push(id);
        }
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

    fn turned(&self, id: usize) -> Bird {
        let bird = self.birds[id];
        let home = cell(bird.at, self.size, self.width);
        let ([mut near, mut apart, mut along], mut seen) = ([[0.0; 2]; 3], 0.0);
        let mut look = |other: u32| {
            if other as usize == id {
                return;
            }
            let other = &self.birds[other as usize];
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
        let cells = super::moore(self.width, self.width, home % self.width, home / self.width).chain([home]);
        cells.for_each(|cell| self.cells[cell].iter().for_each(|&other| look(other)));
        let seen = f64::max(seen, 1.0);
        let turn = |i: usize| (near[i] * 0.03 + apart[i] * 0.015 + along[i] * 0.05) / seen;
        let [x, y] = [0, 1].map(|i| bird.heading[i] + turn(i));
        let heading = [x, y].map(|part| part / (x * x + y * y).sqrt());
        Bird { at: [0, 1].map(|i| (bird.at[i] + heading[i]).rem_euclid(self.size)), heading }
    }
}
