//! [`Named`]: content of a game by name, such as behaviour trees and conversations.

use std::collections::BTreeMap;
use std::sync::Arc;

/// Values by name. A clone shares them.
pub(crate) type Named<T> = Arc<BTreeMap<String, Arc<T>>>;
