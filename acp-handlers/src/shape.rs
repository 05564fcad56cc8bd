//! The shapes of what a handler returns. They separate conversions that the compiler could not tell apart.

use std::marker::PhantomData;

/// Marks a handler that returns a `Result`.
pub struct Fallible<Shape>(PhantomData<Shape>);
/// Marks a handler that returns the answer itself.
pub struct Plain<Shape>(PhantomData<Shape>);

/// Marks a value that already is the answer.
pub struct Itself;
/// Marks a value that is a short form of the answer.
pub struct Short;
