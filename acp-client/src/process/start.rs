//! Finds the reason why a program could not be started. The system has the same error for several reasons.

use std::io;

use super::Relaunch;

/// Explains "no such file", which may have several reasons.
pub(super) fn explain(error: io::Error, start: &Relaunch) -> io::Error {
    let program = std::path::Path::new(&start.program);
    let has_folder = program.components().count() > 1;
    let why = match (error.kind(), &start.dir) {
        (io::ErrorKind::NotFound | io::ErrorKind::NotADirectory, Some(dir)) if !dir.is_dir() => {
            format!("there is no folder `{}` to start it in", dir.display())
        }
        (io::ErrorKind::NotFound, _) if !has_folder => {
            "none of the folders of `PATH` has a program of this name; install it, or name it by its path".to_owned()
        }
        (io::ErrorKind::NotFound, None) if program.is_file() => {
            "the file is there, but the interpreter that its first line names is not".to_owned()
        }
        (io::ErrorKind::NotFound, _) => "there is no such file".to_owned(),
        (io::ErrorKind::PermissionDenied, None) if program.is_dir() => "it is a folder".to_owned(),
        (io::ErrorKind::PermissionDenied, _) => {
            format!("this user may not execute it; is it a program, and executable? ({error})")
        }
        _ => return error,
    };
    io::Error::new(error.kind(), why)
}
