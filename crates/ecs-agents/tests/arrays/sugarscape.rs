use ecs_agents::prelude::*;

#[derive(Clone, Copy)]
pub struct Agent {
    pub home: u32,
    pub wealth: i32,
    pub vision: i32,
    pub hunger: i32,
    pub years: u32,
}

pub struct Land {
    width: usize,
    random: Random,
    pub sugar: Vec<u8>,
    most: Vec<u8>,
    taken: Vec<bool>,
    pub agents: Vec<Agent>,
}

fn agent(home: u32, random: &mut Random) -> Agent {
    let (wealth, vision) = (random.random_range(5..=25), random.random_range(1..=6));
    let (hunger, years) = (random.random_range(1..=4), random.random_range(60..=100));
    Agent { home, wealth, vision, hunger, years }
}

pub fn land(seed: u64, width: usize, agents: usize, most: impl Fn(usize, usize) -> u8) -> Land {
    let mut random = Random::new(seed);
    let mut homes = random.shuffled(0..(width * width) as u32);
    homes.truncate(agents);
    let mut taken = vec![false; width * width];
    homes.iter().for_each(|&home| taken[home as usize] = true);
    let agents = homes.into_iter().map(|home| agent(home, &mut random)).collect();
    let most: Vec<u8> = (0..width * width).map(|place| most(place % width, place / width)).collect();
    Land { width, random, sugar: most.clone(), most, taken, agents }
}

impl Land {
    pub fn step(&mut self) {
        self.sugar.iter_mut().zip(&self.most).for_each(|(sugar, most)| *sugar = (*most).min(*sugar + 1));
        for id in self.random.shuffled(0..self.agents.len()) {
            self.act(id);
        }
    }

    fn act(&mut self, id: usize) {
        let Self { width, random, sugar, taken, agents, .. } = self;
        let (size, own) = (*width as i32, &mut agents[id]);
        let home = own.home as usize;
        let (x, y) = ((home % *width) as i32, (home / *width) as i32);
        let mut best = (sugar[home], 0, home);
        for distance in 1..=own.vision {
            for (dx, dy) in [(1, 0), (0, 1), (-1, 0), (0, -1)] {
                let (x, y) = (x + dx * distance, y + dy * distance);
                if x < 0 || y < 0 || x >= size || y >= size {
                    continue;
                }
                let cell = y as usize * *width + x as usize;
                if (sugar[cell], -distance) > (best.0, best.1) && !taken[cell] {
                    best = (sugar[cell], -distance, cell);
                }
            }
        }
        let cell = best.2;
        own.wealth += i32::from(std::mem::take(&mut sugar[cell])) - own.hunger;
        own.years = own.years.saturating_sub(1);
        let mut next = cell;
        if own.wealth < 0 || own.years == 0 {
            *own = agent(own.home, random);
            next = loop {
                let x = random.random_range(0..*width as u32) as usize;
                let cell = random.random_range(0..*width as u32) as usize * *width + x;
                if !taken[cell] {
                    break cell;
                }
            };
        }
        taken[home] = false;
        taken[next] = true;
        own.home = next as u32;
    }
}
