//! The call of an author's function for an option that depends on no other one. The compiler's own error about a function that
//! takes arguments would not name `depends_on`. So method resolution takes the first one of two types whose `impl` fits, as in
//! `argument`, and only the result of the first one meets a bound with a text.

use std::ops::Deref;

/// A function that is called without arguments.
pub struct Alone<F>(Misfit<F>);
/// Stands for a function that takes arguments.
pub struct Misfit<F>(F);

/// What a function without arguments returned.
pub struct Returned<L>(L);
/// Stands for the result of a function with arguments.
pub struct TakesArguments;

impl<F> Alone<F> {
    /// The function at `values = path` or `shown_if = path`.
    pub fn new(function: F) -> Self {
        Self(Misfit(function))
    }
}

impl<L, F: Fn() -> L> Alone<F> {
    /// Calls it.
    pub fn call(&self) -> Returned<L> {
        Returned((self.0.0)())
    }
}

impl<F> Misfit<F> {
    /// Compiles for any function.
    pub fn call(&self) -> TakesArguments {
        TakesArguments
    }
}

impl<F> Deref for Alone<F> {
    type Target = Misfit<F>;

    fn deref(&self) -> &Misfit<F> {
        &self.0
    }
}

/// The result of a function without arguments.
#[diagnostic::on_unimplemented(
    message = "this function takes arguments, and its option has no `depends_on(..)` that names them",
    label = "takes arguments: add `depends_on(..)` beside this key",
    note = "the function gets the options that `depends_on(..)` names, in this order: with `depends_on(model), values = efforts`, \
            it is `fn efforts(model: Model) -> Vec<Effort>`"
)]
pub trait WithoutArguments {
    /// What the function returns.
    type Returned;

    /// What the function returned.
    fn returned(self) -> Self::Returned;
}

#[diagnostic::do_not_recommend]
impl<L> WithoutArguments for Returned<L> {
    type Returned = L;

    fn returned(self) -> L {
        self.0
    }
}

/// What the function returned, if it takes no arguments.
pub fn returned<R: WithoutArguments>(result: R) -> R::Returned {
    result.returned()
}
