//! Life, fire, SIR and flocking at once on henad, after its own Game of Life, Virus on a Network and
//! Boids. All its cells, nodes or agents take their steps at once; the others of our models, whose
//! agents act in turn, would be loops over plain arrays there.

use ecs_agents::prelude::{Network as Contacts, Random};
use henad::authoring::NeighborhoodKind;
use henad::authoring::prelude::*;
use henad::authoring::primitives::space::wrap_coord;
use henad::engine::{AgentModelState, GridModelState, NetworkModelState};
use henad::runner::SimState;
use henad::stats::{StatDescriptor, StatValue};

use crate::arrays::fire::{ASH, BURNING, EMPTY, GREEN};
use crate::flocking::{Bird, Sky};
use crate::sir::Rules;
use crate::{End, arrays, syren};

fn stepped<S: SimState>(mut state: S, steps: u32) -> S {
    (0..steps).for_each(|_| state.step());
    state
}

/// Implements the methods of an automaton that starts with given cells and has no parameters.
macro_rules! given_cells {
    () => {
        const DESCRIPTION: &'static str = "";
        const PALETTE: &'static [[u8; 4]] = &[[0, 0, 0, 255]; 4];
        const STATS: &'static [StatDescriptor] = &[];
        type Params = ();

        fn param_descriptors() -> Vec<ParamDescriptor> {
            Vec::new()
        }
        fn from_params(_: &[ParamValue]) {}
        fn init(_: &mut Grid2D<u8>, _: &[ParamValue], _: &mut u64) {}
        fn stats(_: &Grid2D<u8>) -> Vec<StatValue> {
            Vec::new()
        }
    };
}

/// The cells after so many steps.
fn automaton<M: GridModel>(width: u32, cells: &[u8], steps: u32) -> Vec<u8> {
    let size = [width, width].map(ParamValue::U32);
    let state = stepped(GridModelState::<M>::from_cells(&size, cells).unwrap(), steps);
    state.grid_view().unwrap().cells.to_vec()
}

struct Life;

impl GridModel for Life {
    const NAME: &'static str = "Life";
    const ID: &'static str = "life";
    const NEIGHBORHOOD: NeighborhoodKind = NeighborhoodKind::Moore;
    given_cells!();

    fn step_cell(cell: u8, neighbors: &[u8], _: &(), _: &mut u64) -> u8 {
        let near: u8 = neighbors.iter().sum();
        u8::from(near == 3 || near == 2 && cell == 1)
    }
}

pub(crate) fn life(seed: u64, width: u32, steps: u32) -> End {
    let cells: Vec<u8> =
        arrays::life::life(seed, width as usize).cells.iter().map(|&alive| alive.into()).collect();
    automaton::<Life>(width, &cells, steps).into_iter().map(u64::from).collect()
}

struct Fire;

impl GridModel for Fire {
    const NAME: &'static str = "Fire";
    const ID: &'static str = "fire";
    const NEIGHBORHOOD: NeighborhoodKind = NeighborhoodKind::VonNeumann;
    given_cells!();

    fn step_cell(cell: u8, neighbors: &[u8], _: &(), _: &mut u64) -> u8 {
        match cell {
            BURNING => ASH,
            GREEN if neighbors.contains(&BURNING) => BURNING,
            other => other,
        }
    }
}

/// Its grids are tori: a column and a row without trees are the edges of the forest.
pub(crate) fn fire(seed: u64, width: u32, density: f64, steps: u32) -> End {
    let (forest, inner) = (arrays::fire::forest(seed, width as usize, density), width as usize);
    let rows = forest.trees.chunks(inner).flat_map(|row| row.iter().copied().chain([EMPTY]));
    let cells: Vec<u8> = rows.chain(std::iter::repeat_n(EMPTY, inner + 1)).collect();
    let cells = automaton::<Fire>(width + 1, &cells, steps);
    cells.chunks(inner + 1).take(inner).flat_map(|row| &row[..inner]).map(|&tree| tree.into()).collect()
}

const SUSCEPTIBLE: u8 = 0;
const INFECTED: u8 = 1;
const RECOVERED: u8 = 2;

henad::agent_lanes! {
    struct People {
        read PeopleRead;
        chunk PeopleChunk;
        dual health / next_health: u8,
        plain pos_x: f32 = 0.0,
        plain pos_y: f32 = 0.0,
    }
    color = health;
}

struct Probabilities {
    infection: f32,
    recovery: f32,
}

struct Sir;

impl NetworkModel for Sir {
    const NAME: &'static str = "SIR";
    const ID: &'static str = "sir";
    const DESCRIPTION: &'static str = "";
    const PALETTE: &'static [[u8; 4]] = &[[0, 0, 0, 255]; 3];
    const EDGE_PALETTE: &'static [[u8; 4]] = &[[0, 0, 0, 255]];
    const STATS: &'static [StatDescriptor] = &[];
    const DEFAULT_NODES: u32 = 1000;
    const DEFAULT_EXTENT: Extent = Extent { w: 1000.0, h: 1000.0 };
    type Lanes = People;
    type Params = Probabilities;
    type Aux = ();

    fn param_descriptors() -> Vec<ParamDescriptor> {
        let chance = |id| f32_param(id, id, 0.05, 0.0, 1.0, Some(0.01));
        vec![chance("infection"), chance("recovery")]
    }
    fn from_params(params: &[ParamValue], _: Extent) -> Probabilities {
        let [infection, recovery] = [0, 1].map(|index| extract_f32(params, index, 0.05));
        Probabilities { infection, recovery }
    }
    fn init(_: &mut Nodes<'_, Self>, _: Extent, _: &[ParamValue], _: &mut u64) {}

    /// Infects each susceptible person by each of its infected contacts, with the same chance.
    fn run_node_pass(lanes: &mut People, ctx: &NodeCtx<'_, Self>, seed: u64, tick: u64) {
        let (graph, chance) = (ctx.graph, ctx.params);
        lanes.run_pass(Self::CHUNK, seed, tick, |i, k, read, out, rng| {
            let mut draw = |chance| next_float(rng, 1.0) < chance;
            out.health[k] = match read.health[i] {
                SUSCEPTIBLE => {
                    let mut contacts = graph.in_neighbors(i as u32).iter();
                    let infects =
                        |&other: &u32| read.health[other as usize] == INFECTED && draw(chance.infection);
                    if contacts.any(infects) { INFECTED } else { SUSCEPTIBLE }
                }
                INFECTED if draw(chance.recovery) => RECOVERED,
                health => health,
            };
        });
    }

    fn stats(_: &People, _: &Network, (): &()) -> Vec<StatValue> {
        Vec::new()
    }
}

pub(crate) fn sir(seed: u64, number: u32, rules: Rules, steps: u32) -> End {
    let contacts = Contacts::barabasi_albert(number, 3, &mut Random::new(seed));
    let chances = [rules.infection, rules.recovery].map(|chance| ParamValue::F32(chance as f32));
    let size = [ParamValue::F32(1000.0), ParamValue::F32(1000.0)];
    let params: Vec<_> = [ParamValue::U32(number)].into_iter().chain(size).chain(chances).collect();
    let people = NetworkModelState::<Sir>::from_graph(&params, Some(seed), |nodes, _| {
        for person in 0..number {
            for &other in contacts.neighbours(person).iter().filter(|&&other| other > person) {
                nodes.graph.add_edge(person, other, 0);
            }
        }
        nodes.lanes.health[..number as usize / 100].fill(INFECTED);
    });
    stepped(people, steps).lanes().health.iter().map(|&health| health.into()).collect()
}

henad::agent_lanes! {
    struct Birds {
        read BirdsRead;
        chunk BirdsChunk;
        dual pos_x / next_pos_x: f32,
        dual pos_y / next_pos_y: f32,
        dual heading_x / next_heading_x: f32,
        dual heading_y / next_heading_y: f32,
    }
}

struct View {
    size: f32,
    sight: f32,
    /// The square of the distance that birds keep.
    apart: f32,
}

struct Flock;

impl AgentModel for Flock {
    const NAME: &'static str = "Flocking";
    const ID: &'static str = "flocking";
    const DESCRIPTION: &'static str = "";
    const PALETTE: &'static [[u8; 4]] = &[[0, 0, 0, 255]];
    const STATS: &'static [StatDescriptor] = &[];
    const CHUNK: usize = 64;
    const DEFAULT_AGENTS: u32 = 200;
    const DEFAULT_EXTENT: Extent = Extent { w: 100.0, h: 100.0 };
    type Lanes = Birds;
    type Field = NoField;
    type Index = SpatialHash;
    type Params = View;
    type Tally = ();

    fn param_descriptors() -> Vec<ParamDescriptor> {
        let length = |id| f32_param(id, id, 5.0, 0.0, 100.0, None);
        vec![length("sight"), length("apart")]
    }
    fn from_params(params: &[ParamValue], extent: Extent) -> View {
        let [sight, apart] = [0, 1].map(|index| extract_f32(params, index, 5.0));
        View { size: extent.w, sight, apart: apart * apart }
    }
    /// A third of the sight, as in its Boids.
    fn index_cell_size(view: &View) -> f32 {
        view.sight / 3.0
    }
    fn init(_: &mut Birds, _: Extent, _: &[ParamValue], _: &mut u64) {}

    fn run_step_pass(lanes: &mut Birds, ctx: &StepCtx<'_, Self>, seed: u64, tick: u64) {
        let (hash, view) = (ctx.index, ctx.params);
        lanes.run_pass(Self::CHUNK, seed, tick, |i, k, read, out, _| {
            let (mut near, mut apart, mut along, mut seen) = ([0.0; 2], [0.0; 2], [0.0; 2], 0.0_f32);
            let at = [read.pos_x[i], read.pos_y[i]];
            hash.for_each_within(
                at[0],
                at[1],
                view.sight,
                read.pos_x,
                read.pos_y,
                |other, dx, dy, square| {
                    if other as usize != i {
                        seen += 1.0;
                        let too_near = f32::from(u8::from(square < view.apart));
                        near = [near[0] + dx, near[1] + dy];
                        apart = [apart[0] - dx * too_near, apart[1] - dy * too_near];
                        along[0] += read.heading_x[other as usize];
                        along[1] += read.heading_y[other as usize];
                    }
                },
            );
            let seen = seen.max(1.0);
            let turn = |i: usize| (near[i] * 0.03 + apart[i] * 0.015 + along[i] * 0.05) / seen;
            let [x, y] = [read.heading_x[i] + turn(0), read.heading_y[i] + turn(1)];
            let length = (x * x + y * y).sqrt();
            let [x, y] = [x / length, y / length];
            [out.heading_x[k], out.heading_y[k]] = [x, y];
            [out.pos_x[k], out.pos_y[k]] = [x + at[0], y + at[1]].map(|part| wrap_coord(part, view.size));
        });
    }

    fn stats(_: &Birds, _: &NoField, (): &()) -> Vec<StatValue> {
        Vec::new()
    }
}

/// In numbers of 32 bits, which its positions are.
pub(crate) fn flocking_at_once(seed: u64, number: usize, sky: Sky, steps: u32) -> End {
    let birds = syren::birds(&mut Random::new(seed), number, sky);
    let lengths = [sky.size, sky.size, sky.sight, sky.apart].map(|length| ParamValue::F32(length as f32));
    let params: Vec<_> = [ParamValue::U32(number as u32)].into_iter().chain(lengths).collect();
    let flock = AgentModelState::<Flock>::from_agents(&params, |lanes, _| {
        for (i, Bird { at, heading }) in birds.into_iter().enumerate() {
            [lanes.pos_x[i], lanes.pos_y[i]] = at.map(|part| part as f32);
            [lanes.heading_x[i], lanes.heading_y[i]] = heading.map(|part| part as f32);
        }
    });
    let flock = stepped(flock, steps);
    let Birds { heading_x, heading_y, .. } = flock.lanes();
    heading_x
        .iter()
        .zip(heading_y)
        .flat_map(|(&x, &y)| [x, y].map(|part| f64::from(part).to_bits()))
        .collect()
}
