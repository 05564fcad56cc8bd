//! The coder as real processes on one file: killed at random moments, and two that live at the same time.

mod coder;
mod kills;
mod writers;
