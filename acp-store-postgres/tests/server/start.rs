//! A server of PostgreSQL in a temporary folder, on a socket of its own. It ends with this process, however that ends.

use std::{
    env,
    fmt::Write as _,
    fs,
    io::{BufRead as _, BufReader, Write as _},
    os::unix::{fs::MetadataExt as _, fs::chown, process::CommandExt as _},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::{Mutex, MutexGuard, OnceLock, PoisonError},
};

/// The guard of a server. It does what it reads from its input, and says when it is done. When its input ends, because
/// this process has ended it or is gone, it ends the server and removes the folder.
///
/// Its parameters: the folder of the programs, the folder of the server, its options.
const GUARD: &str = r#"
trap : INT TERM HUP
cd "$2" || exit 1
run() { "$1/pg_ctl" -D data -l log -w -t 30 -o "$3" start >> log 2>&1; }
while read -r order; do
    case $order in
    start)
        # Processes of a server that was killed may live for a moment.
        tries=0
        until run "$@"; do
            tries=$((tries + 1))
            if [ $tries -ge 20 ]; then echo failed; continue 2; fi
            sleep 0.2
        done ;;
    ensure) "$1/pg_ctl" -D data status > /dev/null || run "$@" ;;
    kill) kill -9 "$(head -n 1 data/postmaster.pid)" ;;
    stop) "$1/pg_ctl" -D data -w -m immediate stop >> log 2>&1 ;;
    esac
    echo done
done
"$1/pg_ctl" -D data -w -m immediate stop > /dev/null 2>&1
cd / && rm -rf "$2"
"#;

/// A server that runs.
pub(crate) struct Server {
    folder: PathBuf,
    guard: Mutex<Guard>,
}

struct Guard {
    process: Child,
    /// `None` when the guard was told to end.
    orders: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Server {
    /// Starts a server with these options of `postgres`. `None` if this machine has no PostgreSQL; where `CI` is set, it
    /// must have one.
    pub(crate) fn start(options: &str) -> Option<Self> {
        Self::start_in(&env::temp_dir(), options)
    }

    /// Starts a server whose folder is made in this one.
    pub(crate) fn start_in(parent: &Path, options: &str) -> Option<Self> {
        let Some(programs) = programs() else {
            let how = "install PostgreSQL 14 or later (`apt-get install postgresql`), or name the folder of its programs \
                       in `ACP_POSTGRES_BIN`";
            assert!(env::var_os("CI").is_none(), "this test must run where `CI` is set: {how}");
            eprintln!("a test of PostgreSQL did not run: {how}");
            return None;
        };
        let folder = tempfile::Builder::new().prefix("acp-pg-").tempdir_in(parent).unwrap().keep();
        // PostgreSQL refuses to run as root.
        let user = (fs::metadata(&folder).unwrap().uid() == 0).then(other_user);
        let as_user = |program: &Path| {
            let mut command = Command::new(program);
            command.current_dir(&folder).env("LC_ALL", "C");
            if let Some((uid, gid)) = user {
                command.uid(uid).gid(gid);
            }
            command
        };
        if let Some((uid, gid)) = user {
            chown(&folder, Some(uid), Some(gid)).unwrap();
        }
        init(|| as_user(&programs.join("initdb")));
        let options = format!("-c listen_addresses= -c unix_socket_directories={} {options}", folder.display());
        let mut guard = as_user(Path::new("/bin/sh"));
        guard.args(["-c", GUARD, "guard"]).args([&programs, &folder]).arg(options);
        let mut process = guard.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let orders = process.stdin.take();
        let answers = BufReader::new(process.stdout.take().unwrap());
        let server = Self { folder, guard: Mutex::new(Guard { process, orders, answers }) };
        server.order("start");
        Some(server)
    }

    /// The server that the tests of this process share. Each test has a schema of its own there.
    pub(crate) fn shared() -> Option<&'static Self> {
        static SHARED: OnceLock<Option<Server>> = OnceLock::new();
        // No test of this server ends it, so it need not wait for the disk.
        SHARED.get_or_init(|| Self::start("-c fsync=off -c max_connections=200")).as_ref()
    }

    pub(crate) fn url(&self) -> String {
        format!("host={} user=acp dbname=postgres", self.folder.display())
    }

    /// Lets the guard `start` a server that has ended, `ensure` that it is started if it has perhaps ended, `kill` its first
    /// process, or `stop` all of them at once.
    pub(crate) fn order(&self, order: &str) {
        let mut guard = self.guard();
        writeln!(guard.orders.as_mut().unwrap(), "{order}").unwrap();
        let mut answer = String::new();
        guard.answers.read_line(&mut answer).unwrap();
        assert_eq!(answer.trim(), "done", "{order}: {}", self.log());
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.join("log")).unwrap_or_default()
    }

    fn guard(&self) -> MutexGuard<'_, Guard> {
        self.guard.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let mut guard = self.guard();
        guard.orders = None;
        let _ = guard.process.wait();
    }
}

/// Makes the data. Their order of texts is that of people, if the server knows one: the store must not depend on it.
fn init(initdb: impl Fn() -> Command) {
    let common = ["--pgdata=data", "--username=acp", "--auth=trust", "--encoding=UTF8", "--no-sync"];
    let mut said = String::new();
    for locale in [&["--locale-provider=icu", "--icu-locale=en-US", "--locale=C"][..], &["--locale=C"]] {
        let output = initdb().args(common).args(locale).output().unwrap();
        if output.status.success() {
            return;
        }
        write!(said, "{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)).unwrap();
    }
    panic!("the data of a server cannot be made (its user must reach `TMPDIR` and the programs): {said}");
}

/// A user that the system knows, and who is not root.
pub(crate) fn other_user() -> (u32, u32) {
    let users = fs::read_to_string("/etc/passwd").unwrap();
    let user = |name: &str| {
        let line = users.lines().find(|line| line.split(':').next() == Some(name))?;
        let mut numbers = line.split(':').skip(2).map(str::parse);
        Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
    };
    user("postgres").or_else(|| user("nobody")).expect("the system has a user `postgres` or `nobody`")
}

/// The folder of `initdb`, `pg_ctl` and `postgres`.
fn programs() -> Option<PathBuf> {
    if let Some(folder) = env::var_os("ACP_POSTGRES_BIN") {
        return Some(folder.into());
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = env::split_paths(&path).collect();
    // Debian has several versions side by side. The newest one comes first.
    let mut versions: Vec<PathBuf> =
        fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten().map(|version| version.path()).collect();
    versions.sort_by_key(|path| path.file_name().and_then(|name| name.to_str()?.parse::<u32>().ok()));
    folders.extend(versions.into_iter().rev().map(|version| version.join("bin")));
    folders.into_iter().find(|folder| ["initdb", "pg_ctl", "postgres"].iter().all(|name| folder.join(name).exists()))
}
