//! Pictures, charts, and the agent at which the user clicks.

use ecs::prelude::*;
use ecs_agents::prelude::*;
use ecs_agents::window::egui::{Pos2, vec2};
use serde::{Deserialize, Serialize};

use crate::models::schelling::{Group, Town};
use crate::screen::{Screen, schelling};

/// The middle of a cell of the picture, of a grid with so many columns.
fn cell(screen: &Screen<Town>, cell: Cell) -> Pos2 {
    let rect = screen.rect("picture");
    let unit = rect.width() / 20.0;
    rect.min + vec2(cell.x as f32 + 0.5, cell.y as f32 + 0.5) * unit
}

#[test]
fn a_click_chooses_an_agent_whose_values_are_edited() {
    let mut screen = Screen::new(schelling());
    screen.assert_shows(&["Click at an agent"]);
    let agents: Vec<(Entity, Cell)> =
        screen.world().query::<(Entity, &SingleCell)>().iter().map(|(id, home)| (id, home.0)).collect();
    for (agent, home) in [agents[0], agents[100], agents[319]] {
        screen.click_at(cell(&screen, home));
        assert_eq!(screen.window().chosen(), Some(agent));
        screen.assert_shows(&[&agent.to_string(), "Group", "SingleCell"]);
    }
    let agent = agents[319].0;
    screen.type_into("Group", "1");
    assert_eq!(screen.world().get::<Group>(agent), Some(&Group(1)));
    // a cell that another one has
    let other = agents[0].1;
    screen.type_into("SingleCell.x", &other.x.to_string());
    screen.type_into("SingleCell.y", &other.y.to_string());
    assert_ne!(screen.world().get::<SingleCell>(agent), Some(&SingleCell(other)));
}

#[test]
fn a_dead_agent_stays_chosen_until_a_click() {
    let mut screen = Screen::new(schelling());
    let agent = screen.world().query::<Entity>().iter().next().expect("an agent");
    screen.window().choose(agent);
    screen.frames(4);
    screen.click("Despawn");
    assert!(!screen.world().contains(agent));
    screen.assert_shows(&["not alive"]);
    screen.click("Step");
    screen.assert_shows(&["not alive", "step 1"]);
    screen.click("Reset");
    assert!(screen.world().contains(agent), "the same id in the next run");
    screen.assert_shows(&["SingleCell"]);
}

#[derive(Component, Serialize, Deserialize, Clone, Copy)]
#[component(hook = CellList<f32, 2>)]
struct Position([f32; 2]);

impl Positioned<f32, 2> for Position {
    const CELL: f64 = 5.0;
    fn point(&self) -> [f32; 2] {
        self.0
    }
}

#[derive(Component, Serialize, Deserialize)]
struct Bird;

#[derive(Component, Serialize, Deserialize)]
struct Tree;

#[derive(Resource, Serialize, Deserialize)]
struct Wind {
    strength: f32,
}

world! {
    #[derive(Reflect, Serialize, Deserialize)]
    struct Land {
        components { Cell, Position, Bird, Tree }
        resources { ContinuousSpace<f32, 2>, height: Layer<f64>, Wind }
    }
    schedule step { blow }
}

#[system(Land)]
fn blow(mut positions: Storage<Position>, birds: Query<Entity, With<Bird>>, wind: Res<Wind>) {
    for bird in &birds {
        let Some(&Position([x, y])) = positions.get(bird) else { continue };
        positions.insert(bird, Position([x + wind.strength, y])).expect("a finite point");
    }
}

/// Two birds at points, and three trees in one cell.
fn land(_: &Trial) -> Land {
    let grid = Grid::bounded(10, 10);
    let height = Layer::from_fn(grid, |cell| f64::from(cell.x));
    let mut land = Land::new(ContinuousSpace::bounded([10.0, 10.0]), height, Wind { strength: 0.5 });
    land.spawn_batch([[1.0, 1.0], [8.0, 8.0]].map(|at| (Position(at), Bird)));
    land.spawn_batch([(); 3].map(|()| (Cell { x: 5, y: 2 }, Tree)));
    land
}

fn heights(land: &Land) -> Picture {
    let height = land.resource::<Layer<f64>>();
    let colour = |height: &f64| Rgb::between(Rgb::BLACK, Rgb::GREEN, *height / 10.0);
    Picture::of(&height.grid(), 20).layer(height, colour)
}

fn birds(land: &Land) -> Picture {
    let birds = land.query::<&Position>();
    let points = birds.iter().map(|position| (position.0, Rgb::BLUE));
    Picture::of_space(land.resource::<ContinuousSpace<f32, 2>>(), 30.0).points(4.0, points)
}

fn land_window() -> ModelWindow<Land> {
    let recorder = Recorder::new()
        .column("nothing", |_| f64::NAN)
        .column("east", |land: &Land| land.query::<&Position>().iter().map(|at| f64::from(at.0[0])).sum());
    let window = ModelWindow::new("Land", land, Land::step).slider("Wind.strength", -1.0..=1.0);
    window.recorder(recorder).picture("height", heights).picture("birds", birds)
}

#[test]
fn each_click_chooses_the_next_agent_of_a_cell() {
    let mut screen = Screen::new(land_window().cells::<Cell>());
    let rect = screen.rect("picture");
    let at = rect.min + rect.size() * vec2(0.55, 0.25);
    let mut seen = Vec::new();
    for _ in 0..4 {
        screen.click_at(at);
        seen.push(screen.window().chosen().expect("a tree"));
    }
    assert!(seen[0] < seen[1] && seen[1] < seen[2] && seen[3] == seen[0], "{seen:?}");
    // a click at an empty cell chooses nobody else
    screen.click_at(rect.min + rect.size() * 0.95);
    assert_eq!(screen.window().chosen(), Some(seen[0]));
}

#[test]
fn the_nearest_point_is_chosen_in_each_picture() {
    let mut screen = Screen::new(land_window().points::<Position, f32, 2>());
    for view in ["height", "birds"] {
        screen.click(view);
        let rect = screen.rect("picture");
        for (part, expected) in [(0.9, [8.0, 8.0]), (0.0, [1.0, 1.0])] {
            screen.click_at(rect.min + rect.size() * part);
            let chosen = screen.window().chosen().expect("a bird");
            assert_eq!(screen.world().get::<Position>(chosen).map(|at| at.0), Some(expected));
        }
    }
}

#[test]
fn a_slider_changes_a_part_of_a_resource() {
    let mut screen = Screen::new(land_window());
    screen.type_into("Wind.strength", "-0.25");
    screen.click("Step");
    assert_eq!(screen.window().table().column("east"), Some(&[9.0, 8.5][..]));
    screen.drag("Wind.strength", 500.0);
    assert_eq!(screen.world().resource::<Wind>().strength, 1.0);
}

#[test]
fn a_number_that_is_none_is_shown_and_replaced() {
    let model = |trial: &Trial| {
        let mut land = land(trial);
        land.resource_mut::<Wind>().strength = f32::NAN;
        land
    };
    let trial = Trial::new(1).with("heat", f64::NAN);
    let window = ModelWindow::new("Land", model, |_: &mut Land| {}).slider("Wind.strength", -1.0..=1.0);
    let mut screen = Screen::new(window.parameter("heat", 0.5, 0.0..=1.0).trial(&trial));
    screen.assert_shows(&["NaN"]);
    screen.click("Step");
    assert!(screen.world().resource::<Wind>().strength.is_nan(), "nobody has changed it");
    screen.drag("Wind.strength", 500.0);
    assert_eq!(screen.world().resource::<Wind>().strength, 1.0);
    screen.click("Reset");
    assert_eq!(screen.world().resource::<Wind>().strength, 1.0, "the value that was given");
}

#[test]
fn paths_and_columns_that_do_not_exist_are_named() {
    let window = land_window().slider("Wnid", 0..=1).slider("height", 0..=1).chart(["east", "west"]);
    let mut screen = Screen::new(window);
    screen.assert_shows(&["Wnid", "no column `west`", "east"]);
    screen.click("Step");
    assert_eq!(screen.window().steps(), 1);
    screen.hover_at(screen.rect("east").center() + vec2(0.0, 40.0));
    screen.frames(4);
}

#[test]
fn a_window_of_any_size_is_drawn() {
    for size in [[0.0, 0.0], [1.0, 1.0], [30.0, 500.0], [700.0, 20.0], [260.0, 200.0], [4000.0, 3000.0]] {
        let mut screen = Screen::with_size(land_window().points::<Position, f32, 2>(), size);
        let bird = screen.world().query::<Entity>().iter().next().expect("a bird");
        screen.window().choose(bird);
        screen.window().advance(3).expect("nothing panics");
        screen.frames(4);
        assert_eq!(screen.window().steps(), 3);
    }
}

#[test]
fn a_picture_is_drawn_without_a_display() {
    let mut window = schelling();
    window.advance(3).expect("nothing panics");
    let mut png = Vec::new();
    window.screenshot(&mut png).expect("memory can be written");
    assert!(png.starts_with(b"\x89PNG") && png.len() > 10_000, "{} bytes", png.len());
    assert_eq!(window.steps(), 3);
    // again, and in another context of egui
    let mut again = Vec::new();
    window.screenshot(&mut again).expect("memory can be written");
    assert!(png == again);
    Screen::new(window).assert_shows(&["step 3"]);
}
