//! The `init` functions of systems.

use std::cell::RefCell;

use ecs::prelude::*;

#[derive(Component, Clone)]
struct Lamp;
#[derive(Resource, Clone, Default, Debug, PartialEq)]
struct Log(Vec<&'static str>);
#[derive(Event, Clone)]
struct Lit;

world! {
    #[derive(Clone)]
    struct House {
        components { Lamp }
        resources { log: Log = Log(vec!["log"]), power: Power }
        events { Lit(external) }
    }
    schedule morning { wake if bright; wake_all }
    schedule evening { light; wake }
}

#[derive(Resource, Clone)]
struct Power(u32);

fn note(house: &mut House) {
    let text = if house.resource::<Power>().0 > 0 { "on" } else { "off" };
    house.resource_mut::<Log>().0.push(text);
}

/// The forms of the path after `init`.
mod first {
    pub(super) fn ask(house: &mut super::House) {
        super::push(house, "bright");
    }
}

fn push(house: &mut House, text: &'static str) {
    house.resource_mut::<Log>().0.push(text);
}

#[system(House, init = note)]
fn wake(mut log: ResMut<Log>) {
    log.0.push("wake");
}

#[system(House, init = first::ask)]
fn bright(power: Res<Power>) -> bool {
    power.0 > 0
}

thread_local! {
    /// A clone that was made while `wake_all` was running.
    static COPY: RefCell<Option<House>> = const { RefCell::new(None) };
}

/// Exclusive, and copies the world while it runs.
#[system(House, init = all)]
fn wake_all(house: &mut House) {
    let copy = house.clone();
    COPY.with(|place| place.replace(Some(copy)));
}

fn all(house: &mut House) {
    push(house, "all");
}

/// A light that an `init` function lights.
fn lamp(house: &mut House) {
    house.spawn(Lamp);
    house.send(Lit);
}

#[system(House, init = lamp)]
fn light(mut lit: EventReader<Lit>, mut log: ResMut<Log>, mut seen: Local<u32>) {
    for Lit in &mut lit {
        *seen += 1;
        log.0.push(if *seen == 1 { "lit" } else { "lit again" });
    }
}

const MADE: [&str; 5] = ["log", "bright", "on", "all", "on"];

#[test]
fn each_place_prepares_the_world_once_in_the_order_of_the_text() {
    let house = House::new(Power(1));
    assert_eq!(house.resource::<Log>().0, MADE);
    assert_eq!(house.query::<&Lamp>().len(), 1);
}

#[test]
fn what_is_sent_then_is_read_by_every_reader() {
    let mut house = House::new(Power(1));
    house.evening();
    house.evening();
    assert_eq!(house.resource::<Log>().0[MADE.len()..], ["lit", "wake", "wake"]);
}

#[test]
fn a_clone_is_prepared_already() {
    let mut house = House::new(Power(0));
    let mut copy = house.clone();
    copy.evening();
    assert_eq!(copy.resource::<Log>().0, ["log", "bright", "off", "all", "off", "lit", "wake"]);
    // even if the system of that place was running
    house.morning();
    let mut copy = COPY.take().expect("was copied");
    let before = copy.resource::<Log>().clone();
    copy.morning();
    assert_eq!(copy.resource::<Log>(), &before);
}

#[test]
fn to_run_a_system_once_gives_it_no_place() {
    let mut house = House::new(Power(1));
    house.run::<wake>();
    assert_eq!(house.resource::<Log>().0[MADE.len()..], ["wake"]);
}

/// A system of any world, with the bounds that its `init` needs.
mod generic {
    use ecs::prelude::*;
    use ecs::{Has, HasResource};

    #[derive(Resource, Default)]
    pub struct Total(pub u32);
    #[derive(Component)]
    pub struct Coin(pub u32);

    fn mint<W: Has<Coin>>(world: &mut W) {
        world.spawn(Coin(5));
    }

    /// An `init` function with the bounds of the parameters.
    #[system(init = mint)]
    pub fn count(coins: Query<&Coin>, mut total: ResMut<Total>) {
        total.0 = coins.iter().map(|coin| coin.0).sum();
    }

    fn double<W: Has<Coin> + HasResource<Total>>(world: &mut W) {
        world.resource_mut::<Total>().0 *= 2;
    }

    /// A system with a type parameter for its world, for further bounds.
    #[system(W, init = double::<W>)]
    pub fn report<W: Has<Coin> + HasResource<Total>>(world: &mut W) {
        world.resource_mut::<Total>().0 += 100;
    }
}

#[test]
fn that_of_a_generic_system_takes_any_world() {
    use generic::{Coin, Total, count, report};
    world! {
        struct Bank {
            components { Coin }
            resources { total: Total = Total(4) }
        }
        schedule tick { count; report }
    }
    let mut bank = Bank::new();
    assert_eq!(bank.resource::<Total>().0, 8);
    bank.tick();
    assert_eq!(bank.resource::<Total>().0, 105);
}

#[test]
fn it_may_run_schedules() {
    #[derive(Resource, Default)]
    struct Runs(u32);

    fn run(world: &mut Loop) {
        world.tick();
    }

    world! {
        struct Loop { resources { runs: Runs = Runs(0) } }
        schedule tick { step }
        schedule other { start }
    }

    #[system(Loop)]
    fn step(mut runs: ResMut<Runs>) {
        runs.0 += 1;
    }

    #[system(Loop, init = run)]
    fn start(runs: Res<Runs>) {
        let _ = runs;
    }

    assert_eq!(Loop::new().resource::<Runs>().0, 1);
}
