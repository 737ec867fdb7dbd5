//! The pictures of a world with every kind of node: all names can be read, nothing covers a box,
//! and the files are well-formed.
#![forbid(unsafe_code)]
#![allow(elided_lifetimes_in_paths, reason = "the system of a user")]

use ecs::prelude::*;
use ecs_picture::{CommandError, Kind, WorldPicture};

#[derive(Component, Default, Clone)]
struct Position(f32);
#[derive(Component, Default, Clone)]
#[component(requires(Position))]
struct Velocity(f32);
#[derive(Component, Default, Clone)]
#[component(requires(Velocity), excludes(Frozen))]
struct Motor;
#[derive(Component, Default, Clone)]
#[component(excludes(Motor))]
struct Frozen;
#[derive(Component, Default)]
struct CleanUp;
#[derive(Component, Clone, PartialEq, Eq, Hash)]
#[component(key)]
struct Plate(u32);
#[derive(Component)]
struct Cargo<T: Send + Sync + 'static>(Vec<T>);
#[derive(Relation)]
#[relation(exclusive, gone = mark(CleanUp))]
struct Follows(Entity);
#[derive(Resource, Default)]
struct Clock(u32);
#[derive(Event)]
struct Bumped(Entity);

#[derive(Aspect)]
struct Body {
    position: Position,
    #[aspect(default = Velocity(2.0))]
    velocity: Velocity,
}
#[derive(Aspect)]
struct Car {
    #[aspect(.position.0 = if 1 < 2 { 3.0 } else { 4.0 })]
    body: Body,
    motor: Motor,
}

world! {
    struct Street {
        components { Position, Velocity, Motor, Frozen, CleanUp, Plate, cargo: Cargo<Vec<u8>>, Follows }
        resources { clock: Clock = Clock::default() }
        events { Bumped }
    }
    schedule tick {
        accelerate, movement if !(stopped || stopped), bump, load::<Vec<u8>>;
        sweep;
        react { heal } max 8;
        listen;
    }
    schedule idle {}
}

#[system(Street)]
fn accelerate(velocity: &mut Velocity, _: With<Motor>) {
    velocity.0 += 1.0;
}
#[system(Street)]
fn movement(position: &mut Position, velocity: &Velocity, clock: Res<Clock>) {
    position.0 += velocity.0 * clock.0 as f32;
}
#[system(Street)]
fn stopped(clock: Res<Clock>) -> bool {
    clock.0 == 0
}
#[system(Street)]
fn bump(all: Query<(Entity, &Position), Without<Frozen>>, mut bumped: EventWriter<Bumped>) {
    all.iter().for_each(|(entity, _)| bumped.send(Bumped(entity)));
}
#[system]
fn load<T: Send + Sync + 'static>(cargo: &mut Cargo<T>, mut clock: ResMut<Clock>) {
    cargo.0.clear();
    clock.0 += 1;
}
#[system(Street)]
fn sweep(street: &mut Street) {
    let _ = street.entities().len();
}
#[system(Street)]
fn heal(found: Entered<With<CleanUp>>, mut commands: Commands<Street>) {
    found.iter().for_each(|entity| commands.remove::<(CleanUp, Follows)>(entity));
}
#[system(Street)]
fn listen(mut bumped: EventReader<Bumped>) {
    for Bumped(entity) in &mut bumped {
        let _ = entity;
    }
}

fn picture() -> WorldPicture {
    WorldPicture::of(&Street::new()).aspect::<Car>()
}

/// The contents of all elements of a kind: the attributes, and the text up to the end.
fn elements<'a>(svg: &'a str, tag: &str) -> Vec<(&'a str, &'a str)> {
    let open = format!("<{tag} ");
    let parts = svg.split(open.as_str()).skip(1);
    parts.map(|rest| rest.split_once('>').expect("the tag ends")).collect()
}

fn attribute(attributes: &str, name: &str) -> usize {
    let start = attributes.find(&format!(" {name}=\"")).map(|at| at + name.len() + 3);
    let start = start.or_else(|| attributes.strip_prefix(&format!("{name}=\"")).map(|_| name.len() + 2));
    let rest = &attributes[start.unwrap_or_else(|| panic!("{name} of {attributes}"))..];
    rest.split('"').next().and_then(|number| number.parse().ok()).expect("a whole number")
}

/// Left, top, right and bottom of the boxes; the frames of stages contain boxes, and are left out.
fn boxes(svg: &str) -> Vec<[usize; 4]> {
    let frames = elements(svg, "rect").into_iter().map(|(attributes, _)| attributes);
    let frames = frames.filter(|one| !one.contains("stage") && !one.contains("ecs-paper"));
    let corners = frames.map(|one| {
        let (x, y) = (attribute(one, "x"), attribute(one, "y"));
        [x, y, x + attribute(one, "width"), y + attribute(one, "height")]
    });
    corners.collect()
}

#[test]
fn w31_every_schedule_system_component_relation_and_aspect_can_be_read() {
    let picture = picture();
    let texts = |kind| -> Vec<String> {
        let svg = picture.svg(kind);
        let texts = elements(&svg, "text");
        texts.iter().map(|(_, text)| text.split("</text>").next().unwrap_or_default().to_owned()).collect()
    };
    let shows = |kind, expected: &[&str]| {
        let texts = texts(kind);
        for text in expected {
            assert!(texts.iter().any(|known| known == text), "{kind:?} does not show `{text}`: {texts:#?}");
        }
    };
    shows(
        Kind::Schedules,
        &[
            "schedule tick",
            "stage 1",
            "stage 3: react, at most 8 times",
            "accelerate",
            "load::&lt;Vec&lt;u8&gt;&gt;",
            "if !(stopped || stopped)",
            "after accelerate: Velocity",
            "takes the whole world",
            "reads Velocity, resource Clock",
            "writes Position",
            "sends Bumped",
            "reads event Bumped",
            "filters by Motor",
            "gives commands",
            "components that no system uses: Plate,",
            "  Follows",
        ],
    );
    shows(Kind::Access, &["movement", "sweep", "Position", "Cargo&lt;Vec&lt;u8&gt;&gt;", "Clock", "Bumped"]);
    shows(
        Kind::Components,
        &[
            "Motor",
            "requires Velocity",
            "excludes Frozen",
            "key",
            "relation Follows",
            "exclusive, gone = mark",
            "marks with CleanUp",
        ],
    );
    shows(
        Kind::Aspects,
        &["aspect Car", "aspect Body", "Position", "velocity: Velocity = Velocity(2.0)", "motor: Motor"],
    );
    assert!(texts(Kind::Aspects).iter().any(|text| text.contains("body.position.0 = if 1 &lt; 2")));
}

#[test]
fn w31_boxes_do_not_overlap_and_arrows_cross_none() {
    for kind in Kind::ALL {
        let svg = picture().svg(kind);
        let boxes = boxes(&svg);
        assert!(boxes.len() > 3, "{kind:?}");
        for (at, one) in boxes.iter().enumerate() {
            for other in &boxes[..at] {
                let apart =
                    one[2] <= other[0] || other[2] <= one[0] || one[3] <= other[1] || other[3] <= one[1];
                assert!(apart, "{kind:?}: {one:?} overlaps {other:?}");
            }
        }
        for (attributes, _) in elements(&svg, "path") {
            // heads of arrows touch their boxes, and the lines of rows and columns lead to them
            let path =
                attributes.strip_prefix("d=\"M").and_then(|rest| rest.split('"').next()).expect("a path");
            if path.ends_with('Z') {
                continue;
            }
            let points = path.split('L').map(|point| {
                let (x, y) = point.split_once(' ').expect("two numbers");
                (x.parse().expect("a number"), y.parse().expect("a number"))
            });
            let points: Vec<(usize, usize)> = points.collect();
            for pair in points.windows(2) {
                let (x, y) = ([pair[0].0, pair[1].0], [pair[0].1, pair[1].1]);
                let (left, right) = (x[0].min(x[1]), x[0].max(x[1]));
                let (top, bottom) = (y[0].min(y[1]), y[0].max(y[1]));
                for one in &boxes {
                    let outside = right <= one[0] || one[2] <= left || bottom <= one[1] || one[3] <= top;
                    assert!(outside, "{kind:?}: the line {pair:?} crosses {one:?}");
                }
            }
        }
    }
}

/// Each tag that is opened is closed, in the right order.
#[test]
fn pictures_are_well_formed_and_equal_at_each_call() {
    for kind in Kind::ALL {
        let svg = picture().svg(kind);
        assert!(svg == picture().svg(kind) && !svg.contains("\n\n"), "{kind:?}");
        let mut open = Vec::new();
        for tag in svg.split('<').skip(1).map(|rest| rest.split('>').next().expect("the tag ends")) {
            match tag.strip_prefix('/') {
                Some(name) => assert_eq!(open.pop(), Some(name), "{kind:?}"),
                None if tag.ends_with('/') => {}
                None => open.push(tag.split(' ').next().expect("a name")),
            }
        }
        assert!(open.is_empty(), "{open:?}");
        let (head, _) = svg.split_once('>').expect("the head");
        for one in boxes(&svg) {
            assert!(
                one[2] < attribute(head, "width") && one[3] < attribute(head, "height"),
                "{kind:?}: {one:?}"
            );
        }
    }
}

#[test]
fn w31_the_command_writes_files_and_finds_those_that_differ() {
    let folder = std::env::temp_dir().join(format!("ecs-picture-{}", std::process::id()));
    let picture = picture();
    let run = |form: &str| picture.command([form.to_owned(), folder.display().to_string()]);
    run("--into").expect("the files are written");
    run("--check").expect("they are of this world");
    assert!(folder.join("aspects.svg").exists());
    std::fs::write(folder.join("access.svg"), "<svg/>").expect("the file is written");
    assert!(matches!(run("--check"), Err(CommandError::Differs(file)) if file.ends_with("access.svg")));
    std::fs::remove_dir_all(&folder).expect("the folder is removed");
    assert!(matches!(run("--check"), Err(CommandError::File(..))));
    for wrong in [&["--svg"][..], &["--svg", "all"], &["--png", "access"], &["--svg", "access", "more"]] {
        let error =
            picture.command(wrong.iter().map(|one| (*one).to_owned())).expect_err("an argument is wrong");
        assert!(error.to_string().contains("--into FOLDER"), "{error}");
    }
}

world! {
    struct Stairs { resources { clock: Clock = Clock::default() } }
    schedule climb {
        step::<0>; step::<1>; step::<2>; step::<3>; step::<4>; step::<5>; step::<6>; step::<7>; step::<8>; step::<9>;
        step::<10>; step::<11>; step::<12>; step::<13>; step::<14>; step::<15>; step::<16>; step::<17>; step::<18>; step::<19>;
        step::<20>; step::<21>; step::<22>; step::<23>; step::<24>; step::<25>; step::<26>; step::<27>; step::<28>; step::<29>;
        step::<30>; step::<31>; step::<32>; step::<33>; step::<34>; step::<35>; step::<36>; step::<37>; step::<38>; step::<39>;
        step::<40>; step::<41>; step::<42>; step::<43>; step::<44>; step::<45>; step::<46>; step::<47>; step::<48>; step::<49>;
        step::<50>; step::<51>; step::<52>; step::<53>; step::<54>; step::<55>; step::<56>; step::<57>; step::<58>; step::<59>;
        step::<60>; step::<61>; step::<62>; step::<63>; step::<64>; step::<65>; step::<66>; step::<67>; step::<68>; step::<69>;
        step::<70>; step::<71>; step::<72>; step::<73>; step::<74>; step::<75>; step::<76>; step::<77>; step::<78>; step::<79>;
        step::<80>; step::<81>; step::<82>; step::<83>; step::<84>; step::<85>; step::<86>; step::<87>; step::<88>; step::<89>;
        step::<90>; step::<91>; step::<92>; step::<93>; step::<94>; step::<95>; step::<96>; step::<97>; step::<98>; step::<99>;
    }
}

#[system(Stairs)]
fn step<const N: usize>(mut clock: ResMut<Clock>) {
    clock.0 += 1;
}

#[test]
fn many_stages_are_in_several_columns() {
    let svg = WorldPicture::of(&Stairs::new()).svg(Kind::Schedules);
    let size = elements(&svg, "svg")[0].0;
    let (width, height) = (attribute(size, "width"), attribute(size, "height"));
    assert!(width < 2 * height && height < 2 * width, "{width} x {height}");
    let frames = boxes(&svg);
    assert_eq!(frames.len(), 100);
    for (at, one) in frames.iter().enumerate() {
        for other in &frames[..at] {
            let apart = (0..2).any(|axis| one[axis + 2] <= other[axis] || other[axis + 2] <= one[axis]);
            assert!(apart, "{one:?} covers {other:?}");
        }
    }
}
