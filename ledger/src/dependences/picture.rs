//! Conflicts as SVG, and as a table for those who do not see it.

use super::conflicts::{Conflict, Grid, Kind, Level, Nest, Pairs, Rows};
use maud::{Markup, html};
use std::fmt::Display;

/// Pairs that are listed as text.
const LISTED: usize = 60;

/// A nest: its loops one by one, two of them as a plane, all its iterations as a matrix.
pub(super) fn nest(nest: &Nest) -> Markup {
    html! {
        div .pictures {
            @for l in &nest.levels { (level(l)) }
            @if let Some(g) = &nest.grid { (grid(g)) }
            @if nest.levels.len() > 1 { (matrix(&nest.all)) }
        }
        (table(&nest.all))
    }
}

/// A kind as it is drawn.
pub(super) fn sample(kind: Kind) -> Markup {
    html! {
        svg .sample viewBox="0 0 34 14" width="34" height="14" aria-hidden="true" {
            line .edge .(class(kind)) x1="1" y1="7" x2="20" y2="7" {}
            (mark(kind, 28, 7, 5))
        }
    }
}

fn class(kind: Kind) -> &'static str {
    match kind {
        Kind::WriteRead => "wr",
        Kind::ReadWrite => "rw",
        Kind::WriteWrite => "ww",
        Kind::Reduce => "rr",
    }
}

/// A square, a ring, a diamond, a disc: a kind is not told by its colour alone.
fn mark(kind: Kind, x: usize, y: usize, r: usize) -> Markup {
    let d = match kind {
        Kind::WriteRead | Kind::ReadWrite => {
            format!("M{} {}h{}v{}h-{}z", x - r, y - r, 2 * r, 2 * r, 2 * r)
        }
        Kind::WriteWrite => format!("M{x} {}L{} {y}L{x} {}L{} {y}z", y - r, x + r, y + r, x - r),
        Kind::Reduce => format!("M{} {y}a{r} {r} 0 1 0 {} 0a{r} {r} 0 1 0 -{} 0z", x - r, 2 * r, 2 * r),
    };
    html! { path .mark .(class(kind)) d=(d) {} }
}

/// The one that forbids most.
fn gravest(c: &Conflict) -> Kind {
    c.kinds.first().copied().unwrap_or(Kind::Reduce)
}

fn words(c: &Conflict) -> String {
    let kinds: Vec<&str> = c.kinds.iter().map(|k| k.words()).collect();
    let cells: Vec<&str> = c.cells.iter().map(String::as_str).collect();
    let more = match c.count - c.cells.len() {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    format!("{}{more}: {}", cells.join(", "), kinds.join("; "))
}

fn edge_title(a: impl Display, b: impl Display, c: &Conflict) -> String {
    format!("{a} → {b}: {}", words(c))
}

fn summary(pairs: &Pairs) -> String {
    if pairs.is_empty() {
        return "no two conflict".to_owned();
    }
    let of = |kind| (pairs.values().filter(|c| c.kinds.contains(&kind)).count(), kind.words());
    let counts: Vec<String> =
        Kind::ALL.map(of).iter().filter(|(n, _)| *n > 0).map(|(n, words)| format!("{n} {words}")).collect();
    format!(
        "{} conflicting: {}",
        if pairs.len() == 1 { "1 pair".to_owned() } else { format!("{} pairs", pairs.len()) },
        counts.join(", ")
    )
}

fn shown(rows: &Rows) -> String {
    match (rows.labels.len(), rows.all) {
        (n, all) if n < all => format!("the first {n} of {all} iterations"),
        (1, _) => "1 iteration".to_owned(),
        (n, _) => format!("{n} iterations"),
    }
}

/// The iterations of a loop on a line, and arcs between those that conflict.
fn level(l: &Level) -> Markup {
    const STEP: usize = 38;
    let rows = &l.rows;
    let widest = rows.pairs.keys().map(|(a, b)| b - a).max().unwrap_or(0);
    let height = 22 + widest * STEP * 45 / 100;
    let width = rows.labels.len() * STEP + 8;
    let base = height;
    let x = |k: usize| k * STEP + STEP / 2 + 4;
    html! {
        figure .level {
            figcaption {
                code { (l.head) } @if !l.within.is_empty() { " at " code { (l.within) } }
                br; small { (shown(rows)) ", " (summary(&rows.pairs)) }
            }
            div .scroll tabindex="0" {
                svg viewBox={ "0 0 " (width) " " (base + 24) } width=(width) height=(base + 24) role="img"
                    aria-label={ (l.head) ": " (summary(&rows.pairs)) } {
                    @for ((a, b), c) in &rows.pairs {
                        @let (xa, xb) = (x(*a), x(*b));
                        @let r = (xb - xa) / 2;
                        path .edge .(class(gravest(c))) d={ "M" (xa) " " (base - 4) "A" (r) " " (r * 9 / 10) " 0 0 1 " (xb) " " (base - 4) } {
                            title { (edge_title(&rows.labels[*a], &rows.labels[*b], c)) }
                        }
                    }
                    @for (k, label) in rows.labels.iter().enumerate() {
                        circle .point cx=(x(k)) cy=(base) r="5" {}
                        text .label x=(x(k)) y=(base + 20) { (label) }
                    }
                }
            }
        }
    }
}

/// Two loops as a plane, with arrows between iterations that conflict and have no other between them.
fn grid(g: &Grid) -> Markup {
    const STEP: i64 = 44;
    let least = |of: fn(&(i64, i64)) -> i64| g.points.iter().map(of).min().unwrap_or(0);
    let most = |of: fn(&(i64, i64)) -> i64| g.points.iter().map(of).max().unwrap_or(0);
    let (o0, i0) = (least(|p| p.0), least(|p| p.1));
    let width = (most(|p| p.1) - i0 + 1) * STEP + 44;
    let height = (most(|p| p.0) - o0 + 1) * STEP + 34;
    let x = |p: (i64, i64)| (p.1 - i0) * STEP + STEP / 2 + 36;
    let y = |p: (i64, i64)| (p.0 - o0) * STEP + STEP / 2 + 4;
    html! {
        figure .grid {
            figcaption { code { (g.outer) } " ↓ and " code { (g.inner) } " →"
                br; small { "arrows join iterations that conflict with none between; " @if g.cut { "the first of them; " }
                    (summary(&g.pairs)) } }
            div .scroll tabindex="0" {
                svg viewBox={ "0 0 " (width) " " (height) } width=(width) height=(height) role="img"
                    aria-label={ (g.outer) ", " (g.inner) ": " (summary(&g.pairs)) } {
                    @for ((a, b), c) in &g.pairs { (arrow(g, (*a, *b), c, &x, &y)) }
                    @for p in &g.points { circle .point cx=(x(*p)) cy=(y(*p)) r="5" { title { (p.0) ", " (p.1) } } }
                    @for o in o0..=most(|p| p.0) { text .label x="18" y=(y((o, i0)) + 4) { (o) } }
                    @for i in i0..=most(|p| p.1) { text .label x=(x((o0, i))) y=(height - 10) { (i) } }
                }
            }
        }
    }
}

fn arrow(
    g: &Grid,
    (a, b): (usize, usize),
    c: &Conflict,
    x: &dyn Fn((i64, i64)) -> i64,
    y: &dyn Fn((i64, i64)) -> i64,
) -> Markup {
    let (p, q) = (g.points[a], g.points[b]);
    let (x1, y1, x2, y2) = (x(p), y(p), x(q), y(q));
    let (dx, dy) = (x2 - x1, y2 - y1);
    // Bent, so that an arrow over several points does not hide behind those between.
    let (mx, my) = ((x1 + x2) / 2 - dy / 6, (y1 + y2) / 2 + dx / 6);
    let d = format!("M{x1} {y1}Q{mx} {my} {x2} {y2}");
    html! {
        path .edge .arrow .(class(gravest(c))) d=(d) { title { (edge_title(format_args!("({}, {})", p.0, p.1), format_args!("({}, {})", q.0, q.1), c)) } }
        (tip((mx, my), (x2, y2), gravest(c)))
    }
}

/// The head of an arrow that comes from one point and ends before another.
fn tip((x1, y1): (i64, i64), (x2, y2): (i64, i64), kind: Kind) -> Markup {
    let length = isqrt((x2 - x1).pow(2) + (y2 - y1).pow(2)).max(1);
    let along = |d: i64| (x2 - (x2 - x1) * d / length, y2 - (y2 - y1) * d / length);
    let ((tx, ty), (bx, by)) = (along(6), along(14));
    let (nx, ny) = ((y2 - y1) * 4 / length, (x2 - x1) * 4 / length);
    let d = format!("M{tx} {ty}L{} {}L{} {}z", bx - nx, by + ny, bx + nx, by - ny);
    html! { path .tip .(class(kind)) d=(d) {} }
}

fn isqrt(n: i64) -> i64 {
    let mut r = n.max(1);
    while r * r > n {
        r = i64::midpoint(r, n / r);
    }
    r
}

/// Every iteration against every other.
fn matrix(rows: &Rows) -> Markup {
    const STEP: usize = 11;
    let n = rows.labels.len();
    let label = 8 * rows.labels.iter().map(String::len).max().unwrap_or(0) + 6;
    let (width, height) = (label + n * STEP + 4, n * STEP + 6);
    html! {
        figure .matrix {
            figcaption { "All iterations, the earlier of two to the left"
                br; small { (shown(rows)) ", " (summary(&rows.pairs)) } }
            div .scroll tabindex="0" {
                svg viewBox={ "0 0 " (width) " " (height) } width=(width) height=(height) role="img"
                    aria-label={ "All iterations: " (summary(&rows.pairs)) } {
                    @for (k, name) in rows.labels.iter().enumerate() {
                        @let y = k * STEP + STEP / 2 + 3;
                        text .row x=(label - 5) y=(y + 3) { (name) }
                        line .rule x1=(label) y1=(y) x2=(label + k * STEP + STEP / 2) y2=(y) {}
                        circle .point cx=(label + k * STEP + STEP / 2) cy=(y) r="2" {}
                    }
                    @for ((a, b), c) in &rows.pairs {
                        g { title { (edge_title(&rows.labels[*a], &rows.labels[*b], c)) }
                            (mark(gravest(c), label + a * STEP + STEP / 2, b * STEP + STEP / 2 + 3, 4)) }
                    }
                }
            }
        }
    }
}

fn table(rows: &Rows) -> Markup {
    html! {
        details .pairs {
            summary { "The conflicting pairs as a table" }
            @if rows.pairs.is_empty() { p { "There are none." } } @else {
                table {
                    thead { tr { th scope="col" { "first" } th scope="col" { "then" } th scope="col" { "cells, and how" } } }
                    tbody {
                        @for ((a, b), c) in rows.pairs.iter().take(LISTED) {
                            tr { td { (rows.labels[*a]) } td { (rows.labels[*b]) } td { (words(c)) } }
                        }
                    }
                }
                @if rows.pairs.len() > LISTED { p .note { "and " (rows.pairs.len() - LISTED) " more" } }
            }
        }
    }
}
