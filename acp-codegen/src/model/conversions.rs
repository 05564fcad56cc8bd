//! A `From` that does not follow from the shapes. It is a shortcut through several types, for example from a text to a
//! content block.

#[derive(Debug)]
pub(crate) struct Conversion {
    pub(crate) from: Made,
    pub(crate) by: Way,
}

/// The source of a conversion.
#[derive(Debug)]
pub(crate) enum Made {
    OfText,
    /// The definition with this name.
    Of(String),
}

#[derive(Debug)]
pub(crate) enum Way {
    /// The source is the only argument of the struct's constructor, unchanged or converted.
    Constructor { converted: bool },
    /// The source is converted into the content of this variant.
    Variant(String),
}
