//! Observers with documentation, with conditions, between the schedules, and compiled out one by one.
use ecs::prelude::*;

#[derive(Component)]
#[component(tracked)]
struct Health(i32);
#[derive(Component, Clone)]
#[component(removed)]
struct Armor;
#[derive(Event)]
struct Hit(i32);
#[derive(Resource, Default)]
struct Total(i32);

world! {
    struct Game {
        components { Health, Armor }
        resources { Total = Total::default() }
        events { Hit(external) }
    }
    schedule before { age }
    /// What follows from changes.
    observers {
        /// When something is hit.
        wound,
        show if wounded && !unhurt,
        #[cfg(any())]
        not_there,
        strip,
    }
    schedule after { age }
}

world! {
    struct Plain { components { Armor } }
    observers { enters } max 3
}

#[system(Game)]
fn wound(mut hits: EventReader<Hit>, mut total: ResMut<Total>) {
    hits.iter().for_each(|hit| total.0 += hit.0);
}

#[system(Game)]
fn show(health: &Health, _: Changed<Health>) {
    assert!(health.0 > 0);
}

#[system(Game)]
fn strip(mut armor: Removed<Armor>) {
    armor.clear();
}

#[system(Game)]
fn age(mut health: Mut<Health>) {
    health.0 += 1;
}

#[system(Game)]
fn wounded(total: Res<Total>) -> bool {
    total.0 > 0
}

#[system(Game)]
fn unhurt(total: Res<Total>) -> bool {
    total.0 == 0
}

#[system(Plain)]
fn enters(new: Entered<With<Armor>>) {
    assert!(new.iter().count() > 0);
}

/// A library with an observer, which a world includes.
pub mod library {
    use ecs::prelude::*;

    #[derive(Component)]
    pub struct Shield;
    #[derive(Resource, Default)]
    pub struct Shields(pub usize);

    parts! {
        pub shields {
            components { Shield }
            resources { Shields = Shields::default() }
            schedule watch { count }
        }
    }

    #[system]
    pub fn count(new: Entered<With<Shield>>, mut shields: ResMut<Shields>) {
        shields.0 += new.len();
    }
}

world! {
    struct Fort { include library::shields; }
    observers { include library::watch }
}

pub fn main() {
    let mut fort = Fort::new();
    fort.spawn_batch([library::Shield, library::Shield]);
    fort.run_observers();
    assert_eq!(fort.resource::<library::Shields>().0, 2);
    let mut game = Game::new();
    game.spawn(Health(1));
    game.send(Hit(3));
    game.before();
    game.after();
    game.run_observers();
    assert_eq!(game.resource::<Total>().0, 3);
    let mut plain = Plain::new();
    plain.spawn(Armor);
    plain.run_observers();
}
