//! Components written by hand whose kinds are wrong: with the rule of another component, of another
//! form, or different in two traits.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs::__private::{
    ComponentOf, Demands, Immutable, IndexRule, IndexedValue, IsComponent, KeyValue, Kind, Logged, NoRule,
    NotLogged, Packed, RelationRule, Tag, UniqueRule, Value,
};
use ecs::prelude::*;
use ecs::{ChildOf, World};

use super::ground::{Ledger, Token};

#[derive(Component, Clone, PartialEq, Eq, Hash)]
#[component(index)]
struct Team(u8);

/// Components with a token, of one kind as components and of another one in a world, and a test
/// that uses all verbs on them.
macro_rules! forged {
    ($($name:ident $field:ident: $own:ty, $in_world:ty;)*) => {
        $(
            #[derive(Clone)]
            struct $name(#[allow(dead_code)] Token);
            impl IsComponent for $name {
                type Kind = $own;
            }
            impl Component for $name {
                const COMPONENT_NAME: &'static str = stringify!($name);
            }
            impl<W: World> ComponentOf<W> for $name {
                type Kind = $in_world;
            }
        )*

        world! {
            #[derive(Clone)]
            struct Forge { components { Team, ChildOf, $($field: $name,)* } }
        }

        #[test]
        fn components_of_wrong_kinds_are_harmless() {
            let ledger = Ledger::new();
            let mut forge = Forge::new();
            let ids: Vec<Entity> = forge.spawn_batch((0..130).map(|i| Team(i as u8 % 3))).collect();
            $(
                for (i, &id) in ids.iter().enumerate() {
                    // a rule may refuse a value, and a check may notice the wrong kind
                    let use_all = AssertUnwindSafe(|| {
                        let _ = forge.insert(id, $name(ledger.token()));
                        if i % 3 == 0 {
                            let _ = forge.insert_if_new(id, $name(ledger.token()));
                        }
                        if i % 5 == 0 {
                            let _ = forge.remove::<$name>(id);
                        }
                        let mut columns = forge.columns_mut();
                        let _ = columns.$field.insert(id, $name(ledger.token()));
                        assert_eq!(columns.$field.get_mut(id).is_some(), columns.$field.contains(id));
                        assert!(columns.$field.iter_mut().count() <= ids.len());
                        if i % 7 == 0 {
                            drop(columns.$field.remove(id));
                        }
                    });
                    let _ = catch_unwind(use_all);
                }
                let there = ids.iter().filter(|id| forge.has::<$name>(**id)).count();
                let seen = forge.query::<&$name>().iter().map(|item| item.clone()).count();
                assert_eq!(seen, there, stringify!($name));
                {
                    let (snapshot, copy) = (forge.snapshot(), forge.clone());
                    let _ = forge.despawn(ids[7]);
                    let clone = forge.clone_entity(ids[8]).unwrap();
                    let _ = forge.insert(clone, ChildOf(ids[9]));
                    forge.restore(&snapshot);
                    assert_eq!(copy.query::<&$name>().iter().count(), there);
                    assert_eq!(forge.query::<&$name>().iter().count(), there);
                }
            )*
            forge.clear();
            drop(forge);
            assert_eq!(ledger.alive(), 0);
        }
    };
}

type Plain = Kind<Value, false>;

forged! {
    UniqueOfAnother unique_of_another: Kind<Value, false, UniqueRule<Team>>, Kind<Value, false, UniqueRule<Team>>;
    IndexOfAnother index_of_another: Kind<IndexedValue, true, IndexRule<Team>>, Kind<IndexedValue, true, IndexRule<Team>>;
    KeyOfAnother key_of_another: Kind<KeyValue, false, IndexRule<Team>>, Plain;
    ImmutableHere immutable_here: Kind<KeyValue, true>, Plain;
    ImmutableThere immutable_there: Plain, Kind<KeyValue, true>;
    ImmutableTwice immutable_twice: Kind<KeyValue, true>, Kind<KeyValue, false>;
    RelationOfAnother relation_of_another: Kind<Immutable, false, RelationRule<ChildOf>>, Kind<Immutable, true, RelationRule<ChildOf>>;
    UniqueHere unique_here: Kind<Value, false, UniqueRule<Self>>, Plain;
    UniqueThere unique_there: Plain, Kind<Value, false, UniqueRule<Self>>;
    TrackedHere tracked_here: Kind<Value, true>, Plain;
    TrackedThere tracked_there: Plain, Kind<Value, true>;
    TagHere tag_here: Kind<Tag, false>, Plain;
    TagThere tag_there: Plain, Kind<Tag, true>;
    LoggedThere logged_there: Plain, Kind<Value, false, NoRule, Logged<2>>;
    ExcludesThere excludes_there: Plain, Kind<Value, false, NoRule, NotLogged, (), true>;
    PackedHere packed_here: Kind<Value, false, NoRule, NotLogged, Packed>, Plain;
    PackedThere packed_there: Plain, Kind<Value, false, NoRule, NotLogged, Packed>;
    PackedDemanding packed_demanding: Plain, Kind<Value, true, NoRule, Logged<2>, Packed<Demands<TagThere>>>;
    Demanding demanding: Plain, Kind<Value, false, NoRule, NotLogged, Demands<TagThere>>;
}
