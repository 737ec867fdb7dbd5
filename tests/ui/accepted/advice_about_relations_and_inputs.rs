//! What the messages about relations, inputs, long queries and bounds of traits say to write.
use ecs::prelude::*;
use ecs::time::Delayed;

#[derive(Component)]
struct Fire;
#[derive(Component)]
struct Position(f32);
#[derive(Relation)]
#[relation(exclusive)]
struct Guards(Entity);
#[derive(Relation)]
#[relation(exclusive)]
struct TargetIsNoEntity(Entity);
#[derive(Relation)]
#[relation(many)]
struct Owes(Entity);
#[derive(Relation)]
#[relation(many)]
struct Likes {
    #[target]
    target: Entity,
    count: u32,
}
#[derive(Event, Clone)]
struct Explodes;
#[derive(Resource)]
struct Hit(u32);
#[derive(States)]
enum Screen {
    #[state(to(Play))]
    Menu,
    #[state(to(Menu))]
    Play,
}

trait Element: Component {
    const DAMAGE: f32;
}
impl Element for Fire {
    const DAMAGE: f32 = 2.0;
}

trait Settings: Resource {}
impl Settings for Hit {}

#[derive(Event)]
struct Died;

world! {
    struct Town {
        components { Fire, Position, Guards, TargetIsNoEntity, owes: Many<Owes>, likes: Many<Likes> }
        resources {
            screen: State<Screen> = State::new(Screen::Menu),
            Hit = Hit(1),
            clock: Clock = Clock::new(),
            bombs: Delayed<Explodes> = Delayed::new()
        }
        events { Explodes, Died(external) }
    }
    schedule tick {
        transition::<Screen>;
        report(3) if above(1, 2);
        damage::<Fire>, long;
        strike; hear; bury; show::<Hit>;
        ecs::time::send_due::<Explodes, ()>;
        explode;
    }
}

#[system(Town)]
fn report(value: In<u32>) {
    println!("{}", value.0);
}

#[system(Town)]
fn above(value1: In<u32>, value2: In<u32>) -> bool {
    value1.0 > value2.0
}

#[system]
fn damage<E: Element>(position: &mut Position, _element: &E) {
    position.0 -= E::DAMAGE;
}

#[system(Town)]
fn long(
    all: Query<(
        Entity,
        &Position,
        Is<Fire>,
        Is<Fire>,
        Is<Fire>,
        Is<Fire>,
        Is<Fire>,
        Is<Fire>,
        Is<Fire>,
        Is<Fire>,
        Is<Fire>,
        (Is<Fire>, Is<Fire>),
    )>,
) {
    println!("{}", all.len());
}

#[system(Town)]
fn hear(hit: Res<Hit>) {
    println!("{}", hit.0);
}

#[system(Town)]
fn strike(mut hit: ResMut<Hit>) {
    hit.0 += 1;
}

#[system]
fn show<S: Settings>(settings: Res<S>) {
    let _ = settings;
}

#[system(Town)]
fn bury(mut died: EventReader<Died>) {
    println!("{}", died.iter().count());
}

#[system(Town)]
fn explode(mut explosions: EventReader<Explodes>) {
    println!("{}", explosions.iter().count());
}

pub fn main() {
    let mut town = Town::new();
    let bank = town.spawn(Position(1.0));
    let dog = town.spawn((Position(0.0), Guards(bank)));
    town.relate(dog, Owes(bank)).unwrap();
    town.relate(dog, Likes { target: bank, count: 1 }).unwrap();
    town.relate(dog, TargetIsNoEntity(bank)).unwrap();
    town.tick();
    println!("{}", town.relations::<Likes>(dog).iter().map(|likes| likes.count).sum::<u32>());
    let _ = Screen::Play;
}
