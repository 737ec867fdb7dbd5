//! People anywhere pay each other, the poorest leave, and a tax on all is divided among all:
//! `cargo run --release -p checked-ecs-distributed --example payments -- 4` runs it on four workers.
//! It prints the same line for each number of workers.

#![allow(elided_lifetimes_in_paths, reason = "systems are written as users write them")]

use ecs::prelude::*;
use ecs_distributed::{GlobalId, Grid, InProcess, Messages, Model, Part, RunError, Totals, Worker};
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, Serialize, Deserialize)]
struct Town(u32);
#[derive(Component, Clone, Serialize, Deserialize)]
struct Money(f64);
#[derive(Resource, Clone, Serialize, Deserialize)]
struct Day(u64);

#[derive(Clone, Serialize, Deserialize)]
struct Payment(f64);
/// Number, sum, least and most of the money of all people: `()` since it has no keys.
type Wealth = Totals<(), f64>;

world! {
    #[derive(Serialize, Deserialize)]
    struct Country {
        components { GlobalId, Town, Money }
        resources {
            day: Day = Day(0),
            payments: Messages<Payment> = Messages::new(),
            wealth: Wealth = Wealth::new()
        }
    }
    schedule tick { receive; tax; pay; leave; count; sleep }
}

/// Payments of the last tick arrive in an order that does not depend on the number of workers. One
/// to a person who has left comes back.
#[system(Country)]
fn receive(mut people: Query<&mut Money>, payments: Res<Messages<Payment>>) {
    for message in payments.iter().chain(payments.returned()) {
        people.get_mut(message.entity).expect("nobody leaves before").0 += message.value.0;
    }
}

#[system(Country)]
fn tax(money: &mut Money, wealth: Res<Wealth>) {
    if let Some(all) = wealth.get(&()) {
        money.0 += 0.01 * (all.sum / all.count as f64 - money.0);
    }
}

#[system(Country)]
fn pay(id: &GlobalId, money: &mut Money, day: Res<Day>, mut payments: ResMut<Messages<Payment>>) {
    let (to, payment) = (GlobalId(id.child(day.0).0 % 10_000), Payment(money.0 / 3.0));
    money.0 -= payment.0;
    payments.send(*id, to, payment);
}

#[system(Country)]
fn leave(person: Entity, money: &Money, mut commands: Commands<Country>) {
    if money.0 < 0.1 {
        commands.despawn(person);
    }
}

#[system(Country)]
fn count(people: Query<&Money>, mut wealth: ResMut<Wealth>) {
    wealth.add_all((), people.iter().map(|money| money.0));
}

#[system(Country)]
fn sleep(mut day: ResMut<Day>) {
    day.0 += 1;
}

struct Economy(Grid);

impl Model for Economy {
    type World = Country;
    type Place = Town;
    type Components = (GlobalId, Town, Money);
    type Shared = (Messages<Payment>, Wealth);
    type Space = Grid;

    fn space(&self) -> &Grid {
        &self.0
    }
    fn place(&self, town: &Town) -> u32 {
        town.0
    }
    fn build(&self, part: &Part<'_>) -> Country {
        let mut country = Country::new();
        for id in 0..10_000 {
            let town = (GlobalId(id).child(1).0 % 100) as u32;
            if part.owns(town) {
                country.spawn((GlobalId(id), Town(town), Money(1.0 / (1.0 + id as f64 / 1e3))));
            }
        }
        country
    }
    fn tick(&self, country: &mut Country) {
        country.tick();
    }
}

fn main() -> Result<(), RunError> {
    let workers = std::env::args().nth(1).and_then(|number| number.parse().ok()).unwrap_or(2);
    let lines = InProcess::run(workers, |exchange| {
        let mut worker = Worker::new(Economy(Grid::new(100, 1)), exchange)?;
        (0..30).try_for_each(|_| worker.tick())?;
        let wealth = worker.world().resource::<Wealth>().get(&()).copied();
        Ok(format!("{wealth:?}, hash {:016x}", worker.hash()?))
    })?;
    println!("{}", lines[0]);
    Ok(())
}
