//! The tests of this package are in `tests`. A package must have a library or a program.
