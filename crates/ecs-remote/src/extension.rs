//! Methods of JSON-RPC that a program adds to its server.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use ecs::reflect::ReflectMut;
use serde_json::{Map, Value};

/// A method of a program: it gets the world as far as the request may see and change it, and the
/// parameters.
type Call = dyn FnMut(&mut ReflectMut<'_>, &Map<String, Value>) -> Result<Value, String> + Send;

/// The added methods by name. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct Extensions(BTreeMap<String, Arc<Mutex<Call>>>);

impl Extensions {
    /// Adds a method, or replaces one that was added.
    pub(crate) fn add(
        &mut self,
        name: String,
        call: impl FnMut(&mut ReflectMut<'_>, &Map<String, Value>) -> Result<Value, String> + Send + 'static,
    ) {
        self.0.insert(name, Arc::new(Mutex::new(call)));
    }

    /// The names of the methods, sorted.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Calls a method; `None` if no method has this name.
    pub(crate) fn call(
        &self,
        name: &str,
        world: &mut ReflectMut<'_>,
        params: &Map<String, Value>,
    ) -> Option<Result<Value, String>> {
        let method = self.0.get(name)?;
        // a method that has panicked is called again: only the program knows what its state is
        // worth
        let mut method = method.lock().unwrap_or_else(PoisonError::into_inner);
        Some(method(world, params))
    }
}

impl fmt::Debug for Extensions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}
