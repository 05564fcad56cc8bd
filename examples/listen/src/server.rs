//! An agent over HTTP, with the page on the same port.

use std::{
    env, fmt,
    future::pending,
    io::{self, Write as _},
    net::IpAddr,
    time::Duration,
};

use acp_http::{HttpOptions, ServeHttp};
use acp_runtime::agent::{Handlers, OnThreads};

use crate::{Listen, Login, page};

/// Serves an agent until the process is told to end. The first line on stderr is the address of its endpoint.
///
/// # Errors
///
/// The port cannot be opened, the token cannot be read, or other machines could reach the agent without a login.
pub async fn serve<A>(agent: A, listen: Listen) -> io::Result<()>
where
    A: Handlers<Threading: OnThreads> + Send + Sync,
{
    let Listen { address, login, hosts } = listen;
    // An example has nothing to lose that a person would wait for.
    let mut options = HttpOptions::new().drain_timeout(Duration::from_secs(1));
    let names: Vec<_> = own_name(&address).into_iter().chain(hosts).collect();
    for host in &names {
        options = options.host(host);
    }
    // Who has no token yet learns nothing of this machine.
    let folder = if matches!(login, Login::Token(_)) { None } else { env::current_dir().ok() };
    let server = agent.serve_http(address).options(options).routes(page::routes(folder.as_deref()));
    let server = match login {
        Login::Loopback => server,
        Login::Token(file) => server.bearer_token_file(file),
        Login::None => server.without_login(),
    };
    let server = server.with_graceful_shutdown(told_to_end()).bind().await.map_err(with_flags)?;
    let endpoint = server.url();
    // Who starts it may read the first line alone, and close stderr.
    let _ = io::stderr().write_all(format!("listening on {endpoint}\n{}\n", pages(&endpoint, &names)).as_bytes());
    server.serve().await
}

/// Where the page is. An address that stands for all those of the machine is the name of no server.
fn pages(endpoint: &str, names: &[String]) -> String {
    let page = endpoint.trim_end_matches("acp");
    let all = ["//0.0.0.0:", "//[::]:"].into_iter().find(|all| page.contains(all));
    let Some(all) = all else { return format!("the page for a browser is {page}") };
    let named = |name: &str| page.replace(all, &format!("//{name}:"));
    let others = match names {
        [] => "other machines reach it by a name that `--host` gives".to_owned(),
        names => names.iter().map(|name| named(name)).collect::<Vec<_>>().join(" and "),
    };
    format!("the page for a browser is {}; {others}", named("127.0.0.1"))
}

/// The address itself, if it is an IP address that other machines reach. As a host, one of version 6 has brackets.
fn own_name(address: &str) -> Option<String> {
    let (host, _) = address.rsplit_once(':')?;
    let ip: IpAddr = host.trim_start_matches('[').trim_end_matches(']').parse().ok()?;
    (!ip.is_unspecified()).then(|| host.to_owned())
}

/// An error of the server that names functions, which are flags here. Errors of the system are as they are.
fn with_flags(error: io::Error) -> io::Error {
    if error.kind() != io::ErrorKind::PermissionDenied || error.raw_os_error().is_some() {
        return error;
    }
    let named: &dyn fmt::Display = &error;
    io::Error::new(error.kind(), format!("{named}. These are the flags `--token-file FILE` and `--no-login`"))
}

/// Waits for `SIGTERM`, or for the keys Ctrl and C.
async fn told_to_end() {
    #[cfg(unix)]
    let terminated = async {
        use tokio::signal::unix::{SignalKind, signal};
        match signal(SignalKind::terminate()) {
            Ok(mut signal) => drop(signal.recv().await),
            Err(_) => pending().await,
        }
    };
    #[cfg(not(unix))]
    let terminated = pending::<()>();
    tokio::select! {
        () = terminated => {}
        _ = tokio::signal::ctrl_c() => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_where_the_server_answers() {
        let all = "http://0.0.0.0:4000/acp";
        assert_eq!(pages("http://127.0.0.1:4000/acp", &[]), "the page for a browser is http://127.0.0.1:4000/");
        assert_eq!(
            pages(all, &["agent.example.com".to_owned()]),
            "the page for a browser is http://127.0.0.1:4000/; http://agent.example.com:4000/"
        );
        assert!(pages(all, &[]).ends_with("other machines reach it by a name that `--host` gives"));
    }

    #[test]
    fn an_address_of_one_machine_is_a_name_of_the_server() {
        assert_eq!(own_name("192.168.1.5:4000").as_deref(), Some("192.168.1.5"));
        assert_eq!(own_name("[fe80::1]:4000").as_deref(), Some("[fe80::1]"));
        for other in ["0.0.0.0:4000", "[::]:4000", "localhost:4000", "4000"] {
            assert_eq!(own_name(other), None, "{other}");
        }
    }
}
