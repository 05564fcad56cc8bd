//! What in a text is secret.

/// How the keys of known services begin.
const KEYS: [&str; 12] =
    ["sk-", "sk_", "pk_", "rk_", "ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "xox", "AKIA", "eyJ"];
/// The length from which on such a word is a key.
const LENGTH: usize = 16;
/// Parts of the names of members that hold secrets.
const NAMES: [&str; 8] =
    ["apikey", "authorization", "cookie", "credential", "passphrase", "password", "secret", "accesstoken"];
/// Folders in which each user has one.
const HOMES: [&str; 3] = ["/home/", "/Users/", "\\Users\\"];

/// The text without its letters and digits.
pub(super) fn masked(text: &str) -> String {
    text.chars().map(|c| if c.is_alphanumeric() { 'x' } else { c }).collect()
}

/// Whether a member of this name holds a secret.
pub(super) fn has_secret_name(name: &str) -> bool {
    let name: String = name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
    name == "token" || NAMES.iter().any(|part| name.contains(part))
}

/// The text without keys, tokens and the names of home folders.
pub(super) fn without_secrets(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let is_of_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '+');
    let mut rest = text;
    let mut is_bearer = false;
    while !rest.is_empty() {
        let end = rest.find(|c| !is_of_word(c)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        let is_key = word.len() >= LENGTH && (is_bearer || KEYS.iter().any(|key| word.starts_with(key)));
        shown.push_str(&if is_key { masked(word) } else { word.to_owned() });
        let gap = behind.find(is_of_word).unwrap_or(behind.len());
        is_bearer = word.eq_ignore_ascii_case("bearer");
        shown.push_str(&behind[..gap]);
        rest = &behind[gap..];
    }
    homes(&shown)
}

/// The text with another name in the place of that of a home folder.
fn homes(text: &str) -> String {
    let mut shown = text.to_owned();
    for home in HOMES {
        let mut from = 0;
        while let Some(at) = shown[from..].find(home) {
            let begin = from + at + home.len();
            let end = shown[begin..].find(|c: char| matches!(c, '/' | '\\' | '"' | '\'') || c.is_whitespace());
            let end = end.map_or(shown.len(), |end| begin + end);
            if begin < end {
                shown.replace_range(begin..end, "user");
            }
            from = begin;
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_home_folders_are_taken_out_and_the_rest_stays() {
        for (text, expected) in [
            ("use sk-ant-0123456789abcdef, please", "use xx-xxx-xxxxxxxxxxxxxxxx, please"),
            ("Authorization: Bearer abcdef0123456789ABCD", "Authorization: Bearer xxxxxxxxxxxxxxxxxxxx"),
            (
                "sk-short is none, and a skeleton-in-the-cupboard neither",
                "sk-short is none, and a skeleton-in-the-cupboard neither",
            ),
            ("/home/ada/src and /home/ada", "/home/user/src and /home/user"),
            (r"C:\Users\Ada Lovelace\x", r"C:\Users\user Lovelace\x"),
            ("/home/", "/home/"),
            ("grüße, 世界", "grüße, 世界"),
        ] {
            assert_eq!(without_secrets(text), expected);
        }
        assert_eq!(masked("Grüße 12!"), "xxxxx xx!");
        for (name, expected) in
            [("api_key", true), ("OPENAI-API-KEY", true), ("token", true), ("tokens", false), ("usedTokens", false)]
        {
            assert_eq!(has_secret_name(name), expected, "{name}");
        }
    }
}
