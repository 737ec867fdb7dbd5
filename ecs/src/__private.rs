//! The items that expansions of the macros use. This module is not public API: it may change in any
//! release.

pub use alloc::string::String;
pub use alloc::vec;
pub use alloc::vec::Vec;
pub use ecs_macros::{including_parts, including_world};

pub use crate::__include_if as include_if;

pub use crate::aspect::check::{check_alternative, check_field};
pub use crate::aspect::meta::{add_both, take_both};
pub use crate::aspect::tree::Part;
pub use crate::aspect::tree::{AspectTreeField, Tree};
pub use crate::aspect::{AspectPart, DefaultPart, Fresh};
#[cfg(feature = "std")]
pub use crate::background::system::{
    WorldCode, desc_at_place, each_that_reads, param_at_place, run as run_background,
};
#[cfg(feature = "std")]
pub use crate::background::{BackgroundOutput, BackgroundParam, BackgroundSystem, BackgroundWorld};
pub use crate::base::access::{Access, ParamInfo, ParamKind};
pub use crate::base::component_set::ComponentSet;
pub use crate::base::disabling::Disables;
pub use crate::base::exclusion::{Exclusion, ExclusionKey};
pub use crate::base::hidden::{Described, Hidden, TypeDocs};
pub use crate::base::plain::{ListNumbers, NumberFields};
pub use crate::base::reader_stats::EventStats;
pub use crate::base::thread_safe::ThreadSafe;
pub use crate::base::thread_safe::check_thread_safe;
pub use crate::base::type_identity::Identity;
pub use crate::base::typeset::{
    Bit0, Bit1, ByNumber, EmptySet, Find, Lacks, Numbered, PutAt, TypeIndex, WithExclusion, group, member,
};
pub use crate::bundle::columns::ColumnValues;
pub use crate::bundle::components::{BundleComponents, OneComponent};
pub use crate::bundle::{
    AddTo, BrokenShape, BundleFields, BundleOptions, Distinct, IntoComponents, IsBundle, StructShape,
};
pub use crate::check::{
    NoSteps, SameEntry, StepsOf, check_event, check_event_type, check_observer, check_output, check_param,
    check_place, check_steps, lacks_step,
};
pub use crate::component::IsComponent;
pub use crate::component::excludes::{Excludes, ExcludesOthers};
pub use crate::component::hook::{HookRule, Hooked};
pub use crate::component::index::IndexRule;
pub use crate::component::kind::{
    ComponentKind, ComponentShape, Immutable, IndexedValue, KeyValue, Kind, Logged, NotLogged, Tag, Value,
};
pub use crate::component::markers::{ChangedByMut, CloneOfRemoved, LoggedValue};
pub use crate::component::naming::{NamesComponents, Naming, RelationComponents};
pub use crate::component::packed::Packed;
pub use crate::component::requires::ComponentOf;
pub use crate::component::requires::{Demands, RequiredInserter, check_requires, closures};
pub use crate::component::rule::NoRule;
pub use crate::component::unique::UniqueRule;
pub use crate::component::{IndexKey, Indexed, Ordered, OrderedKey};
pub use crate::entity::allocator::Entities;
pub use crate::error::{PresentError, SystemError};
pub use crate::event::Events;
pub use crate::event::IsEvent;
pub use crate::event::queue::{Bound, Full};
#[cfg(feature = "serde")]
pub use crate::foreign::ForeignSaved;
pub use crate::foreign::ForeignWorld;
pub use crate::foreign::conditions;
pub use crate::parts::{Listed, PlacedSystem, UnfitSystem, Valued, all, check_includes};
pub use crate::query::chunk::ChunkData;
pub use crate::query::data::Borrows;
pub use crate::query::data::QueryStruct;
pub use crate::query::mistake::{
    Mistakes, NamedByValue, NamedReference, NamedReferenceMut, NamedTuple, ScheduleAsSystem,
    SystemWithoutInput,
};
pub use crate::query::par::par_each;
pub use crate::query::slots::MatchesNothing;
pub use crate::query::snapshot_query::SnapshotData;
pub use crate::query::{Data, QueryData, QueryFilter, ReadData};
pub use crate::raw_world::ComponentVisitor;
pub use crate::raw_world::snapshot::{snapshot_column, snapshot_entities};
pub use crate::raw_world::{HasJournal, SnapshotWorld, WorldCell};
pub use crate::raw_world::{column_offset, new_column};
#[cfg(feature = "reflect")]
pub use crate::reflect::entry::{ReflectComponent, ReflectEvent, ReflectResource};
pub use crate::relation::Gone;
pub use crate::relation::rule::RelationRule;
pub use crate::relation::{ListsMany, SymmetricRelation, set_target};
pub use crate::resource::{IsResource, MainThread, Sharing, UnlessSaid, Unshared, check_resource};
#[cfg(feature = "serde")]
pub use crate::save::entry::{SaveComponent, SaveEvent, SaveResource};
pub use crate::schedule::condition::Condition;
pub use crate::schedule::group::gate;
pub use crate::schedule::nested::{Nested, NestedFailures};
pub use crate::schedule::node::{ConditionSystem, Node, node};
pub use crate::schedule::output::{BrokenOutput, BrokenSystem};
pub use crate::schedule::plan::{Plan, Stage, entries};
pub use crate::schedule::states::{ScheduleStates, init_schedule_states, system_names};
pub use crate::storage::column::Column;
pub use crate::storage::column_offset::ColumnOffset;
pub use crate::system::Gate;
pub use crate::system::desc::{StateFunctions, SystemKind};
pub use crate::system::each::{MutTarget, OfWorld, each, each_with_tuple};
pub use crate::system::input::{Arguments, Called, InputSystem, SystemInput, Unfed, each_input};
pub use crate::system::param::{any, query};
pub use crate::system::passed_over::{PassedOverByParam, PassedOverByRow};
pub use crate::system::pipe::{Pipe, check_pipe};
pub use crate::system::shared_param::SharedParam;
pub use crate::system::shared_param::{SharedOutput, SharedParamItem};
pub use crate::system::single::{optional_single, populated, single};
pub use crate::system::state::SystemState;
pub use crate::system::{System, SystemDesc, SystemParam, SystemPhase};
pub use crate::time::period::Period;
pub use crate::view::{Exclusive, Mode, Shared};
pub use crate::view::{view, view_mut};
pub use crate::world::CloneEntity;
pub use crate::world::clone::{CloneComponent, CloneMap, become_another, clone_component};

#[cfg(feature = "serde")]
pub use serde;

/// The items that `#[derive(Reflect)]` uses.
#[cfg(feature = "serde")]
pub mod value {
    pub use crate::value::{
        Field, FieldList, FieldPointers, FieldType, Style, ValueType, Variant, WithSerde, check_value,
        default_of, deserialize, field_pointer, is_field, serialize, undescribed,
    };
}

/// The items that expansions for saved worlds use.
#[cfg(feature = "serde")]
pub mod save {
    pub use alloc::boxed::Box;
    pub use alloc::vec::Vec;
    pub use serde;

    pub use crate::persist::state::{IsSaved, Unsaved};
    pub use crate::save::entry::{Marks, Migrates, Old, Renamed, SavedTypes, Skipped, Unmarked};
    pub use crate::save::file::reseal;
    pub use crate::save::human::{deserialize, serialize};
    pub use crate::save::sum::hash_of;
    pub use crate::save::{Draft, LoadError, LoadOptions, SavedContents};
    pub use crate::system::saved::LocalOf;
}

/// The items that expansions for worlds with `Reflect` use.
#[cfg(feature = "reflect")]
pub mod reflect {
    pub use crate::reflect::aspects::ListAspects;
    pub use crate::reflect::entity_ref::{Printed, printed};
    pub use crate::reflect::entry::{Description, ReflectedLists, ReflectedWorld};
}
pub use crate::world::stats::debug_world;

use crate::World;
pub use crate::aspect::verbs::has_all;
pub use crate::base::place::Place;
use crate::query::Filter;
pub use crate::raw_world::{ErasedPlans, ErasedStates, RawWorld};
pub use crate::schedule::nested::{contained_schedule, schedule, try_schedule};
pub use crate::schedule::plan::erase_plans;
pub use crate::schedule::states::erase_states;

/// The value that is passed for a filter parameter of a per-entity system.
#[inline(always)]
pub const fn filter<F: Filter>() -> F {
    F::VALUE
}

/// Returns whether a schedule with `every` runs once more, after `taken` runs in this call: asks
/// the clock resource.
pub fn every<W: crate::HasResource<R>, R: crate::schedule::Steps + 'static>(
    world: &mut W,
    taken: u32,
) -> bool {
    world.resource_mut::<R>().due(taken)
}

/// The first generation of a world's entities, computed from the world's module, name and lists, so
/// that the ids of two worlds differ. The name of the crate and the place in the file do not count,
/// so that the same world has the same ids and the same hash in two programs, and after its source
/// was formatted.
///
/// The upper fifteen bits are a hash of the names, and the lower sixteen bits count generations.
/// Two worlds can share a generation if their hashes are equal, with a probability of one in
/// 32,768, or after a slot was used 65,536 times. The hash is FNV-1a.
pub const fn first_generation(module: &str, name: &str, lists: &[&[&str]]) -> u32 {
    let mut hash = with_text(0x811c_9dc5, module, end_of_crate(module));
    hash = with_text(hash, name, 0);
    let mut list = 0;
    while list < lists.len() {
        let mut i = 0;
        while i < lists[list].len() {
            hash = with_text(hash, lists[list][i], 0);
            i += 1;
        }
        hash = with_text(hash, ";", 0);
        list += 1;
    }
    (((hash >> 16) ^ hash) & 0x7fff) << 16 | 1
}

/// The length of the name of the crate at the beginning of a module's path.
const fn end_of_crate(module: &str) -> usize {
    let bytes = module.as_bytes();
    let mut end = 0;
    while end < bytes.len() && bytes[end] != b':' {
        end += 1;
    }
    end
}

/// The hash, continued with the bytes of a text from `from` on, and its end.
const fn with_text(mut hash: u32, text: &str, from: usize) -> u32 {
    let bytes = text.as_bytes();
    let mut i = from;
    while i < bytes.len() {
        hash = (hash ^ bytes[i] as u32).wrapping_mul(0x0100_0193);
        i += 1;
    }
    (hash ^ 0xff).wrapping_mul(0x0100_0193)
}

/// A trait that expansions implement for each type of a list, so that a type that occurs twice is
/// an error of coherence.
pub trait Once<T: ?Sized> {}
