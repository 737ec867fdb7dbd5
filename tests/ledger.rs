//! Counting values: each must be dropped exactly once.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

thread_local! {
    static OF_THREAD: RefCell<Ledger> = RefCell::default();
}

/// The set of live tokens.
#[derive(Clone, Default, Debug)]
pub struct Ledger(Arc<Mutex<Book>>);

#[derive(Default, Debug)]
struct Book {
    next: u64,
    alive: BTreeSet<u64>,
    errors: Vec<String>,
}

/// A value that must be dropped once. It owns memory, so that a sanitizer sees a second drop too.
#[derive(Debug)]
pub struct Token {
    ledger: Ledger,
    number: Box<u64>,
}

impl Ledger {
    /// A ledger without tokens.
    pub fn new() -> Self {
        Self::default()
    }

    /// The ledger of this thread, for values that are made without one, such as loaded ones.
    pub fn of_thread() -> Self {
        OF_THREAD.with_borrow(Clone::clone)
    }

    /// Makes it the ledger of this thread.
    pub fn enter(&self) {
        OF_THREAD.set(self.clone());
    }

    fn with<R>(&self, f: impl FnOnce(&mut Book) -> R) -> R {
        f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A new token.
    pub fn token(&self) -> Token {
        let number = self.with(|book| {
            book.next += 1;
            book.alive.insert(book.next);
            book.next
        });
        Token { ledger: self.clone(), number: Box::new(number) }
    }

    /// The number of live tokens.
    #[track_caller]
    pub fn alive(&self) -> usize {
        self.with(|book| {
            assert!(book.errors.is_empty(), "{:?}", book.errors);
            book.alive.len()
        })
    }

    /// The number of tokens that were created.
    pub fn made(&self) -> u64 {
        self.with(|book| book.next)
    }

    /// Asserts that every token was dropped, and none twice.
    #[track_caller]
    pub fn assert_settled(&self) {
        assert_eq!(self.alive(), 0, "tokens that were never dropped");
    }
}

impl Token {
    /// Its number, unique within the ledger.
    pub fn number(&self) -> u64 {
        *self.number
    }
}

impl Clone for Token {
    fn clone(&self) -> Self {
        self.ledger.token()
    }
}

impl Drop for Token {
    fn drop(&mut self) {
        let number = *self.number;
        self.ledger.with(|book| {
            if !book.alive.remove(&number) {
                book.errors.push(format!("token {number} was dropped twice"));
            }
        });
    }
}

/// A number with a token of the thread's ledger. It is serialized as the number.
#[derive(Clone, Debug)]
pub struct Counted(pub u32, Token);

impl Counted {
    /// A number with a new token.
    pub fn new(number: u32) -> Self {
        Self(number, Ledger::of_thread().token())
    }
}

impl Serialize for Counted {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        assert!(self.1.number() > 0);
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Counted {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        u32::deserialize(deserializer).map(Self::new)
    }
}
