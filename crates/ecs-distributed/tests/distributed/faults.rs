//! Models that break the rules: each mistake is an error of the run with the name of the culprit.

use ecs::prelude::*;
use ecs_distributed::{Exchange, GlobalId, Grid, InProcess, Model, Part, RunError, Worker};
use serde::{Deserialize, Serialize};

/// The column of a walker on a road of ten places.
#[derive(Component, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
struct Column(u32);

/// A walker that this one follows, by its id in the world of the worker.
#[derive(Component, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
struct Follows(Entity);

/// A component that `Walkers::Components` does not list.
#[derive(Component, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
struct Secret(u32);

world! {
    #[derive(Serialize, Deserialize)]
    struct Road { components { GlobalId, Column, Follows, Secret } }
    schedule tick { walk }
}

#[system(Road)]
fn walk(column: &mut Column) {
    column.0 += 1;
}

#[derive(Clone, Copy, PartialEq)]
enum Fault {
    None,
    UnlistedComponent,
    PlaceOffTheRoad,
    WalkerWithoutId,
    FollowsOneThatStays,
    TakesOneThatStays,
    PlacesThatDiffer,
}

struct Walkers<const STAYS: bool> {
    grid: Grid,
    fault: Fault,
    worker: usize,
}

impl<const STAYS: bool> Model for Walkers<STAYS> {
    type World = Road;
    type Place = Column;
    type Components = (GlobalId, Column, Follows);
    type Shared = ();
    type Space = Grid;
    const STAYS: &'static [&'static str] = if STAYS { &["Secret"] } else { &[] };

    fn space(&self) -> &Grid {
        &self.grid
    }

    fn place(&self, column: &Column) -> u32 {
        if self.fault == Fault::PlacesThatDiffer && self.worker == 1 && column.0 == 5 { 2 } else { column.0 }
    }

    fn build(&self, part: &Part<'_>) -> Road {
        let mut road = Road::new();
        let first = part.places().start + u32::from(self.fault == Fault::PlacesThatDiffer);
        let stays = road.spawn((GlobalId(100 + u64::from(first)), Column(first)));
        let last = Column(part.places().end - 1); // leaves this part with the first step
        if part.worker() == 0 || self.fault == Fault::PlaceOffTheRoad {
            match self.fault {
                Fault::WalkerWithoutId => road.spawn(last),
                Fault::FollowsOneThatStays | Fault::TakesOneThatStays => {
                    road.spawn((GlobalId(1), last, Follows(stays)))
                }
                _ => road.spawn((GlobalId(u64::from(first)), last)),
            };
        }
        road
    }

    fn tick(&self, road: &mut Road) {
        road.tick();
    }

    fn companions(&self, road: &Road, walker: Entity, companions: &mut Vec<Entity>) {
        let follows = road.get::<Follows>(walker).filter(|_| self.fault == Fault::TakesOneThatStays);
        companions.extend(follows.map(|follows| follows.0));
    }
}

fn run<const STAYS: bool>(fault: Fault) -> Result<Vec<usize>, RunError> {
    InProcess::run(2, |exchange| {
        let model = Walkers::<STAYS> { grid: Grid::new(10, 1), fault, worker: exchange.index() };
        let mut worker = Worker::new(model, exchange)?;
        worker.tick()?;
        Ok(worker.world().query::<&Column>().len())
    })
}

#[test]
fn a_model_without_a_fault_runs() {
    assert_eq!(run::<true>(Fault::None), Ok(vec![1, 2]));
}

#[test]
fn a_component_that_is_not_listed_is_named() {
    let error = run::<false>(Fault::UnlistedComponent).unwrap_err();
    assert_eq!(error, RunError::NotListed { component: "Secret", world: "Road" });
    assert!(error.to_string().contains("list it in `Model::Components`"), "{error}");
}

#[test]
fn a_place_that_the_space_does_not_have_is_named() {
    let error = run::<true>(Fault::PlaceOffTheRoad).unwrap_err();
    assert_eq!(error, RunError::NoSuchPlace { place: 10, places: 10 });
    assert!(error.to_string().contains("place 10, and the space has the places 0 to 9"), "{error}");
}

#[test]
fn an_entity_with_a_place_and_without_an_id_is_an_error() {
    let error = run::<true>(Fault::WalkerWithoutId).unwrap_err();
    assert_eq!(error, RunError::NoGlobalId { world: "Road" });
}

#[test]
fn an_entity_with_the_id_of_one_that_stays_is_not_moved() {
    let error = run::<true>(Fault::FollowsOneThatStays).unwrap_err();
    let RunError::Migration { from: 0, to: 1, reason } = &error else { panic!("{error:?}") };
    assert!(reason.contains("Follows"), "{reason}");
}

/// It would be on a worker that does not own its place.
#[test]
fn a_companion_with_a_place_of_its_own_is_not_moved() {
    let error = run::<true>(Fault::TakesOneThatStays).unwrap_err();
    let RunError::Migration { from: 0, to: 1, reason } = &error else { panic!("{error:?}") };
    assert!(
        reason.starts_with("`Model::companions` lists ") && reason.contains("place 1 of worker 0"),
        "{reason}"
    );
}

#[test]
fn a_place_that_another_worker_computes_otherwise_is_named() {
    let error = run::<true>(Fault::PlacesThatDiffer).unwrap_err();
    let RunError::Migration { from: 0, to: 1, reason } = &error else { panic!("{error:?}") };
    assert_eq!(reason, "one has place 2, which worker 1 does not own");
}

/// A system that writes to totals which the model does not list would wait for them in vain, and
/// one that reads such a halo would never see a neighbour.
#[test]
fn a_shared_resource_that_the_model_does_not_list_is_named() {
    for (number, expected) in [
        (0, "totals::Totals<(), i64>` in `Model::Shared`"),
        (1, "messages::Messages<u8>"),
        (2, "halo::Halo<("),
    ] {
        let panic = std::thread::spawn(move || unlisted::run(number)).join().expect_err("it is a mistake");
        let text = panic.downcast_ref::<String>().expect("a text");
        assert!(text.starts_with("the model does not list `") && text.contains(expected), "{text}");
    }
    // a system that is called as a function in a test has no worker
    let mut totals = ecs_distributed::Totals::<(), i64>::new();
    totals.add((), 1);
}

mod unlisted {
    //! A model whose world has shared resources that it does not list.

    use ecs::prelude::*;
    use ecs_distributed::{GlobalId, Grid, Halo, InProcess, Messages, Model, Part, Totals, Worker};
    use serde::{Deserialize, Serialize};

    #[derive(Component, Clone, Copy, Serialize, Deserialize)]
    pub(super) struct Place(u32);

    world! {
        #[derive(Serialize, Deserialize)]
        pub(super) struct Town {
            components { GlobalId, Place }
            resources {
                totals: Totals<(), i64> = Totals::new(),
                messages: Messages<u8> = Messages::new(),
                halo: Halo<(Place,), 1> = Halo::new(),
            }
        }
    }

    struct Unlisted(Grid, u32);

    impl Model for Unlisted {
        type World = Town;
        type Place = Place;
        type Components = (GlobalId, Place);
        type Shared = ();
        type Space = Grid;

        fn space(&self) -> &Grid {
            &self.0
        }

        fn place(&self, place: &Place) -> u32 {
            place.0
        }

        fn build(&self, _: &Part<'_>) -> Town {
            Town::new()
        }

        fn tick(&self, town: &mut Town) {
            match self.1 {
                0 => town.resource_mut::<Totals<(), i64>>().add((), 1),
                1 => town.resource_mut::<Messages<u8>>().send(GlobalId(1), GlobalId(2), 3),
                _ => assert!(town.resource::<Halo<(Place,), 1>>().is_empty()),
            }
        }
    }

    pub(super) fn run(number: u32) {
        let ticks =
            InProcess::run(1, |exchange| Worker::new(Unlisted(Grid::new(2, 1), number), exchange)?.tick());
        drop(ticks);
    }
}

mod moods {
    //! A component that cannot be serialized at times, in a halo.

    use ecs::prelude::*;
    use ecs_distributed::{GlobalId, Grid, Halo, Model, Part};
    use serde::{Deserialize, Serialize, Serializer, ser::Error};

    #[derive(Component, Clone, Copy, Serialize, Deserialize)]
    pub(super) struct Place(u32);

    #[derive(Component, Clone, Copy, Deserialize)]
    pub(super) struct Mood(u32);

    impl Serialize for Mood {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            if self.0 > 2 { Err(S::Error::custom("too bad")) } else { serializer.serialize_u32(self.0) }
        }
    }

    pub(super) type Moods = Halo<(Mood,), 1>;

    world! {
        #[derive(Serialize, Deserialize)]
        pub(super) struct Town { components { GlobalId, Place, Mood } resources { moods: Moods = Halo::new() } }
        schedule tick { worsen }
    }

    #[system(Town)]
    fn worsen(mood: &mut Mood) {
        mood.0 += 1;
    }

    pub(super) struct Townsfolk(pub(super) Grid);

    impl Model for Townsfolk {
        type World = Town;
        type Place = Place;
        type Components = (GlobalId, Place, Mood);
        type Shared = Moods;
        type Space = Grid;

        fn space(&self) -> &Grid {
            &self.0
        }

        fn place(&self, place: &Place) -> u32 {
            place.0
        }

        fn build(&self, part: &Part<'_>) -> Town {
            let mut town = Town::new();
            part.places().for_each(|place| _ = town.spawn((GlobalId(place.into()), Place(place), Mood(0))));
            town
        }

        fn tick(&self, town: &mut Town) {
            town.tick();
        }
    }
}

#[test]
fn a_component_that_cannot_be_mirrored_is_named() {
    let error = InProcess::run(2, |exchange| {
        let mut worker = Worker::new(moods::Townsfolk(Grid::new(8, 1)), exchange)?;
        (0..2).try_for_each(|_| worker.tick())?;
        assert_eq!(worker.world().resource::<moods::Moods>().len(), 1);
        worker.tick()
    });
    let text = error.unwrap_err().to_string();
    assert_eq!(text, "a halo cannot be sent: component `Mood` of world `Town`: too bad");
}

/// Changes the place of the mirrored value of entity 4, which has place 4.
struct Misplacing(InProcess);

impl Exchange for Misplacing {
    fn index(&self) -> usize {
        self.0.index()
    }

    fn workers(&self) -> usize {
        self.0.workers()
    }

    fn exchange(&mut self, to_each: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, RunError> {
        let mut received = self.0.exchange(to_each)?;
        let (whole, id, length) = (1, 4, 8);
        let entry = [whole, id, length, 4, 0, 0, 0];
        for message in &mut received {
            if let Some(at) = message.windows(entry.len()).position(|window| window == entry) {
                message[at + 4] = 1;
            }
        }
        Ok(received)
    }
}

/// A system that uses the place as an index would panic.
#[test]
fn a_mirrored_place_that_its_worker_does_not_own_is_an_error() {
    let error = InProcess::run(2, |exchange| {
        Worker::new(moods::Townsfolk(Grid::new(8, 1)), Misplacing(exchange)).map(drop)
    });
    let text =
        "a message of worker 1 is damaged: a mirrored value has place 260, which the worker does not own";
    assert_eq!(error.unwrap_err().to_string(), text);
}
