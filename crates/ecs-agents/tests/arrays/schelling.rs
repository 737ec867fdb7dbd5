use ecs_agents::prelude::*;

const NOBODY: u32 = u32::MAX;

pub struct Town {
    width: usize,
    needs: usize,
    random: Random,
    /// The agent of each cell.
    agents: Vec<u32>,
    pub groups: Vec<bool>,
    pub homes: Vec<u32>,
}

pub fn town(seed: u64, width: usize, agents: usize, needs: usize) -> Town {
    let mut random = Random::new(seed);
    let mut homes = random.shuffled(0..(width * width) as u32);
    homes.truncate(agents);
    let mut cells = vec![NOBODY; width * width];
    homes.iter().zip(0..).for_each(|(&home, agent)| cells[home as usize] = agent);
    let groups = (0..agents).map(|agent| agent % 2 == 0).collect();
    Town { width, needs, random, agents: cells, groups, homes }
}

impl Town {
    pub fn step(&mut self) {
        let width = self.width;
        for agent in self.random.shuffled(0..self.homes.len() as u32) {
            let home = self.homes[agent as usize] as usize;
            let group = self.groups[agent as usize];
            let (x, y) = (home % width, home / width);
            let alike = |&near: &usize| {
                let other = self.agents[near];
                other != NOBODY && self.groups[other as usize] == group
            };
            if super::moore(width, width, x, y).filter(alike).count() < self.needs {
                let random = &mut self.random;
                let mut draw = || {
                    let x = random.random_range(0..width as u32) as usize;
                    random.random_range(0..width as u32) as usize * width + x
                };
                let empty = loop {
                    let cell = draw();
                    if self.agents[cell] == NOBODY {
                        break cell;
                    }
                };
                self.agents[home] = NOBODY;
                self.agents[empty] = agent;
                self.homes[agent as usize] = empty as u32;
            }
        }
    }
}
