//! The place of a store as people read it, without a password, and the TLS that it asks for.

use tokio_postgres::{
    Config,
    config::{ChannelBinding, Host, SslMode},
};

/// The end of an error about TLS.
pub(crate) const HOW_TO_SPEAK_TLS: &str = ": use `PostgresOptions::open_with` and `sslmode=require`, with a TLS that knows the \
                                           certificates";

/// Whether there must be no connection without TLS.
pub(crate) fn demands_tls(config: &Config) -> bool {
    config.get_ssl_mode() == SslMode::Require || config.get_channel_binding() == ChannelBinding::Require
}

/// The database, its server and the schema.
pub(crate) fn place(config: &Config, schema: &str) -> String {
    let ports = config.get_ports();
    let port = |index: usize| ports.get(index).or(ports.first()).copied().unwrap_or(5432);
    let hosts: Vec<String> = config
        .get_hosts()
        .iter()
        .enumerate()
        .map(|(index, host)| match host {
            Host::Tcp(name) => format!("{name}:{}", port(index)),
            #[cfg(unix)]
            Host::Unix(folder) => format!("{}/.s.PGSQL.{}", folder.display(), port(index)),
        })
        .collect();
    // Without a name, the server takes that of the user.
    let database = config.get_dbname().or(config.get_user()).unwrap_or("the user's database");
    format!("the schema `{schema}` of `{database}` on `{}`", hosts.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_has_no_password() {
        let config: Config = "postgres://me:secret@one:5433,two:5434/agents".parse().unwrap();
        assert_eq!(place(&config, "s"), "the schema `s` of `agents` on `one:5433,two:5434`");
        let config: Config = "host=/run/postgresql user=me password=secret".parse().unwrap();
        assert_eq!(place(&config, "s"), "the schema `s` of `me` on `/run/postgresql/.s.PGSQL.5432`");
    }
}
