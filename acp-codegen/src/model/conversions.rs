//! A `From` that the shapes alone do not give: a shortcut through several types, such as from a text to a content block.

#[derive(Debug)]
pub(crate) struct Conversion {
    pub(crate) from: Made,
    pub(crate) by: Way,
}

/// What a value is made of.
#[derive(Debug)]
pub(crate) enum Made {
    OfText,
    /// The definition of that name.
    Of(String),
}

#[derive(Debug)]
pub(crate) enum Way {
    /// It is the one argument of the struct's constructor, as it is or converted.
    Constructor { converted: bool },
    /// It is converted into the content of that variant.
    Variant(String),
}
