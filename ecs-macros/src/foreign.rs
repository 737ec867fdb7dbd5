//! The table of types of other libraries: for each name, what to write here.
//!
//! A name in the table is a mistake only where the compiler would not find a type of this name: see
//! [`may_declare`](crate::source_file::may_declare).

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::parse::ParseStream;
use syn::{Attribute, LitStr, Token, Type, bracketed};

use crate::lifetimes;
use crate::model::parameter::type_arguments;
use crate::names::{source, text};
use crate::source_file;
use crate::types;
use crate::words;

/// A parameter, query element or value of another library, which this one has under another name or
/// not at all.
pub(crate) struct Foreign {
    /// Separated by spaces.
    names: &'static str,
    /// The replacement, as the rest of a sentence. `{}` stands for the first type argument,
    /// `{last}` for the last, `{all}` for all of them, `{type}` for the type, `{name}` for the name
    /// of the parameter, and `{world}` for the world.
    cure: &'static str,
}

const FOREIGN: &[Foreign] = &[
    // bevy: parameters
    foreign(
        "RemovedComponents",
        "is `Removed` here: write `mut {name}: Removed<{}>`, with `#[derive(Clone)]` and `#[component(removed)]` on `{}`",
    ),
    foreign(
        "NonSend NonSendMut",
        "is a resource of the main thread: write `#[derive(Resource)]` and `#[resource(main_thread)]` on the type, and \
         `{name}: Res<{}>`, or `mut {name}: ResMut<{}>` to change it",
    ),
    foreign("MessageReader", "is `EventReader` here: write `mut {name}: EventReader<{}>`"),
    foreign("MessageWriter", "is `EventWriter` here: write `mut {name}: EventWriter<{}>`"),
    foreign(
        "Events Messages",
        "is of bevy: write `mut {name}: EventReader<{}>` to read events, `mut {name}: EventWriter<{}>` to send them",
    ),
    foreign("MessageMutator", "is `EventMutator` here: write `mut {name}: EventMutator<{}>`"),
    foreign("ParallelCommands", "is `ParCommands` here: write `mut {name}: ParCommands<{world}>`"),
    foreign(
        "Deferred",
        "does not exist here: a system defers changes through `mut {name}: Commands<{world}>`",
    ),
    foreign(
        "If When",
        "does not exist here: a resource is always there, and `Single<..>` and `Populated<..>` skip the system by themselves: write \
         `{name}: {}`",
    ),
    foreign("InRef InMut", "is `In` here: write `{name}: In<{}>`, with a type that owns its data"),
    foreign("NextState", "is of bevy: write `mut {name}: ResMut<State<{}>>`, and `{name}.set(..)`"),
    foreign(
        "StateTransitionEvent",
        "is of bevy: write `{name}: Res<State<{}>>`, whose methods `entered` and `exited` give the states",
    ),
    foreign(
        "Time",
        "is of bevy: write `{name}: Res<Clock>`, of `ecs::time`, with `resources {{ Clock = Clock::new() }}` in the `world!`; \
         `{name}.delta()` is a `Duration`",
    ),
    foreign(
        "SystemState QueryState",
        "is of bevy: a system takes the parameters of `{type}` as parameters of its own",
    ),
    foreign("SystemName", "does not exist here: write the name as a text"),
    foreign("SystemChangeTick", "is of bevy: write `{name}: Tick`, of `ecs::query`"),
    foreign(
        "Archetypes Bundles Components Observers",
        "does not exist here: the `world!` has the list of all components; take a `Query`, or `&mut {world}`",
    ),
    foreign(
        "ButtonInput Input Axis KeyCode MouseButton Gamepad Touches AccumulatedMouseMotion",
        "is of bevy, and this library has no input of devices: declare a resource of your own, `#[derive(Resource)] struct Keys \
         {{ jump: bool }}`, set it before the schedule runs, and write `{name}: Res<Keys>`",
    ),
    foreign(
        "AssetServer Assets Handle Gizmos Window PrimaryWindow Camera Sprite Text TextFont Image Mesh Mesh2d Mesh3d Color",
        "is of bevy's engine, which this library does not have: declare a component or a resource of your own",
    ),
    foreign(
        "Transform GlobalTransform Visibility Vec2 Vec3",
        "is of bevy, and this library has no such type: declare your own, `#[derive(Component)] struct Position {{ x: f32, y: f32 }}`",
    ),
    // bevy: query data and filters
    foreign(
        "Children",
        "is a query element here: write `{name}: Sources<ChildOf>`, the children of the entity, or \
         `{name}: Query<(Entity, Sources<ChildOf>)>` for all",
    ),
    foreign(
        "Parent",
        "is a component here: write `&ChildOf`, which holds the parent, or `{name}: Query<&ChildOf>`",
    ),
    foreign(
        "EntityRef EntityMut EntityWorldMut FilteredEntityRef FilteredEntityMut EntityRefExcept EntityMutExcept DeferredWorld",
        "gives access to all components of an entity, which a system names: write \
         `{name}: Query<(Entity, &A, Option<&B>)>`, or take the world, `&mut {world}`, and call its method `entity`",
    ),
    foreign("AnyOf", "is not known here: write `Query<(Option<&A>, Option<&B>), Or<(With<A>, With<B>)>>`"),
    foreign("Has", "is a trait of worlds: the element that tells whether an entity has `{}` is `Is<{}>`"),
    foreign("NameOrEntity", "is of bevy: write `(Entity, Option<&Name>)`, with `Name` of `ecs::component`"),
    foreign("SpawnDetails", "is of bevy: write `Ref<T>` of a component with `#[component(tracked)]`"),
    foreign("Allow", "is of bevy: write `AllowDisabled`, of `ecs::query`, for `{type}`"),
    foreign(
        "Spawned",
        "is of bevy: write the filter `Added<T>`, with `#[component(tracked)]` on the component `T`, or the parameter \
         `Entered<With<T>>`",
    ),
    // hecs
    foreign(
        "PreparedQuery QueryBorrow QueryMut QueryOne ViewBorrow",
        "is of hecs: write `{name}: Query<{}>`",
    ),
    foreign("Satisfies", "is of hecs: write `Is<T>`, which tells whether an entity has the component `T`"),
    // specs, legion
    foreign("ReadStorage", "is of specs: write `{name}: Query<&{last}>`"),
    foreign("WriteStorage", "is of specs: write `mut {name}: Query<&mut {last}>`"),
    foreign(
        "Read ReadExpect Fetch TryRead",
        "is of specs and legion: write `{name}: Res<{}>` for a resource, `&{}` for a component",
    ),
    foreign(
        "Write WriteExpect FetchMut TryWrite",
        "is of specs and legion: write `mut {name}: ResMut<{}>` for a resource, `&mut {}` for a component",
    ),
    foreign("LazyUpdate CommandBuffer", "is `Commands` here: write `mut {name}: Commands<{world}>`"),
    foreign(
        "SubWorld",
        "is of legion: write a query for each use, `mut {name}: Query<(&mut A, &B)>`, or take the world, `{name}: &mut {world}`",
    ),
    foreign(
        "Entities EntitiesView EntitiesViewMut",
        "is of specs and shipyard: write `{name}: Query<Entity>`, and `mut commands: Commands<{world}>` to spawn and despawn",
    ),
    // shipyard
    foreign(
        "View",
        "is of shipyard: write `{name}: Query<&{}>`, or one query of all that the system reads, `Query<(&mut A, &B)>`",
    ),
    foreign(
        "ViewMut",
        "is of shipyard: write `mut {name}: Query<&mut {}>`, or one query of all that the system reads, `Query<(&mut A, &B)>`",
    ),
    foreign("UniqueView", "is of shipyard: write `{name}: Res<{}>`"),
    foreign("UniqueViewMut", "is of shipyard: write `mut {name}: ResMut<{}>`"),
    foreign("AllStoragesView AllStoragesViewMut", "is of shipyard: write `{name}: &mut {world}`"),
    foreign("EntityId", "is `Entity` here"),
    // flecs
    foreign("EntityView", "is of flecs: write `Entity`, the id of the entity, beside its components"),
    foreign("TableIter", "is of flecs: write `{name}: Query<(&mut A, &B)>`"),
];

/// The parameters of observers in bevy. The cure depends on the first argument.
const OBSERVERS: [&str; 2] = ["On", "Trigger"];

const fn foreign(names: &'static str, cure: &'static str) -> Foreign {
    Foreign { names, cure }
}

/// A type of another library in a type of the user.
pub(crate) struct Found<'a> {
    pub(crate) ty: &'a Type,
    pub(crate) name: String,
    arguments: Vec<&'a Type>,
    cure: &'static str,
}

/// The first type of another library within `ty`. `None` for a path of several segments, a type
/// with a lifetime, and a name that the file declares or imports: these are types of the user.
pub(crate) fn find(ty: &Type) -> Option<Found<'_>> {
    types::paths(ty).into_iter().find_map(of)
}

fn of(ty: &Type) -> Option<Found<'_>> {
    let Type::Path(path) = ty else { return None };
    let only =
        path.path.segments.first().filter(|_| path.path.segments.len() == 1 && path.qself.is_none())?;
    let (name, arguments) = (text(&only.ident), type_arguments(only));
    let cure = match FOREIGN.iter().find(|row| row.names.split(' ').any(|one| one == name)) {
        Some(row) => row.cure,
        None if OBSERVERS.contains(&name.as_str()) && !arguments.is_empty() => of_observer(&arguments),
        None => return None,
    };
    let is_own = !lifetimes::in_type(ty).is_empty()
        || cure.contains("{}") && arguments.is_empty() && cure.contains("<{}>")
        || source_file::may_declare(&name, only.ident.span());
    (!is_own).then_some(Found { ty, name, arguments, cure })
}

fn of_observer(arguments: &[&Type]) -> &'static str {
    const EVENT: &str = "is the parameter of an observer: a system reads events through `mut {name}: EventReader<{}>`; \
        `Entered<F>` and `Exited<F>` are the entities that have begun and ceased to match a filter";
    match (source(arguments[0]).as_str(), arguments.len()) {
        ("Add" | "Insert" | "OnAdd" | "OnInsert", 2) => {
            "is the parameter of an observer of bevy: write `{name}: Query<(Entity, &{last}), Added<{last}>>`, with \
             `#[component(tracked)]` on `{last}`"
        }
        ("Remove" | "Discard" | "Replace" | "Despawn" | "OnRemove" | "OnReplace" | "OnDespawn", 2) => {
            "is the parameter of an observer of bevy: write `mut {name}: Removed<{last}>`, with `#[derive(Clone)]` and \
             `#[component(removed)]` on `{last}`"
        }
        _ => EVENT,
    }
}

impl Found<'_> {
    /// The cure for the parameter `name` of a system of `world`.
    pub(crate) fn cure(&self, name: &str, world: Option<&str>) -> String {
        let all: Vec<String> = self.arguments.iter().map(source).collect();
        let first = all.first().cloned().unwrap_or_default();
        let last = all.last().cloned().unwrap_or_default();
        let cure = self.cure.replace("{}", &first).replace("{last}", &last).replace("{all}", &all.join(", "));
        let cure = cure.replace("{type}", &source(self.ty)).replace("{name}", name);
        cure.replace("{world}", world.unwrap_or("Game")).replace("{{", "{").replace("}}", "}")
    }
}

/// The derives of other libraries, and misspelt ones, with what to write: a table of [`words`].
/// The struct with `DerefMut` derives `Deref`, too.
const DERIVES: &str = "
QueryData WorldQuery  query `{name}` derives `{derive}` of bevy: write `#[derive(Query)] struct
  {name}<'a>`, with fields such as `&'a Position` and `&'a mut Position`, without
  `#[query_data(..)]`
QueryFilter  `{name}` derives `QueryFilter` of bevy: a filter has a name as a type alias: write
  `type {name} = (With<A>, Without<B>);`
Deref  `{name}` derives `Deref`: write `#[component(deref)]` in place of `#[derive(Deref,
  DerefMut)]`
DerefMut
SystemSet ScheduleLabel  `{name}` derives `{derive}` of bevy: systems take effect in the order of
  the text, and a group has one condition: write `schedule tick { (one, two) if playing; three }` in
  the `world!`
SubStates  `{name}` derives `SubStates` of bevy: write `#[derive(States)]` and `#[states(within =
  screen::Play)]`, with the parent's state
State  `{name}` derives `State`, the resource that holds the current state: write
  `#[derive(States)]`
ComputedStates  `{name}` derives `ComputedStates` of bevy: write `#[derive(States)]` and
  `#[states(computed)]`, and a system that returns the state, before `| compute_state::<{name}>`
Message EntityEvent  `{name}` derives `{derive}` of bevy: write `#[derive(Event)]`
Unique  `{name}` derives `Unique` of shipyard: write `#[derive(Resource)]`
SystemData  `{name}` derives `SystemData` of specs: write `#[derive(SystemParam)]`, with fields such
  as `Query<'w, &'static T>`
component Components  `{name}` derives `{derive}`: write `#[derive(Component)]`
resource Resources  `{name}` derives `{derive}`: write `#[derive(Resource)]`
event Events  `{name}` derives `{derive}`: write `#[derive(Event)]`
bundle  `{name}` derives `{derive}`: write `#[derive(Bundle)]`
";

/// Whether a derive of this name is one of these errors.
pub(crate) fn is_derive(name: &str) -> bool {
    words::advice(DERIVES, name).is_some()
}

/// The message for a derive that this library does not have, on the type `name`.
pub(crate) fn derive_cure(derive: &str, name: &str) -> String {
    let cure = words::advice(DERIVES, derive).unwrap_or_default();
    cure.replace("{name}", name).replace("{derive}", derive)
}

/// The conditions of foreign methods, traits that no type implements: behind the subject, for each
/// answer three brackets with the traits and the names of their methods, with the reason or the
/// message, and with the other texts.
pub(crate) fn conditions(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let subject = input.parse::<LitStr>()?.value();
    let mut conditions = TokenStream::new();
    while !input.is_empty() {
        let (methods, texts, answer);
        bracketed!(methods in input);
        bracketed!(texts in input);
        bracketed!(answer in input);
        let answer: TokenStream = answer.parse()?;
        let message = match texts.parse::<Option<Token![=]>>()? {
            Some(_) => texts.parse::<LitStr>()?.value(),
            None if texts.parse::<Option<Token![:]>>()?.is_some() => {
                format!("{subject} has no `{{method}}`: {}", texts.parse::<LitStr>()?.value())
            }
            None => format!("{subject} has no `{{method}}`"),
        };
        while !methods.is_empty() {
            let attributes = methods.call(Attribute::parse_outer)?;
            let (condition, method): (Ident, Ident) = (methods.parse()?, methods.parse()?);
            let message = message.replace("{method}", &method.to_string());
            conditions.extend(quote! {
                #(#attributes)*
                #[diagnostic::on_unimplemented(message = #message, #answer)]
                #[doc = "The condition of a method that is not there."]
                pub trait #condition {}
                #(#attributes)*
                #[diagnostic::do_not_recommend]
                impl<This> #condition for [super::InChain<This>] {}
                #(#attributes)*
                #[diagnostic::do_not_recommend]
                impl<This> #condition for super::InChain<This> {}
            });
        }
    }
    Ok(conditions)
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::*;

    fn message(ty: Type) -> Option<String> {
        find(&ty).map(|found| found.cure("it", Some("Game")))
    }

    #[test]
    fn a_foreign_type_is_found_at_every_depth() {
        let of = |ty| message(ty).unwrap_or_default();
        assert_eq!(
            of(parse_quote!(ViewMut<Health>)).split(',').next(),
            Some("is of shipyard: write `mut it: Query<&mut Health>`")
        );
        assert!(of(parse_quote!(Query<Entity, (With<A>, Spawned)>)).contains("Entered<With<T>>"));
        assert!(of(parse_quote!(On<Add, Health>)).contains("Added<Health>"));
        assert!(of(parse_quote!(Res<Time>)).contains("resources { Clock = Clock::new() }"));
        assert_eq!(message(parse_quote!(my::View<Health>)), None);
        assert_eq!(message(parse_quote!(View<'_, Health>)), None);
        assert_eq!(message(parse_quote!(Query<&Health>)), None);
    }

    #[test]
    fn no_name_is_in_the_table_twice() {
        let mut names: Vec<&str> =
            FOREIGN.iter().flat_map(|row| row.names.split(' ')).chain(OBSERVERS).collect();
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
