//! Traits that unsafe code trusts, implemented by hand without `unsafe`.
#![forbid(unsafe_code)]
use ecs::prelude::*;
use ecs::{Has, HasEvent, HasResource, System};
use ecs::background::BackgroundSystem;
use ecs::__private::{MutTarget, SharedParam};
use ecs::query::{ChunkData, Data, Filter, QueryData, QueryFilter, ReadData};
use ecs::system::{SystemFn, SystemParam};

#[derive(Component, Clone)]
struct Position(f32);

world! {
    struct Game {
        components { Position }
    }
}

struct Mine;

impl ecs::__private::RawWorld for Mine {}
impl Has<u8> for Game {}
impl ecs::__private::NamedReference<u8, Game> for ecs::__private::Mistakes {}
impl ecs::__private::NamedTuple<u8, Game> for ecs::__private::Mistakes {}
impl ecs::__private::NamedByValue<u8, Game> for ecs::__private::Mistakes {}
impl ecs::__private::ScheduleAsSystem<u8, Game> for ecs::__private::Mistakes {}
impl ecs::__private::SystemWithoutInput<u8, Game> for ecs::__private::Mistakes {}
impl HasResource<u8> for Game {}
impl HasEvent<u8> for Game {}
impl Data for Mine {}
impl ReadData for Mine {}
impl ChunkData for Mine {}
impl QueryData<Game> for Mine {}
impl Filter for Mine {}
impl QueryFilter<Game> for Mine {}
impl System<Game> for Mine {}
impl BackgroundSystem<Game> for Mine {}
impl ecs::system::InputSystem<Game> for Mine {}
impl ecs::__private::StateFunctions<Game> for Mine {}
impl SystemParam<Game> for Mine {}
impl SharedParam<Game> for Mine {}
impl ecs::schedule::Outcome<false> for Mine {}
impl SystemFn<Game, Mine> for Mine {}
impl MutTarget<Game, Mine> for Mine {}
impl ecs::__private::BundleComponents<Game> for Mine {}
impl ecs::Reflect for Mine {}

fn main() {}
