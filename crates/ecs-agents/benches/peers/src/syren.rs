//! The models on syren, after its own examples: where agents act in turn they are copied out of
//! their columns and back, as in its Sugarscape, whose cells are in a lock beside the world too; its
//! grids and spaces are snapshots of a step, for agents that act at once.

use std::sync::{Arc, Mutex, RwLock};

use ecs_agents::prelude::{Cell, Grid, Network, Random, RngExt};
use syren::advanced::EntityShards;
use syren::agents::AgentTemplate;
use syren::messaging::{Capacity, Message, MessageBufferSet, SpatialConfig, SpatialMessage};
use syren::model::{Model, ModelBuilder};
use syren::{
    AccessSets, BuiltQuery, Bundle, Command, ComponentID, ComponentRegistry, ECSReference, ECSResult,
    FnSystem, QueryBuilder,
};

use crate::flocking::{Bird, Sky};
use crate::sir::Rules as Probabilities;
use crate::wolf_sheep::{Kind, Rules};
use crate::{End, arrays, sugarscape};

/// The component of an agent; agents are in the order of their numbers.
#[derive(Clone, Copy)]
struct Agent<T> {
    id: u32,
    state: T,
}

/// The parts of a model with one kind of agents.
struct Parts<T> {
    builder: ModelBuilder,
    component: ComponentID,
    read: BuiltQuery,
    write: BuiltQuery,
    agents: Vec<Agent<T>>,
}

fn parts<T: Copy + Send + Sync + 'static>(states: impl IntoIterator<Item = T>) -> Parts<T> {
    let registry = Arc::new(RwLock::new(ComponentRegistry::new()));
    let component = registry.write().unwrap().register::<Agent<T>>().unwrap();
    registry.write().unwrap().freeze();
    let query = || QueryBuilder::with_registry(Arc::clone(&registry));
    Parts {
        component,
        read: query().read::<Agent<T>>().unwrap().build().unwrap(),
        write: query().write::<Agent<T>>().unwrap().build().unwrap(),
        agents: states.into_iter().zip(0..).map(|(state, id)| Agent { id, state }).collect(),
        builder: ModelBuilder::new()
            .with_component_registry(registry)
            .with_shards(EntityShards::new(1).unwrap()),
    }
}

/// A model with its agents.
fn populated<T: Copy + Send + Sync + 'static>(
    builder: ModelBuilder,
    component: ComponentID,
    agents: Vec<Agent<T>>,
) -> ModelBuilder {
    let (first, number) = (agents[0], agents.len());
    let template = AgentTemplate::builder("agent").with_component_factory(component, move || first).unwrap();
    let builder = builder.with_agent_template(template.with_capacity(number).build()).unwrap();
    builder.with_agent_population("agent", component, agents).unwrap()
}

/// The agents in the order of their numbers.
fn all<T: Copy + Send + Sync + 'static>(ecs: ECSReference, query: &BuiltQuery) -> ECSResult<Vec<Agent<T>>> {
    let push = |agents: &mut Vec<Agent<T>>, agent: &Agent<T>| agents.push(*agent);
    let mut agents =
        ecs.reduce_read(query.clone(), Vec::new, push, |agents, mut others| agents.append(&mut others))?;
    agents.sort_unstable_by_key(|agent| agent.id);
    Ok(agents)
}

/// Runs a model whose agents are never born and never die, and returns them.
fn run<T: Copy + Send + Sync + 'static>(
    states: impl IntoIterator<Item = T>,
    steps: u32,
    act: impl FnMut(&mut [Agent<T>]) + Send + 'static,
) -> Vec<T> {
    let Parts { builder, component, read, write, agents } = parts(states);
    let (from, to, act) = (read.clone(), write.clone(), Mutex::new(act));
    let system = FnSystem::from_queries(0, "act", &[&read, &write], move |ecs| {
        let mut agents = all::<T>(ecs, &from)?;
        (*act.lock().unwrap())(&mut agents);
        ecs.for_each_w1::<Agent<T>>(to.clone(), |agent| *agent = agents[agent.id as usize])
    });
    let mut model = populated(builder, component, agents).with_system(system).build().unwrap();
    model.run(steps.into()).unwrap();
    let agents = all::<T>(model.ecs().world_ref(), &read).unwrap();
    agents.into_iter().map(|agent| agent.state).collect()
}

pub(crate) fn schelling(seed: u64, width: u32, agents: usize, needs: usize, steps: u32) -> End {
    let (grid, mut random) = (Grid::torus(width, width), Random::new(seed));
    let homes = random.shuffled(grid.cells());
    // the group of who is in each cell
    let mut groups = vec![None; grid.len()];
    let agents: Vec<(Cell, u8)> =
        homes[..agents].iter().zip(0..).map(|(&home, i)| (home, (i % 2) as u8)).collect();
    agents.iter().for_each(|&(home, group)| groups[grid.index(home)] = Some(group));
    let settle = move |agents: &mut [Agent<(Cell, u8)>]| {
        for id in random.shuffled(0..agents.len()) {
            let (home, group) = &mut agents[id].state;
            let near = grid.moore(*home, 1).filter(|&cell| groups[grid.index(cell)] == Some(*group));
            if near.count() < needs {
                let empty = loop {
                    let cell = grid.random(&mut random);
                    if groups[grid.index(cell)].is_none() {
                        break cell;
                    }
                };
                groups[grid.index(*home)] = None;
                groups[grid.index(empty)] = Some(*group);
                *home = empty;
            }
        }
    };
    run(agents, steps, settle).iter().map(|&(home, _)| grid.index(home) as u64).collect()
}

pub(crate) fn sugarscape(seed: u64, width: u32, agents: usize, steps: u32) -> End {
    let (grid, mut random) = (Grid::bounded(width, width), Random::new(seed));
    let homes = random.shuffled(grid.cells());
    let agents: Vec<(Cell, sugarscape::Agent)> =
        homes[..agents].iter().map(|&home| (home, sugarscape::Agent::random(&mut random))).collect();
    let most: Vec<u8> = grid.cells().map(|cell| sugarscape::most(grid, cell)).collect();
    let (mut sugar, mut taken) = (most.clone(), vec![false; grid.len()]);
    agents.iter().for_each(|&(home, _)| taken[grid.index(home)] = true);
    let act = move |agents: &mut [Agent<(Cell, sugarscape::Agent)>]| {
        sugar.iter_mut().zip(&most).for_each(|(sugar, most)| *sugar = *most.min(&(*sugar + 1)));
        for id in random.shuffled(0..agents.len()) {
            let (home, agent) = &mut agents[id].state;
            let mut best = (sugar[grid.index(*home)], 0, *home);
            for distance in 1..=agent.vision {
                for (dx, dy) in [(1, 0), (0, 1), (-1, 0), (0, -1)] {
                    let Some(cell) = grid.step(*home, dx * distance, dy * distance) else { continue };
                    let place = grid.index(cell);
                    if (sugar[place], -distance) > (best.0, best.1) && !taken[place] {
                        best = (sugar[place], -distance, cell);
                    }
                }
            }
            let mut next = best.2;
            agent.wealth += i32::from(std::mem::take(&mut sugar[grid.index(next)])) - agent.hunger;
            agent.years = agent.years.saturating_sub(1);
            if agent.wealth < 0 || agent.years == 0 {
                *agent = sugarscape::Agent::random(&mut random);
                next = loop {
                    let cell = grid.random(&mut random);
                    if !taken[grid.index(cell)] {
                        break cell;
                    }
                };
            }
            taken[grid.index(*home)] = false;
            taken[grid.index(next)] = true;
            *home = next;
        }
    };
    run(agents, steps, act).iter().map(|(_, agent)| agent.wealth as u64).collect()
}

const SUSCEPTIBLE: u8 = 0;
const INFECTED: u8 = 1;
const RECOVERED: u8 = 2;

pub(crate) fn sir(seed: u64, number: u32, rules: Probabilities, steps: u32) -> End {
    let mut random = Random::new(seed);
    let network = Network::barabasi_albert(number, 3, &mut random);
    let mut infected: Vec<u32> = Vec::new();
    let spread = move |people: &mut [Agent<u8>]| {
        for person in people.iter().filter(|person| person.state == INFECTED) {
            let contacts = network.neighbours(person.id);
            infected.extend(contacts.iter().filter(|_| random.random_bool(rules.infection)));
        }
        for person in people.iter_mut().filter(|person| person.state == INFECTED) {
            if random.random_bool(rules.recovery) {
                person.state = RECOVERED;
            }
        }
        for person in infected.drain(..) {
            let health = &mut people[person as usize].state;
            if *health == SUSCEPTIBLE {
                *health = INFECTED;
            }
        }
    };
    let people = (0..number).map(|i| if i < number / 100 { INFECTED } else { SUSCEPTIBLE });
    run(people, steps, spread).into_iter().map(u64::from).collect()
}

/// The sums of a bird over the others that it sees.
#[derive(Default)]
struct View {
    near: [f64; 2],
    apart: [f64; 2],
    along: [f64; 2],
    seen: f64,
}

impl View {
    #[inline]
    fn add(&mut self, sky: &Sky, bird: &Bird, other: &Bird) {
        let way = [0, 1].map(|i| sky.way(bird.at[i], other.at[i]));
        let square = way[0] * way[0] + way[1] * way[1];
        if square <= sky.sight * sky.sight {
            self.seen += 1.0;
            let too_near = f64::from(u8::from(square < sky.apart * sky.apart));
            for i in [0, 1] {
                self.near[i] += way[i];
                self.apart[i] -= way[i] * too_near;
                self.along[i] += other.heading[i];
            }
        }
    }

    fn moved(self, sky: &Sky, bird: &Bird) -> Bird {
        let Self { near, apart, along, seen } = self;
        let seen = f64::max(seen, 1.0);
        let turn = |i: usize| (near[i] * 0.03 + apart[i] * 0.015 + along[i] * 0.05) / seen;
        let [x, y] = [0, 1].map(|i| bird.heading[i] + turn(i));
        let heading = [x, y].map(|part| part / (x * x + y * y).sqrt());
        Bird { at: [0, 1].map(|i| (bird.at[i] + heading[i]).rem_euclid(sky.size)), heading }
    }
}

pub(crate) fn birds(random: &mut Random, number: usize, sky: Sky) -> Vec<Bird> {
    let bird = |_| {
        let at = [0, 1].map(|_| random.random_range(0.0..sky.size));
        let [x, y] = [0, 1].map(|_| random.random_range(-1.0..1.0_f64));
        Bird { at, heading: [x, y].map(|part| part / (x * x + y * y).sqrt()) }
    };
    (0..number).map(bird).collect()
}

pub(crate) fn flocking(seed: u64, number: usize, sky: Sky, steps: u32) -> End {
    let (mut random, width) = (Random::new(seed), (sky.size / sky.sight) as u32);
    let (grid, birds) = (Grid::torus(width, width), birds(&mut random, number, sky));
    // the numbers of the birds of each cell, ascending
    let mut cells: Vec<Vec<u32>> = vec![Vec::new(); grid.len()];
    birds.iter().zip(0..).for_each(|(bird, id)| cells[grid.index(sky.cell(&grid, bird.at))].push(id));
    let fly = move |birds: &mut [Agent<Bird>]| {
        for id in random.shuffled(0..birds.len() as u32) {
            let bird = birds[id as usize].state;
            let (cell, mut view) = (sky.cell(&grid, bird.at), View::default());
            for &other in grid.moore(cell, 1).chain([cell]).flat_map(|cell| &cells[grid.index(cell)]) {
                if other != id {
                    view.add(&sky, &bird, &birds[other as usize].state);
                }
            }
            let moved = view.moved(&sky, &bird);
            let next = sky.cell(&grid, moved.at);
            if next != cell {
                cells[grid.index(cell)].retain(|&other| other != id);
                let to = &mut cells[grid.index(next)];
                to.insert(to.partition_point(|&other| other < id), id);
            }
            birds[id as usize].state = moved;
        }
    };
    run(birds, steps, fly).iter().map(|bird| bird.at[0].to_bits() ^ bird.at[1].to_bits()).collect()
}

/// The message of a bird to those that are near.
#[derive(Clone, Copy)]
struct Told(Agent<Bird>);

impl Message for Told {}
impl SpatialMessage for Told {
    fn position(&self) -> (f32, f32) {
        let [x, y] = self.0.state.at;
        (x as f32, y as f32)
    }
}

/// All birds of a step at once, by messages of its spatial grid. That has edges, so that a bird near
/// one asks again where it would be behind the other.
pub(crate) fn flocking_at_once(seed: u64, number: usize, sky: Sky, steps: u32) -> End {
    let Parts { mut builder, component, read, write, agents } =
        parts(birds(&mut Random::new(seed), number, sky));
    let [width, height, cell_size] = [sky.size, sky.size, sky.sight].map(|length| length as f32);
    let config = SpatialConfig { width, height, cell_size };
    let told = builder.register_spatial_message::<Told>(config, Capacity::unbounded(number)).unwrap();
    let messages = builder.message_boundary_id();
    let mut access = read.access_sets();
    access.produces.insert(told.channel_id());
    let from = read.clone();
    let tell = FnSystem::new(0, "tell", access, move |ecs| {
        let buffers = ecs.boundary::<MessageBufferSet>(messages)?;
        ecs.for_each_r1_fallible::<Agent<Bird>>(from.clone(), |bird| buffers.emit(told, Told(*bird)))
    });
    let mut access = write.access_sets();
    access.consumes.insert(told.channel_id());
    let turn = FnSystem::new(1, "turn", access, move |ecs| {
        let buffers = ecs.boundary::<MessageBufferSet>(messages)?;
        ecs.for_each_w1_fallible::<Agent<Bird>>(write.clone(), |Agent { id, state: bird }| {
            let images = |at: f64| {
                let before = (at > sky.size - sky.sight).then_some(at - sky.size);
                [Some(at), (at < sky.sight).then_some(at + sky.size), before].into_iter().flatten()
            };
            let mut view = View::default();
            for y in images(bird.at[1]) {
                for x in images(bird.at[0]) {
                    for Told(other) in buffers.spatial(told, x as f32, y as f32, cell_size)? {
                        if other.id != *id {
                            view.add(&sky, bird, &other.state);
                        }
                    }
                }
            }
            *bird = view.moved(&sky, bird);
            Ok(())
        })
    });
    let builder = populated(builder, component, agents).with_system(tell).with_system(turn);
    let mut model = builder.build().unwrap();
    model.run(steps.into()).unwrap();
    let birds = all::<Bird>(model.ecs().world_ref(), &read).unwrap();
    birds.iter().flat_map(|bird| bird.state.heading.map(f64::to_bits)).collect()
}

#[derive(Clone, Copy)]
struct Animal {
    is_wolf: bool,
    home: Cell,
    energy: i32,
}

struct Meadow {
    grid: Grid,
    random: Random,
    rules: Rules,
    grass: Vec<u32>,
    /// The sheep of each cell, as places among the agents of a step.
    sheep: Vec<Vec<u32>>,
    next_id: u32,
    /// The sheep and the wolves after the last step.
    numbers: [usize; 2],
}

impl Meadow {
    /// The animals of a kind, in random order, as places among all.
    fn shuffled(&mut self, animals: &[Agent<Animal>], wolves: bool) -> Vec<usize> {
        let of_kind = |&place: &usize| animals[place].state.is_wolf == wolves;
        self.random.shuffled((0..animals.len()).filter(of_kind))
    }

    /// A step, after which the dead have less than no energy; returns the newborn.
    fn step(&mut self, animals: &mut [Agent<Animal>]) -> Vec<Agent<Animal>> {
        let (grid, rules) = (self.grid, self.rules);
        self.sheep.iter_mut().for_each(Vec::clear);
        for place in self.shuffled(animals, false) {
            let Animal { home, energy, .. } = &mut animals[place].state;
            *home = grid.random_moore(*home, 1, &mut self.random).unwrap();
            self.sheep[grid.index(*home)].push(place as u32);
            let grass = &mut self.grass[grid.index(*home)];
            if *grass == 0 {
                *grass = rules.regrowth;
                *energy += rules.sheep.meal;
            }
        }
        for place in self.shuffled(animals, true) {
            let wolf = &mut animals[place].state;
            wolf.home = grid.random_moore(wolf.home, 1, &mut self.random).unwrap();
            if let Some(prey) = self.sheep[grid.index(wolf.home)].pop() {
                wolf.energy += rules.wolf.meal;
                animals[prey as usize].state.energy = 0;
            }
        }
        let mut born = Vec::new();
        self.numbers = [0, 0];
        for Agent { state: animal, .. } in animals {
            let Kind { birth, .. } = if animal.is_wolf { rules.wolf } else { rules.sheep };
            animal.energy -= 1;
            if animal.energy >= 0 {
                self.numbers[usize::from(animal.is_wolf)] += 1;
                if self.random.random_bool(birth) {
                    animal.energy /= 2;
                    born.push(Agent { id: self.next_id, state: *animal });
                    self.next_id += 1;
                    self.numbers[usize::from(animal.is_wolf)] += 1;
                }
            }
        }
        self.grass.iter_mut().for_each(|wait| *wait = wait.saturating_sub(1));
        born
    }
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
    let (grid, mut random) = (Grid::torus(width, width), Random::new(seed));
    let full = |random: &mut Random| random.random_bool(0.5);
    let grass: Vec<u32> = (0..grid.len())
        .map(|_| if full(&mut random) { 0 } else { random.random_range(0..rules.regrowth) })
        .collect();
    let mut animals = Vec::new();
    for (is_wolf, kind) in [(false, rules.sheep), (true, rules.wolf)] {
        for _ in 0..numbers[usize::from(is_wolf)] {
            let home = grid.random(&mut random);
            animals.push(Animal { is_wolf, home, energy: random.random_range(0..2 * kind.meal) });
        }
    }
    let Parts { builder, component, read, write, agents } = parts(animals);
    let (sheep, next_id) = (vec![Vec::new(); grid.len()], agents.len() as u32);
    let meadow = Arc::new(Mutex::new(Meadow { grid, random, rules, grass, sheep, next_id, numbers }));
    let shared = Arc::clone(&meadow);
    let system = FnSystem::from_queries(0, "live", &[&read.clone(), &write.clone()], move |ecs| {
        let mut animals = all::<Animal>(ecs, &read)?;
        let born = shared.lock().unwrap().step(&mut animals);
        ecs.for_each_entity_w1_fallible::<Agent<Animal>>(write.clone(), |entity, animal| {
            let place = animals.binary_search_by_key(&animal.id, |animal| animal.id).unwrap();
            *animal = animals[place];
            if animal.state.energy < 0 { ecs.defer(Command::Despawn { entity }) } else { Ok(()) }
        })?;
        for animal in born {
            let mut bundle = Bundle::new();
            bundle.insert(component, animal);
            ecs.defer(Command::Spawn { bundle })?;
        }
        Ok(())
    });
    let mut model = populated(builder, component, agents).with_system(system).build().unwrap();
    for _ in 0..steps {
        model.tick().unwrap();
        each(meadow.lock().unwrap().numbers);
    }
}

/// Models of a grid without agents: cells that no agent owns are an array in a lock.
fn stepped<T: Send + 'static>(state: T, steps: u32, step: fn(&mut T)) -> Arc<Mutex<T>> {
    let state = Arc::new(Mutex::new(state));
    let shared = Arc::clone(&state);
    let system = FnSystem::new(0, "step", AccessSets::default(), move |_| {
        step(&mut shared.lock().unwrap());
        Ok(())
    });
    let mut model: Model =
        ModelBuilder::new().with_shards(EntityShards::new(1).unwrap()).with_system(system).build().unwrap();
    model.run(steps.into()).unwrap();
    state
}

pub(crate) fn fire(seed: u64, width: u32, density: f64, steps: u32) -> End {
    let forest = arrays::fire::forest(seed, width as usize, density);
    let forest = stepped(forest, steps, arrays::fire::Forest::step);
    forest.lock().unwrap().trees.iter().map(|&tree| tree.into()).collect()
}

pub(crate) fn life(seed: u64, width: u32, steps: u32) -> End {
    let life = stepped(arrays::life::life(seed, width as usize), steps, arrays::life::Life::step);
    life.lock().unwrap().cells.iter().map(|&alive| alive.into()).collect()
}
