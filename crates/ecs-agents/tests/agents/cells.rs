//! The agents of cells beside a search through all agents, after verbs of all kinds.

use ecs::prelude::*;
use ecs::system::HookState;
use ecs_agents::prelude::*;
use serde::{Deserialize, Serialize};

world! {
    #[derive(Serialize, Deserialize, Clone)]
    struct Town { components { Cell, SingleCell } }
}

const GRID: fn() -> Grid = || Grid::torus(70, 40);

/// Compares both indexes with the values of all agents.
fn check(town: &Town) {
    let (many, single) = (HookState::<Cell>::of(town), HookState::<SingleCell>::of(town));
    let (mut agents, mut alone) = (Vec::new(), 0);
    for cell in GRID().cells() {
        let expected = |found: &[Entity], is_here: &dyn Fn(Entity) -> bool| {
            assert!(found.is_sorted() && found.iter().all(|&agent| is_here(agent)), "{cell}: {found:?}");
        };
        expected(many.at(cell), &|agent| town.get::<Cell>(agent) == Some(&cell));
        expected(single.at(cell), &|agent| town.get::<SingleCell>(agent) == Some(&SingleCell(cell)));
        assert!(single.at(cell).len() <= 1);
        agents.extend_from_slice(many.at(cell));
        alone += single.at(cell).len();
    }
    assert_eq!(agents.len(), town.query::<&Cell>().len());
    assert_eq!(alone, town.query::<&SingleCell>().len());
}

#[test]
fn the_agents_of_cells_follow_all_verbs_at_once() {
    let mut random = Random::new(5);
    let mut town = Town::new();
    let mut kept = town.snapshot();
    for round in 0..600 {
        let agents: Vec<Entity> = town.query::<Entity>().iter().collect();
        let agent = agents.choose(&mut random).copied().unwrap_or_else(|| town.spawn(()));
        let cell = GRID().random(&mut random);
        match random.random_range(0..10) {
            0..4 => _ = town.spawn(cell),
            4 => _ = town.try_spawn((cell, SingleCell(cell))),
            5 => _ = town.insert(agent, cell),
            6 => _ = town.insert(agent, SingleCell(cell)),
            7 => _ = town.remove::<Cell>(agent),
            8 => town.despawn(agent).unwrap(),
            _ => _ = town.spawn_batch((0..5).map(|_| cell)),
        }
        match round % 100 {
            20 => kept = town.snapshot(),
            60 => town.restore(&kept),
            80 => town = Town::load(&town.to_bytes().unwrap()).unwrap(),
            90 => town = town.clone(),
            _ => {}
        }
        if round % 20 == 0 {
            check(&town);
        }
    }
    check(&town);
    town.clear();
    check(&town);
}

world! {
    struct Crowd { components { Cell } resources { Random } }
    schedule step { push }
}

/// Many moves between few cells, so that lists of all lengths come and go. The index is right after
/// each of them.
#[system(Crowd)]
fn push(mut cells: Storage<Cell>, agents: Query<Entity>, mut random: ResMut<Random>) {
    let grid = Grid::bounded(3, 1);
    for agent in random.shuffled(agents) {
        let cell = grid.random(&mut *random);
        let before = cells.get(agent).copied();
        assert_eq!(cells.insert(agent, cell).unwrap(), before);
        assert!(cells.insert(agent, Cell { x: Cell::END, y: 0 }).is_err(), "it keeps its cell");
        if random.random_bool(0.2) {
            assert_eq!(cells.remove(agent), Some(cell));
        }
        for cell in grid.cells() {
            let here = cells.iter().filter(|&(_, &other)| other == cell).map(|(agent, _)| agent);
            assert!(here.eq(cells.hook_state().at(cell).iter().copied()));
        }
    }
}

#[test]
fn the_agents_of_a_crowd_are_right_after_each_move() {
    let mut crowd = Crowd::new(Random::new(1));
    for _ in 0..60 {
        crowd.spawn(());
        crowd.step();
        for agent in crowd.query::<Entity>().iter().step_by(7).collect::<Vec<_>>() {
            crowd.despawn(agent).unwrap();
            crowd.spawn(Cell { x: 1, y: 0 });
        }
    }
}

#[test]
fn a_second_agent_is_refused_and_an_own_cell_is_kept() {
    let mut town = Town::new();
    let cell = Cell { x: 3, y: 4 };
    let agent = town.spawn(SingleCell(cell));
    let refused = town.try_spawn(SingleCell(cell)).unwrap_err();
    assert!(refused.to_string().contains("another agent is in this cell"), "{refused}");
    assert!(town.insert(agent, SingleCell(cell)).is_ok());
    assert!(town.try_spawn(Cell { x: Cell::END, y: 0 }).unwrap_err().to_string().contains("65,536"));
    town.despawn(agent).unwrap();
    assert!(town.try_spawn(SingleCell(cell)).is_ok());
    check(&town);
}

#[test]
fn agents_far_from_each_other_are_shown() {
    let mut town = Town::new();
    let cells = [(0, 0), (40, 0), (1, 1), (65_535, 65_535)].map(|(x, y)| Cell { x, y });
    let agents = cells.map(|cell| town.spawn(cell));
    let shown = format!("{:?}", HookState::<Cell>::of(&town));
    let expected = cells.iter().zip(agents).map(|(cell, agent)| format!("{cell:?}: [{agent:?}]"));
    assert_eq!(shown, format!("HookState({{{}}})", expected.collect::<Vec<_>>().join(", ")));
}

#[test]
fn a_random_empty_cell_is_found_where_one_is_left() {
    let (grid, mut random) = (Grid::torus(20, 20), Random::new(1));
    let mut town = Town::new();
    for left in (0..grid.len()).rev() {
        let cell = grid.random_empty(&HookState::<Cell>::of(&town), &mut random);
        town.spawn(cell.expect("a cell is empty"));
        assert_eq!(grid.cells().filter(|&cell| HookState::<Cell>::of(&town).is_empty_at(cell)).count(), left);
    }
    assert_eq!(grid.random_empty(&HookState::<Cell>::of(&town), &mut random), None);
}
