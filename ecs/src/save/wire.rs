//! [`Wire`]: a component that a selection has in another form, for instance in fewer bits.
#![expect(unsafe_code, reason = "a value and its wrapper have one layout")]

use core::fmt;

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A component that deltas may have in another form than files, for instance with fewer bits: see
/// [`Wire`].
///
/// `from_form` accepts each form that `to_form` returns, and the value that it makes has that form
/// again: sender and receiver have values of equal forms, whose hashes they compare.
///
/// Values of a key or a unique component that differ must have forms that differ: the receiver
/// refuses a second entity with an equal value.
pub trait WireForm: Sized + 'static {
    /// The form that is written and read.
    type Form: Serialize + DeserializeOwned + 'static;

    /// A number that differs between forms of one type that have other meanings, such as other
    /// ranges. Programs that have different numbers do not read each other's deltas.
    const VERSION: u64 = 0;

    /// The form of a value.
    fn to_form(&self) -> Self::Form;

    /// The value of a form.
    ///
    /// # Errors
    /// A text for the error of the delta, if no value has this form.
    fn from_form(form: Self::Form) -> Result<Self, &'static str>;
}

/// The component `T` in its [`WireForm`], in the list of a [`Selection`](crate::save::Selection).
///
/// Deltas are written, compared and hashed by the form, so that a value which changes less than its
/// form is not sent. The worlds have plain values of `T`, and save them as ever.
///
/// ```
/// use ecs::prelude::*;
/// use ecs::save::{Baseline, Replica, Selection, Wire, WireForm};
///
/// #[derive(Component, Clone, PartialEq, Debug)]
/// struct Height(f32);
/// /// In centimetres.
/// impl WireForm for Height {
///     type Form = i16;
///     fn to_form(&self) -> i16 {
///         (self.0 * 100.0).round() as i16
///     }
///     fn from_form(form: i16) -> Result<Self, &'static str> {
///         Ok(Self(f32::from(form) / 100.0))
///     }
/// }
/// world! { #[derive(Clone)] struct Game { components { Height } } }
///
/// let (mut game, mut copy) = (Game::new(), Game::new());
/// let bird = game.spawn(Height(3.14159));
/// let sent = Selection::of::<Wire<Height>>();
/// let mut replica = Replica::new();
/// sent.apply(&mut copy, &mut replica, &sent.delta(&Baseline::nothing(), &game, 1)?)?;
/// assert_eq!(copy.get(replica.get(bird).unwrap()), Some(&Height(3.14)));
///
/// let known = sent.baseline(&mut game, 1);
/// game.get_mut::<Height>(bird).unwrap().0 = 3.142;
/// let mut changes = 0;
/// sent.changed_slots(&known, &game)?.for_each(|_, _| changes += 1);
/// assert_eq!(changes, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[repr(transparent)]
pub struct Wire<T>(T);

impl<T: WireForm> Serialize for Wire<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.to_form().serialize(serializer)
    }
}

impl<'de, T: WireForm> Deserialize<'de> for Wire<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::from_form(T::Form::deserialize(deserializer)?).map(Self).map_err(D::Error::custom)
    }
}

impl<T: fmt::Debug> fmt::Debug for Wire<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Wire").field(&self.0).finish()
    }
}

/// The type by which a selection writes and reads the values of a component `T`: the component
/// itself, or its [`Wire`].
///
/// # Safety
/// It is `T`, or a transparent wrapper of it.
pub(in crate::save) unsafe trait SelectedAs<T>:
    Serialize + DeserializeOwned + 'static
{
    /// The type whose layout the values have.
    type Form: DeserializeOwned + 'static;

    /// See [`WireForm::VERSION`].
    const VERSION: u64 = 0;

    /// The values as those of this type.
    fn of(values: &[T]) -> &[Self] {
        // SAFETY: the contract of the trait: the layouts are equal.
        unsafe { core::slice::from_raw_parts(values.as_ptr().cast(), values.len()) }
    }
}

// SAFETY: it is `T`.
unsafe impl<T: Serialize + DeserializeOwned + 'static> SelectedAs<T> for T {
    type Form = T;
}

// SAFETY: the wrapper is transparent.
unsafe impl<T: WireForm> SelectedAs<T> for Wire<T> {
    type Form = T::Form;
    const VERSION: u64 = T::VERSION;
}
