//! Objects of JSON with a key that is there twice: of such a file two readers may see two derivations, and the digest is
//! of one of them. Spec: [rule: derivations.keys].

use super::audit::Finding;
use super::shown;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, de};
use serde_json::{Map, Number, Value};
use std::fmt;

/// The arguments of a step. Refuses an object with a key that is there twice.
pub(super) fn args<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<(String, Value)>, D::Error> {
    let args: Vec<(String, Tree)> = Vec::deserialize(from)?;
    let once = |(name, tree): (String, Tree)| match tree.once() {
        Ok(value) => Ok((name, value)),
        Err(key) => Err(D::Error::custom(format!("the key {key:?} is there twice in argument {name:?}"))),
    };
    args.into_iter().map(once).collect()
}

/// The first key that is there twice in one object of the JSON text of a derivation, and where that object is; `None`
/// where there is none, or the text is no JSON.
pub(super) fn twice(text: &str) -> Option<Finding> {
    let whole: Tree = serde_json::from_str(text).ok()?;
    let place = || "derivation".to_owned();
    if let Some(key) = whole.own_key_twice() {
        return Some(Finding { place: place(), what: is_twice(key) });
    }
    let versions = whole.items("versions").enumerate().map(|(number, chain)| {
        let root = chain.text("root").unwrap_or_default();
        (format!("version {number} of `{root}`"), chain)
    });
    let chains =
        whole.items("chains").map(|chain| (chain.text("binding").unwrap_or_default().to_owned(), chain));
    let among = versions.chain(chains).find_map(|(place, chain)| in_chain(&place, chain));
    among.or_else(|| whole.key_twice().map(|key| Finding { place: place(), what: is_twice(key) }))
}

fn in_chain(name: &str, chain: &Tree) -> Option<Finding> {
    if let Some(key) = chain.own_key_twice() {
        return Some(Finding { place: name.to_owned(), what: is_twice(key) });
    }
    let mut steps = chain.items("steps").enumerate();
    let in_step = steps.find_map(|(k, step)| {
        let primitive = step.text("primitive").unwrap_or("no primitive");
        Some(Finding { place: format!("{name}, step {} ({primitive})", k + 1), what: in_step(step)? })
    });
    in_step.or_else(|| Some(Finding { place: name.to_owned(), what: is_twice(chain.key_twice()?) }))
}

/// What is there twice in a step.
fn in_step(step: &Tree) -> Option<String> {
    if let Some(key) = step.own_key_twice() {
        return Some(is_twice(key));
    }
    let of_argument = step.items("args").find_map(|pair| {
        let key = pair.key_twice()?;
        Some(format!("{} in argument `{}`", is_twice(key), shown(pair.first_text().unwrap_or_default())))
    });
    let of_condition = || {
        step.items("conditions").find_map(|c| {
            let key = c.key_twice()?;
            Some(format!("{} in condition `{}`", is_twice(key), shown(c.text("id").unwrap_or_default())))
        })
    };
    of_argument.or_else(of_condition).or_else(|| step.key_twice().map(is_twice))
}

fn is_twice(key: &str) -> String {
    format!("the key {key:?} is there twice")
}

/// JSON as it was written: with all keys of an object, in their order.
enum Tree {
    Object(Vec<(String, Tree)>),
    Array(Vec<Tree>),
    /// Neither of them.
    Leaf(Value),
}

impl Tree {
    /// As a value, where each key of an object is there once; else a key that is there twice.
    fn once(self) -> Result<Value, String> {
        match self {
            Tree::Leaf(value) => Ok(value),
            Tree::Array(items) => {
                items.into_iter().map(Tree::once).collect::<Result<_, _>>().map(Value::Array)
            }
            Tree::Object(fields) => {
                let mut out = Map::new();
                for (key, inner) in fields {
                    if out.insert(key.clone(), inner.once()?).is_some() {
                        return Err(key);
                    }
                }
                Ok(Value::Object(out))
            }
        }
    }

    /// A key that is there twice in this object itself.
    fn own_key_twice(&self) -> Option<&str> {
        let fields = self.fields();
        let before = |k: usize, key: &str| fields.iter().take(k).any(|(other, _)| other == key);
        fields.iter().enumerate().find(|(k, (key, _))| before(*k, key)).map(|(_, (key, _))| key.as_str())
    }

    /// A key that is there twice in this object or in one inside it.
    fn key_twice(&self) -> Option<&str> {
        let own = self.own_key_twice();
        let inner = || match self {
            Tree::Object(fields) => fields.iter().find_map(|(_, inner)| inner.key_twice()),
            Tree::Array(items) => items.iter().find_map(Tree::key_twice),
            Tree::Leaf(_) => None,
        };
        own.or_else(inner)
    }

    fn fields(&self) -> &[(String, Tree)] {
        match self {
            Tree::Object(fields) => fields,
            Tree::Array(_) | Tree::Leaf(_) => &[],
        }
    }

    fn elements(&self) -> &[Tree] {
        match self {
            Tree::Array(items) => items,
            Tree::Object(_) | Tree::Leaf(_) => &[],
        }
    }

    /// The elements of the array in a field.
    fn items(&self, field: &str) -> impl Iterator<Item = &Tree> {
        let found = self.fields().iter().find(|(key, _)| key == field);
        found.map_or(&[][..], |(_, inner)| inner.elements()).iter()
    }

    /// The text in a field.
    fn text(&self, field: &str) -> Option<&str> {
        self.fields().iter().find(|(key, _)| key == field).and_then(|(_, inner)| inner.as_text())
    }

    /// The text that an array begins with.
    fn first_text(&self) -> Option<&str> {
        self.elements().first().and_then(Tree::as_text)
    }

    fn as_text(&self) -> Option<&str> {
        match self {
            Tree::Leaf(value) => value.as_str(),
            Tree::Object(_) | Tree::Array(_) => None,
        }
    }
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Tree, D::Error> {
        from.deserialize_any(Reader)
    }
}

/// Reads a tree.
struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Tree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Tree, E> {
        Ok(Tree::Leaf(Value::Null))
    }

    fn visit_bool<E: de::Error>(self, b: bool) -> Result<Tree, E> {
        Ok(Tree::Leaf(Value::Bool(b)))
    }

    fn visit_i64<E: de::Error>(self, n: i64) -> Result<Tree, E> {
        Ok(Tree::Leaf(Value::Number(n.into())))
    }

    fn visit_u64<E: de::Error>(self, n: u64) -> Result<Tree, E> {
        Ok(Tree::Leaf(Value::Number(n.into())))
    }

    fn visit_f64<E: de::Error>(self, n: f64) -> Result<Tree, E> {
        Ok(Tree::Leaf(Number::from_f64(n).map_or(Value::Null, Value::Number)))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Tree, E> {
        Ok(Tree::Leaf(Value::String(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Tree, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = from.next_element()? {
            items.push(item);
        }
        Ok(Tree::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Tree, A::Error> {
        let mut fields = Vec::new();
        while let Some(field) = from.next_entry()? {
            fields.push(field);
        }
        Ok(Tree::Object(fields))
    }
}
