//! Members of messages that the published schemas lack.

/// A member that an agent adds to its messages, although the schema does not have it: a field of an older version that some
/// clients still read, or a field that clients of one's own know.
///
/// A constant declares it once. The functions that add the member take the constant, and so does the judge of the testing kit,
/// which reports all other members that the schema lacks.
///
/// ```
/// use acp_schema::Member;
///
/// /// What version 1 had before there were options.
/// const MODELS: Member = Member::new("models").version(1);
/// assert!(MODELS.is_of(1) && !MODELS.is_of(2));
/// ```
///
/// A member under `_meta` needs no declaration: the protocol leaves its names to vendors. Take it where you can. See
/// [Extensibility](https://agentclientprotocol.com/protocol/v1/extensibility).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Member {
    name: &'static str,
    /// `None` if the member is of all versions.
    version: Option<u16>,
}

impl Member {
    /// A member with this name, in all versions of the protocol.
    ///
    /// # Panics
    ///
    /// The name is empty, or `_meta`. In a constant, this fails to compile.
    pub const fn new(name: &'static str) -> Self {
        if name.is_empty() {
            panic!("a member needs a name");
        }
        if matches!(name.as_bytes(), b"_meta") {
            panic!("`_meta` is a member of the schema: its values have functions named `meta`");
        }
        Self { name, version: None }
    }

    /// The same member, in this version of the protocol only.
    #[must_use]
    pub const fn version(mut self, version: u16) -> Self {
        self.version = Some(version);
        self
    }

    /// The name on the wire.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Whether messages of this version have the member.
    pub const fn is_of(&self, version: u16) -> bool {
        match self.version {
            Some(own) => own == version,
            None => true,
        }
    }
}
