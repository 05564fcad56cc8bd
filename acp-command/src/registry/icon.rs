//! The icon of an entry: a square of 16 pixels in one colour, which a client chooses.

use roxmltree::{Document, Node};

use super::problems::Problems;

const SIZE: f64 = 16.0;
const COLOURS: &[&str] = &["currentcolor", "none", "inherit"];

/// Checks the text of an icon.
pub(super) fn check(text: &str, problems: &mut Problems) {
    let document = match Document::parse(text) {
        Ok(document) => document,
        Err(error) => return problems.error(format!("it is no XML: {error}")),
    };
    let root = document.root_element();
    if root.tag_name().name() != "svg" {
        return problems.error(format!("its root is `{}`, not `svg`", root.tag_name().name()));
    }
    if document.descendants().any(|node| node.is_comment()) {
        problems.error("it has a comment: remove it");
    }
    match size(root) {
        None => problems.error("`svg` has neither `width` and `height` nor a `viewBox`"),
        Some((width, height)) if (width, height) != (SIZE, SIZE) => {
            problems.error(format!("it is {width} x {height}: {SIZE} x {SIZE} is needed"));
        }
        Some(_) => {}
    }
    let mut is_themed = false;
    for (place, value) in document.descendants().flat_map(colours) {
        let name = value.trim().to_lowercase();
        is_themed |= name == "currentcolor";
        if !COLOURS.contains(&name.as_str()) {
            problems.error(format!("`{place}` is `{}`: use `currentColor` or `none`", value.trim()));
        }
    }
    if !is_themed {
        problems.error("it has no `currentColor`, so no client can choose its colour");
    }
}

/// The width and height: its attributes, or else those of the view.
fn size(root: Node<'_, '_>) -> Option<(f64, f64)> {
    let number = |name| {
        let text = root.attribute(name)?;
        let end = text.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(text.len());
        text[..end].parse().ok()
    };
    let attributes = number("width").zip(number("height"));
    attributes.or_else(|| {
        let numbers: Vec<f64> =
            root.attribute("viewBox")?.split([' ', ',', '\n', '\t']).filter_map(|n| n.parse().ok()).collect();
        (numbers.len() == 4).then(|| (numbers[2], numbers[3]))
    })
}

/// The colours of a node: in its attributes, its style, and the text of a style sheet.
fn colours(node: Node<'_, '_>) -> Vec<(&'static str, String)> {
    let mut colours = Vec::new();
    for name in ["fill", "stroke", "color"] {
        colours.extend(node.attribute(name).map(|value| (name, value.to_owned())));
    }
    let sheet = node.text().filter(|_| node.tag_name().name() == "style");
    for text in [node.attribute("style"), sheet].into_iter().flatten() {
        for rule in text.split(['{', '}', ';']) {
            let Some((name, value)) = rule.split_once(':') else { continue };
            let known = ["fill", "stroke", "color"].into_iter().find(|known| name.trim().eq_ignore_ascii_case(known));
            colours.extend(known.map(|known| (known, value.replace("!important", ""))));
        }
    }
    colours
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(body: &str) -> Vec<String> {
        let mut problems = Problems::of("icon.svg");
        check(body, &mut problems);
        problems.all.into_iter().map(|problem| problem.text).collect()
    }

    #[test]
    fn each_mistake_of_an_icon_is_told_and_a_good_one_has_none() {
        let svg = |head: &str, body: &str| format!("<svg xmlns='http://www.w3.org/2000/svg' {head}>{body}</svg>");
        let good = "<path fill='currentColor' d='M0 0'/>";
        for head in ["width='16' height='16px'", "viewBox='0 0 16 16'", "viewBox='0,0,16,16' width='1em'"] {
            assert_eq!(wrong(&svg(head, good)), Vec::<String>::new(), "{head}");
        }
        let styled = "<style>.a { stroke: currentColor; fill: none }</style><path class='a'/>";
        assert_eq!(wrong(&svg("width='16' height='16'", styled)), Vec::<String>::new());
        for (text, says) in [
            ("no xml".to_owned(), "it is no XML"),
            ("<html/>".to_owned(), "not `svg`"),
            (svg("", good), "neither `width` and `height`"),
            (svg("width='24' height='24'", good), "24 x 24"),
            (svg("width='16' height='12'", good), "16 x 12"),
            (svg("width='16' height='16'", &format!("<!-- a -->{good}")), "has a comment"),
            (svg("width='16' height='16'", "<path fill='#fff'/>"), "`fill` is `#fff`"),
            (svg("width='16' height='16'", &format!("<path stroke='red'/>{good}")), "`stroke` is `red`"),
            (svg("width='16' height='16'", &format!("<path style='fill: Red'/>{good}")), "`fill` is `Red`"),
            (svg("width='16' height='16'", &format!("<style>a{{stroke:blue}}</style>{good}")), "`stroke` is `blue`"),
            (svg("width='16' height='16'", "<path d='M0 0'/>"), "no `currentColor`"),
        ] {
            let wrong = wrong(&text);
            assert!(wrong.iter().any(|wrong| wrong.contains(says)), "{says}: {wrong:?}");
        }
    }
}
