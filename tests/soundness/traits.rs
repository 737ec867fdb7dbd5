//! Every public trait of the library, with the effects of a wrong impl. The test compares this list
//! with the sources.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Traits that a user's crate cannot implement: it cannot name them, or a supertrait is such a
/// trait.
const SEALED: &[&str] = &[
    // the traits and conditions of `foreign.rs`, whose names a macro gives: methods that no code
    // calls
    "",
    "ConditionOutput",
    // values and formats without their types: the module is private
    "EnumForm",
    "ErasedSerialize",
    "MapForm",
    "ReadForm",
    "Receiver",
    "SeqForm",
    "Sower",
    "WriteForm",
    "EachInput",
    "Feeds",
    "BorrowShared",
    "BorrowSharedAt",
    "BorrowUnique",
    "BorrowUniqueAt",
    "Changes",
    "Columns",
    "ColumnKind",
    "RemovalLog",
    "PassedColumnsList",
    "RuleState",
    "ComponentKind",
    "Form",
    "HasClock",
    "ComponentRule",
    "InPlace",
    "IsUnique",
    "SavedState",
    "WorldKind",
    "WorldPart",
    "ToTypeSet",
    "KeepsRemoved",
    "MutableTracked",
    "ConstIndex",
    "PutIn",
    "StateParts",
    "SavesLocal",
    "SealedKind",
    "SharedIn",
    "CallWithTuple",
    "Tracks",
    "Tuple",
    "Unimplemented",
    "Storable",
    "StoredResource",
    "UniqueIn",
    "NotRelation",
    "Unseen",
    "Untracked",
];

/// Safe traits that a user's crate can implement, public or hidden. No unsafe code relies on one
/// for memory safety: the worst that a wrong implementation does stands beside it.
const HARMLESS: &[(&str, &str)] = &[
    ("Accumulate", "a wrong sum; where it panics, the rest of the values is lost"),
    ("Arguments", "other arguments"),
    ("Aspect", "another value to begin with"),
    ("AspectNames", "other aspects, or the same under other names"),
    ("AspectPart", "a check that a component is in an aspect once is misled; the bundle still says it"),
    ("Aspects", "verbs of its own, which call those of the world"),
    ("BackgroundOutput", "another result than the function has returned"),
    ("BackgroundParam", "other outputs of a system in the background, or a panic"),
    ("BackgroundSystems", "as `Aspects`"),
    ("BackgroundWorld", "implemented wherever its supertraits hold; no code makes another `WorldCode`"),
    ("BySerde", "implemented wherever its supertraits hold"),
    ("CheckResult", "a value that is refused, or not"),
    ("FieldDefault", "implemented wherever `Default` is"),
    ("WithSerde", "implemented for all types; no code but the blanket one makes a description"),
    ("WireForm", "other values at the receiver; a form that does not come back is found by the hash"),
    ("Borrows", "a query whose accesses clash: refused by a constant, where it is made"),
    ("Bundle", "a component twice: the first value is leaked"),
    ("BuildsAnEntity", "a condition of methods of other libraries, which panic"),
    ("Indexable", "as `BuildsAnEntity`"),
    ("HasAMode", "as `BuildsAnEntity`"),
    ("ListsChildren", "as `BuildsAnEntity`"),
    ("MadeByNew", "as `BuildsAnEntity`"),
    ("AccumulatesAtOnce", "as `BuildsAnEntity`"),
    ("RestoresItself", "as `BuildsAnEntity`"),
    ("PrefabLoad", "as `BuildsAnEntity`"),
    ("PrefabNew", "as `BuildsAnEntity`"),
    ("MakesAnApp", "as `BuildsAnEntity`"),
    ("MayBeChained", "as `BuildsAnEntity`"),
    ("NoSteps", "a missing step in a schedule that is not reported"),
    ("ObserverOutput", "an output of an observer that nothing reads"),
    ("OffersAPlugin", "as `BuildsAnEntity`"),
    ("ParentLink", "implemented wherever its supertrait is"),
    ("Plugin", "methods that no code of the library calls"),
    ("CanChangeTo", "a transition that the enum does not list"),
    ("ChangedByMut", "as `HasMut`"),
    ("ChangesSince", "as `Aspects`"),
    ("ComponentVisitor", "other code for each component"),
    ("ComponentList", "a selection of other components than its type says"),
    ("Compatible", "a component that excludes another one stands beside it"),
    (
        "Component",
        "another kind than the world stores it as: no stamps, no values to find by, no kept values",
    ),
    ("DelayedCommand", "other commands"),
    ("DelayedIn", "something else than to wait, done by safe code"),
    ("Distinct", "as `Bundle`"),
    ("Event", "another name"),
    ("ComponentHook", "a state that does not fit the values"),
    ("Compare", "as `Compatible`"),
    ("Find", "as `Compatible`"),
    ("Excludes", "as `Compatible`"),
    ("ExcludesOthers", "as `Compatible`"),
    ("ExclusiveRelation", "as `Relation`"),
    ("Lists", "a panic of `EntityWith::get`, which looks again"),
    ("IsListed", "as `Lists`"),
    ("ManyRelation", "as `Relation`"),
    ("FollowedData", "implemented wherever its supertrait is"),
    ("Fresh", "another value to begin with"),
    ("Hooked", "as `ComponentHook`"),
    ("HasJournal", "a journal that always tells that it has no changes"),
    ("PresenceIn", "other entities in a selection"),
    ("GenericComponents", "as `Aspects`"),
    ("MoveComponents", "as `Aspects`"),
    ("WorldIds", "as `Aspects`"),
    ("WorldMemory", "as `Aspects`"),
    ("HasMut", "changes without a trace: stamps, indexes and relations are stale"),
    ("HasRelation", "as `Relation`"),
    ("HasRemoved", "other copies of removed values, or fewer"),
    ("HasStamps", "no stamps: nothing is ever changed"),
    ("HasTracked", "no stamps: no value is lent"),
    ("HasUnique", "no entity is found"),
    ("IndexForm", "as `IndexKey`, or ids of despawned entities, or a panic for a slot that does not exist"),
    ("IndexKey", "no entity is found, or entities with other values"),
    ("Indexed", "as `IndexKey`"),
    ("LookupKey", "as `IndexKey`"),
    ("Ordered", "as `IndexKey`"),
    ("OrderedKey", "as `IndexKey`, or a wrong order"),
    ("MainThread", "systems with the resource run on one thread, and the world is not `Send`"),
    ("IntoFailure", "implemented wherever it holds"),
    ("IntoComponents", "other components than the bundle has"),
    (
        "IsComponent",
        "a type that is none: it is refused where it is listed; a wrong list of numbers is not used",
    ),
    ("IsEvent", "the same"),
    ("IsResource", "the same"),
    ("Lacks", "as `Compatible`"),
    ("Listed", "other types, which the world then lists"),
    ("ListsMany", "a relation with many targets that is no component"),
    ("LocalOf", "not saved; `Local` asks for `LocalValue` as well"),
    ("LocalValue", "implemented wherever its supertraits hold"),
    ("CloneOfRemoved", "none: every type that is `Clone` has it"),
    ("LoggedValue", "copies of removed values that differ from the values"),
    ("NamesComponents", "other components are marked or asked for, or none"),
    ("MetaAspect", "other components are taken"),
    ("Migrates", "an older layout is not read"),
    ("Mode", "views of another type, of which no code makes a value"),
    ("Numbered", "as `Compatible`"),
    ("Once", "a system stands in a schedule twice"),
    ("SameEntry", "no message for two types that generic parts are included for"),
    ("SaveResource", "as `SaveComponent`"),
    ("PutAt", "as `Bundle`"),
    ("OccursOnce", "as `Bundle`"),
    ("IsBundle", "as `Bundle`"),
    ("AddTo", "as `Bundle`"),
    ("BundleFields", "as `IntoComponents`"),
    ("SaveEvent", "as `SaveComponent`"),
    ("Propagate", "other values below an entity"),
    ("QueryStruct", "another struct, made of values that a query of the fields gives"),
    ("Relation", "targets that change: sources that are not found, or found twice"),
    ("RelationIn", "implemented wherever its supertraits hold"),
    ("Relations", "as `Aspects`"),
    ("Renamed", "another name in a file"),
    ("ComponentOf", "entities lack components that they should have, or queries pass over other entities"),
    ("Resource", "another name"),
    ("SameWorld", "a panic: there are no commands of another world to give"),
    ("Saved", "implemented wherever its supertraits hold"),
    ("SavedContents", "a world that is loaded with other columns"),
    ("Schedules", "as `Aspects`"),
    ("SentTo", "another event is sent"),
    ("UnlessSaid", "for other types than the one that the world asks"),
    ("Skipped", "a type that is not saved"),
    ("SnapshotData", "other items of a snapshot, read in safe code, or a panic"),
    ("SnapshotFilter", "a snapshot's query finds other entities"),
    ("SnapshotWorld", "a snapshot of another world"),
    ("RootState", "as `StateResource`"),
    ("StateResource", "conditions that hold for another state"),
    ("SubStates", "as `States`"),
    ("StateVariant", "another state"),
    ("StateValue", "as `StateVariant`"),
    ("ComputedStates", "as `States`"),
    ("States", "other transitions and names, or a state that counts as another one"),
    ("Steps", "a schedule that runs another number of times"),
    ("SaveComponent", "a file that says something else, or a panic"),
    ("StoragePart", "a packed column in place of one of pages, or the other way round"),
    ("Stored", "as `Relation`"),
    ("SymmetricRelation", "another value at the other end"),
    ("SystemInput", "arguments of other types, which the system does not take"),
    ("UnfitSystem", "nothing: it holds for the one type that has its constants"),
    ("ThreadSafe", "implemented wherever its supertraits hold"),
    ("TryRunOutput", "another value"),
    ("Unmarked", "as `Renamed` and `Skipped`"),
    ("TrackedResource", "a resource whose changes are recorded, or are not"),
    ("Unshared", "a type with interior mutability that is `Sync`"),
    ("Valued", "another first value"),
    ("ErasedWorld", "reflection, which is safe code, reads another world"),
    ("Described", "as `Hidden`"),
    ("Hidden", "a type that no handle shows"),
    ("ReflectComponent", "as `ErasedWorld`"),
    ("ReflectEvent", "as `ErasedWorld`"),
    ("ReflectResource", "as `ErasedWorld`"),
    ("ReflectWorld", "as `ErasedWorld`"),
    ("ReflectedWorld", "names of other components: a value of another type is not inserted"),
    ("ColumnValues", "implemented wherever it holds; lengths that lie are a panic"),
    ("World", "no other implementation is possible: every `RawWorld` has one"),
    ("WorldData", "as `Borrows`"),
    ("CloneEntity", "a clone with other components"),
    ("QueryTuple", "another tuple of queries"),
    ("QuerySet", "a set of which no code makes a value: `QueriesOf` is for tuples of queries"),
    ("QueryAt", "as `QuerySet`"),
];

/// Traits that unsafe code trusts: `unsafe` to implement, which `ui/by_hand/unsafe_traits.rs` shows
/// of each.
const TRUSTED: &[&str] = &[
    "BackgroundSystem",
    "ChunkData",
    "Data",
    "Filter",
    "Has",
    "HasEvent",
    "HasResource",
    "InputSystem",
    "MutTarget",
    "NamedByValue",
    "ScheduleAsSystem",
    "SystemWithoutInput",
    "Outcome",
    "BundleComponents",
    "QueryData",
    "QueryFilter",
    "ReadData",
    "SharedParam",
    "StateFunctions",
    "System",
    "SystemFn",
    "SystemParam",
    "RawWorld",
    "Reflect",
];

/// The same of traits that users cannot name, and of those whose name a macro gives: the conditions
/// of `component::mistake`, which `ui/by_hand/unsafe_traits.rs` shows as well.
const TRUSTED_AND_SEALED: &[&str] = &["SlotMatcher", "QueriesOf", "ReadThroughMut", ""];

/// The names of the public traits in the library's sources, and whether they are `unsafe`.
fn traits(folder: &Path, found: &mut BTreeSet<(String, bool)>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        if entry.path().is_dir() {
            traits(&entry.path(), found);
            continue;
        }
        for line in fs::read_to_string(entry.path()).unwrap().lines() {
            let line = line.trim_start();
            let safe = line.strip_prefix("pub trait ").map(|rest| (rest, false));
            let of_unsafe = line.strip_prefix("pub unsafe trait ").map(|rest| (rest, true));
            if let Some((rest, is_unsafe)) = safe.or(of_unsafe) {
                let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                found.insert((name, is_unsafe));
            }
        }
    }
}

#[test]
fn every_public_trait_is_sealed_or_unsafe_or_harmless() {
    let mut found = BTreeSet::new();
    traits(Path::new("../ecs/src"), &mut found);
    assert!(found.len() > 80, "the sources are somewhere else");
    let named = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<String>>();
    let of = |is_unsafe| found.iter().filter(move |it| it.1 == is_unsafe).map(|it| it.0.clone()).collect();
    let (safe, trusted): (BTreeSet<String>, BTreeSet<String>) = (of(false), of(true));
    let mut listed = named(SEALED);
    for (name, _) in HARMLESS {
        assert!(listed.insert((*name).to_owned()), "`{name}` is listed twice");
    }
    assert_eq!(
        safe, listed,
        "safe traits of the sources, and of the lists: what may a wrong implementation do?"
    );
    let mut listed = named(TRUSTED);
    listed.extend(named(TRUSTED_AND_SEALED));
    assert_eq!(trusted, listed, "unsafe traits of the sources, and of the lists");
}

#[test]
fn every_unsafe_trait_is_refused_without_the_word() {
    let case = fs::read_to_string("ui/by_hand/unsafe_traits.stderr").unwrap();
    let refused = case.split("the trait `").skip(1).filter_map(|rest| rest.split(['`', '<']).next());
    let refused: BTreeSet<&str> = refused.filter_map(|path| path.rsplit("::").next()).collect();
    for name in TRUSTED {
        assert!(refused.contains(name), "`{name}` is missing in the case");
    }
}
