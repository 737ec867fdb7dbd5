//! [`Prefabs`]: the reader of prefab files, with the aspects that the files may name.

use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::TypeId;
use core::fmt;

use crate::aspect::{Aspect, AspectPart, Part};
use crate::base::type_identity::Identity;
use crate::bundle::{Bundle, BundleComponents, IntoComponents};
use crate::entity::Entity;
use crate::save::Saved;
use crate::save::sections::Sections;
use crate::storage::detached_columns::DetachedColumns;
use crate::world::World;

/// A reader of prefabs for worlds of type `W`, with the aspects that the files may name.
///
/// An entity in a file names an aspect as it names a component. The value of an aspect is a map of
/// overrides, by field names, at any depth. All other fields have the aspect's default values,
/// which are made anew for each spawn.
///
/// ```
/// use ecs::prelude::*;
/// use ecs::{Aspect, Prefabs};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Component, Serialize, Deserialize, Default, PartialEq, Debug)]
/// struct Health { now: u32, max: u32 }
/// #[derive(Component, Serialize, Deserialize, Default, PartialEq, Debug)]
/// struct Speed(u32);
/// #[derive(Component, Serialize, Deserialize, PartialEq, Debug)]
/// struct Position { x: i32, y: i32 }
///
/// #[derive(Aspect)]
/// struct Body {
///     #[aspect(default = Health { now: 5, max: 5 })]
///     health: Health,
///     speed: Speed,
/// }
/// #[derive(Aspect)]
/// struct Monster {
///     #[aspect(.speed = Speed(2))]
///     body: Body,
/// }
///
/// world! {
///     #[derive(Serialize, Deserialize)]
///     struct Game { components { Health, Speed, Position } }
/// }
///
/// let content = Prefabs::<Game>::new().aspect::<Monster>();
/// let wolf = content.read(&mut serde_json::Deserializer::from_str(r#"{
///     "wolf": { "Monster": { "body": { "health": { "max": 9 } } }, "Position": { "x": 1, "y": 2 } }
/// }"#))?;
///
/// let mut game = Game::new();
/// let wolf = wolf.spawn(&mut game)?["wolf"];
/// assert_eq!(game.get(wolf), Some(&Health { now: 5, max: 9 }));
/// assert_eq!((game.get(wolf), game.get(wolf)), (Some(&Speed(2)), Some(&Position { x: 1, y: 2 })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A component that serializes as a struct is overridden field by field, and so are structs within
/// it. Enums, newtypes, lists and maps are replaced as a whole. A field that serde skips gets the
/// default that serde gives it, if its component is overridden. Values of the file take precedence
/// over all defaults. The default values are made before they are overridden, so the factory
/// (`#[aspect(default = ..)]`) of an overridden component is called, too. Overrides are also
/// checked when the file is read, on default values that are made for this check and dropped.
///
/// If two aspects, or an aspect and the entity itself, give an entity the same component, reading
/// returns an error that gives both positions.
///
/// Cloning is cheap. Reading many files with one `Prefabs` is cheaper than making a `Prefabs` for
/// each, because the world's components are listed once. Spawning a prefab parses no text.
pub struct Prefabs<W: World> {
    pub(super) sections: Arc<Sections>,
    pub(super) aspects: Vec<Arc<KnownAspect<W>>>,
    pub(super) memory: Option<u64>,
}

/// An aspect that files may name.
pub(super) struct KnownAspect<W: World> {
    id: TypeId,
    /// The position of its declaration.
    identity: Identity,
    pub(super) root: AspectMember,
    /// The index and the path of each of its components, in the order of the fields.
    pub(super) leaves: Vec<(usize, String)>,
    /// Makes the default values of its components, in one slot of detached columns.
    pub(super) make: fn(&mut DetachedColumns, u32),
    /// Makes the default values of its components, and inserts them into an entity. For components
    /// without rules.
    pub(super) insert: fn(&mut W, Entity),
}

/// A node of an aspect's tree: an aspect with fields, or a component.
pub(super) struct AspectMember {
    /// The name of the field; for the root, the name of the aspect.
    pub(super) name: &'static str,
    /// The index of the component, if the node is a component.
    pub(super) component: Option<usize>,
    pub(super) fields: Vec<AspectMember>,
}

impl<W: World> Prefabs<W> {
    /// Makes a reader without aspects.
    #[must_use]
    pub fn new() -> Self
    where
        W: Saved,
    {
        Self { sections: Sections::of::<W>(), aspects: Vec::new(), memory: None }
    }

    /// Limits the memory that the values of one file may take while it is read, in bytes. A short
    /// untrusted file may describe very large values. The default limit is 64 MiB, and 64 bytes
    /// more for each byte of the file.
    ///
    /// The limit counts the same memory as
    /// [`LoadOptions::memory`](crate::save::LoadOptions::memory) in the human-readable form.
    ///
    /// ```
    /// use ecs::prelude::*;
    /// use ecs::Prefabs;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Component, Serialize, Deserialize)]
    /// struct Health(u32);
    ///
    /// world! {
    ///     #[derive(Serialize, Deserialize)]
    ///     struct Game { components { Health } }
    /// }
    ///
    /// let text = r#"{ "goblin": { "Health": 7 } }"#;
    /// let refused = Prefabs::<Game>::new().memory(100).from_json("goblin.json", text);
    /// assert!(refused.unwrap_err().to_string().contains("too much memory"));
    /// assert!(Prefabs::<Game>::new().from_json("goblin.json", text).is_ok());
    /// ```
    #[must_use]
    pub fn memory(self, bytes: u64) -> Self {
        Self { memory: Some(bytes), ..self }
    }

    /// Adds the aspect `A`: files may name it by its type name. Adding an aspect again changes
    /// nothing.
    ///
    /// # Panics
    /// If a component of the world, or another aspect of this reader, has the same name.
    #[must_use]
    #[track_caller]
    pub fn aspect<A: Aspect + Bundle<W> + 'static>(self) -> Self // `aspect::<Monster>()`
    {
        self.aspect_as::<A>(A::ASPECT_NAME)
    }

    /// Adds the aspect `A` by another name than its type's. For two aspects whose types have the
    /// same name, and for generic aspects.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::{Aspect, Prefabs};
    /// # use serde::{Deserialize, Serialize};
    /// # #[derive(Component, Serialize, Deserialize, Default)] struct Fire(u32);
    /// # #[derive(Component, Serialize, Deserialize, Default)] struct Speed(u32);
    /// #[derive(Aspect)]
    /// struct Spell<T: Component + Default> { element: T, speed: Speed }
    ///
    /// # world! { #[derive(Serialize, Deserialize)] struct Game { components { Fire, Speed } } }
    /// let content = Prefabs::<Game>::new().aspect_as::<Spell<Fire>>("FireSpell");
    /// ```
    ///
    /// # Panics
    /// If a component of the world, or another aspect of this reader, has the name `name`.
    #[must_use]
    #[track_caller]
    pub fn aspect_as<A: Aspect + Bundle<W> + 'static>(mut self, name: &'static str) -> Self {
        let (id, identity) = (TypeId::of::<A>(), identity::<A>());
        if let Some(clash) = self.clash(name, id) {
            let which = declared(A::ASPECT_NAME, &identity);
            panic!(
                "prefabs of world `{}`: {which} cannot be named `{name}`, because {clash} has this name; give one of them another name with `aspect_as`",
                W::NAME
            );
        }
        if self.aspects.iter().any(|known| known.id == id && known.root.name == name) {
            return self;
        }
        let mut indices = Vec::new();
        A::BundleComponents::each(&mut |index| indices.push(index));
        let (mut leaves, mut rest) = (Vec::new(), indices.into_iter());
        let root = AspectMember::of(name, &A::PART, name.into(), &mut rest, &mut leaves);
        let root = root.filter(|_| rest.next().is_none());
        let Some(root) = root else {
            panic!(
                "the parts of aspect `{}` differ from its components; write `#[derive(Aspect)]` instead of implementing `Aspect`",
                A::ASPECT_NAME
            )
        };
        let make = |to: &mut DetachedColumns, slot| {
            IntoComponents::<W, _>::into_components(A::fresh()).scatter(slot, to)
        };
        let insert = |world: &mut W, entity| {
            drop(IntoComponents::<W, _>::into_components(A::fresh()).put(world, entity));
        };
        self.aspects.push(Arc::new(KnownAspect { id, identity, root, leaves, make, insert }));
        self
    }

    /// Describes the component or the other aspect that already has this name.
    fn clash(&self, name: &str, id: TypeId) -> Option<String> {
        for entry in &self.sections.components {
            let component = entry.name;
            if component == name {
                return Some(format!("component `{component}`"));
            }
            if entry.aliases.contains(&name) {
                return Some(format!("component `{component}`, by an alias"));
            }
        }
        let known = self.aspects.iter().find(|known| known.root.name == name && known.id != id)?;
        Some(declared(known.identity.name, &known.identity))
    }

    /// Reads a prefab from any human-readable serde format.
    ///
    /// # Errors
    /// If the prefab is invalid. The error is of the format's type; the format adds the position in
    /// the file, if it knows it.
    pub fn read<'de, D: serde::Deserializer<'de>>(
        &self,
        deserializer: D,
    ) -> Result<super::Prefab<W>, D::Error> {
        serde::de::DeserializeSeed::deserialize(self, deserializer)
    }
}

/// Describes an aspect by name, module and line.
fn declared(name: &str, Identity { module, line, .. }: &Identity) -> String {
    format!("aspect `{name}` (`{module}`, line {line})")
}

fn identity<A: AspectPart>() -> Identity {
    match A::PART {
        Part::Aspect(tree) => tree.identity,
        Part::Component(identity) => identity,
    }
}

impl AspectMember {
    /// Makes the node of a field; `None` if `indices` has fewer components than the aspect
    /// declares.
    fn of(
        name: &'static str,
        part: &Part,
        path: String,
        indices: &mut impl Iterator<Item = usize>,
        leaves: &mut Vec<(usize, String)>,
    ) -> Option<Self> {
        let Part::Aspect(tree) = part else {
            let index = indices.next()?;
            leaves.push((index, path));
            return Some(Self { name, component: Some(index), fields: Vec::new() });
        };
        let fields = tree.fields.iter().map(|field| {
            Self::of(field.name, &field.part, format!("{path}.{}", field.name), indices, leaves)
        });
        Some(Self { name, component: None, fields: fields.collect::<Option<_>>()? })
    }
}

impl<W: Saved> Default for Prefabs<W> {
    fn default() -> Self {
        Self::new()
    }
}

impl<W: World> Clone for Prefabs<W> {
    fn clone(&self) -> Self {
        let Self { sections, aspects, memory } = self;
        Self { sections: Arc::clone(sections), aspects: aspects.clone(), memory: *memory }
    }
}

impl<W: World> fmt::Debug for Prefabs<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let aspects: Vec<_> = self.aspects.iter().map(|known| known.root.name).collect();
        f.debug_struct("Prefabs").field("world", &W::NAME).field("aspects", &aspects).finish_non_exhaustive()
    }
}
