//! Conversions between the handlers' error and the protocol's type for it. Both types have the same three fields, so no
//! information is lost.

use acp_schema::v1::ErrorObject;

use super::error::Error;

impl From<Error> for ErrorObject {
    /// The same code, message and data, as a value that you can inspect or store.
    ///
    /// ```
    /// use acp_peer::Error;
    /// use acp_schema::v1 as values;
    ///
    /// let error = values::ErrorObject::from(Error::auth_required());
    /// assert_eq!(error.code, values::ErrorCode::AuthRequired);
    /// assert_eq!(Error::from(error), Error::auth_required());
    /// ```
    fn from(error: Error) -> Self {
        let (code, message, data) = error.into_parts();
        let mut out = Self::new(code.into(), message);
        out.data = data;
        out
    }
}

impl From<ErrorObject> for Error {
    /// The same code, message and data. The peer gets all three, so take care: a message from another source may quote
    /// content.
    fn from(error: ErrorObject) -> Self {
        let ErrorObject { code, message, data, .. } = error;
        let out = Self::new(code.into(), message);
        match data {
            Some(data) => out.with_data(data),
            None => out,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn nothing_is_lost_there_and_back() {
        let codes =
            [Error::PARSE_ERROR, Error::AUTH_REQUIRED, Error::REQUEST_CANCELLED, -32603, 0, 7, i32::MIN, i32::MAX];
        for code in codes {
            for data in [None, Some(Value::Null), Some(json!({ "a": [1, "b"] }))] {
                let error = Error::new(code, "what went wrong");
                let error = data.clone().into_iter().fold(error, Error::with_data);
                let typed = ErrorObject::from(error.clone());
                assert_eq!((i32::from(typed.code), typed.message.as_str()), (code, "what went wrong"));
                assert_eq!(typed.data, data);
                assert_eq!(serde_json::to_value(&typed).unwrap(), serde_json::to_value(&error).unwrap());
                assert_eq!(Error::from(typed), error);
            }
        }
    }
}
