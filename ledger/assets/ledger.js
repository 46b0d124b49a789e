"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const { lines, versions, steps, conditions, questions } = data;
  const $ = (id) => document.getElementById(id);
  const root = document.documentElement;

  // An element with attributes and children; texts are never read as HTML.
  const el = (tag, attrs, ...children) => {
    const e = document.createElement(tag);
    for (const [k, v] of Object.entries(attrs || {})) {
      if (k.startsWith("on")) e.addEventListener(k.slice(2), v);
      else if (v === true) e.setAttribute(k, "");
      else if (v !== undefined && v !== false) e.setAttribute(k, v);
    }
    e.append(...children.flat().filter((c) => c !== undefined && c !== ""));
    return e;
  };

  // Versions: as written, or as what a step changes of another one.
  const texts = new Map();
  const version = (k) => {
    const open = [];
    for (let at = k; !texts.has(at); at = versions[at].of) {
      open.push(at);
      if (versions[at].lines) break;
    }
    for (const at of open.reverse()) {
      const v = versions[at];
      const text = v.lines || texts.get(v.of).slice();
      if (!v.lines) for (const [from, gone, made] of v.edits.slice().reverse()) text.splice(from, gone, ...made);
      texts.set(at, text);
    }
    return texts.get(k);
  };

  const words = {
    exo: new Set("for in seq par if else def assert pass and or not True False size index int bool stride f16 bf16 f32 f64 i8 i16 i32 u8 u16 R class from import as with return".split(" ")),
    c: new Set("for if else return void const struct static inline int float double char bool true false sizeof typedef break while include define ifdef ifndef endif int_fast32_t int32_t int8_t uint8_t int16_t uint16_t".split(" ")),
  };
  const token = /(#[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\/)|([A-Za-z_]\w*)|(\d[\w.]*)|([^A-Za-z_\d#/]+|[#/])/g;
  const coloured = (text, language) => {
    const out = document.createDocumentFragment();
    for (const [all, comment, word, number] of text.matchAll(token)) {
      const hash = language === "c" && all.startsWith("#");
      if (comment && !hash) out.append(el("span", { class: "cm" }, all));
      else if (word && words[language].has(word)) out.append(el("span", { class: "kw" }, all));
      else if (number) out.append(el("span", { class: "nr" }, all));
      else out.append(all);
    }
    return out;
  };

  // The lines of a place: statements by their indentation.
  const statements = (text) => {
    const top = [];
    const stack = [{ indent: 0, block: top }];
    let depth = 0, head = true, last;
    text.forEach((id, n) => {
      const line = lines[id], indent = line.length - line.trimStart().length;
      const inside = depth > 0;
      for (const c of line) depth += "([{".includes(c) ? 1 : ")]}".includes(c) ? -1 : 0;
      if (head) { if (depth === 0 && line.trimEnd().endsWith(":") && !line.startsWith("@")) head = false; return; }
      const word = line.trim();
      if (inside) { stack.forEach((s) => s.node && (s.node.to = n + 1)); if (last) last.to = n + 1; return; }
      if (!word || (indent === 4 && word.startsWith("assert "))) return;
      while (stack.length > 1 && stack[stack.length - 1].indent >= indent) stack.pop();
      stack.forEach((s) => s.node && (s.node.to = n + 1));
      const at = stack[stack.length - 1];
      const elif = word.startsWith("elif ");
      if (word === "else:" || elif) {
        let before = at.block[at.block.length - 1];
        for (; before && before.last; before = before.last) before.to = n + 1;
        if (!before) return;
        before.to = n + 1;
        if (elif) {
          // `elif` is an `if` alone in the `else`, whose next branch is its own.
          const inner = { from: n, to: n + 1, body: [], orelse: [] };
          before.orelse.push(inner);
          before.last = inner;
          stack.push({ indent, block: inner.body, node: inner });
        } else stack.push({ indent, block: before.orelse, node: before });
        return;
      }
      last = { from: n, to: n + 1, body: [], orelse: [] };
      at.block.push(last);
      if (word.endsWith(":")) stack.push({ indent, block: last.body, node: last });
    });
    return { body: top, orelse: [] };
  };
  const placeLines = (text, path) => {
    let at = statements(text), range;
    for (const [, part, from, to] of path.replace(/^after /, "").matchAll(/\b(body|orelse)\[(\d+)(?::(\d+))?\]/g)) {
      const block = at && at[part];
      const first = block && block[+from], end = block && block[to ? Math.max(+to - 1, +from) : +from];
      if (!first || !end) return undefined;
      range = [first.from, end.to];
      at = first;
    }
    return range;
  };

  // Programs before and after, side by side.
  const AROUND = 3;
  const rowsOf = (step) => {
    const before = version(step.before), rows = [];
    let i = 0, j = 0;
    const same = (to) => { while (i < to) rows.push([i++, j++, false]); };
    for (const [from, gone, made] of versions[step.after].edits) {
      same(from);
      for (let k = 0; k < Math.max(gone, made.length); k++)
        rows.push([k < gone ? i + k : -1, k < made.length ? j + k : -1, true]);
      i += gone; j += made.length;
    }
    same(before.length);
    return rows;
  };
  let whole = false;
  const diff = (step, all) => {
    const before = version(step.before), after = version(step.after), rows = rowsOf(step);
    const places = step.args.filter((a) => a.at).map((a) => placeLines(before, a.at)).filter(Boolean);
    const isPlace = (n) => places.some(([from, to]) => n >= from && n < to);
    const near = rows.map(() => false);
    rows.forEach(([i, , changed], k) => {
      if (changed || places.some(([from]) => i === from)) for (let d = -AROUND; d <= AROUND; d++) near[k + d] = true;
    });
    const side = (text, n, mark) => n < 0
      ? [el("td", { class: "no" }), el("td", { class: "line none" })]
      : [el("td", { class: "no" }, String(n + 1)), el("td", { class: "line " + mark }, coloured(lines[text[n]], "exo"))];
    const row = ([i, j, changed]) => el("tr", {},
      side(before, i, (changed ? "gone" : "") + (i >= 0 && isPlace(i) ? " place" : "")), side(after, j, changed ? "new" : ""));
    const body = el("tbody");
    for (let k = 0; k < rows.length;) {
      if (all || near[k]) { body.append(row(rows[k++])); continue; }
      let end = k;
      while (end < rows.length && !near[end]) end++;
      const hidden = rows.slice(k, end);
      const fold = el("tr", { class: "fold" }, el("td", { colspan: 4 },
        el("button", { type: "button", onclick: () => fold.replaceWith(...hidden.map(row)) },
          `⋯ ${hidden.length} unchanged line${hidden.length === 1 ? "" : "s"}`)));
      body.append(fold);
      k = end;
    }
    const cols = el("colgroup", {}, el("col", { style: "width:3.1rem" }), el("col"), el("col", { style: "width:3.1rem" }), el("col"));
    return el("table", { class: "diff" }, el("caption", { class: "hidden" }, "The program before and after the step"), cols,
      el("thead", {}, el("tr", {}, el("th", { colspan: 2, scope: "col" }, "Before"), el("th", { colspan: 2, scope: "col" }, "After"))), body);
  };

  const how = {
    syntax: "by syntax", fast: "fast tier", linear: "z3, linear", quantified: "z3, quantifiers", omitted: "assumed",
  };
  const obligation = (number) => {
    const q = questions[number];
    if (!q) return el("div", { class: "obligation" }, el("p", {}, "This question is too long to be written out; the derivation has it as SMT-LIB."));
    if (q.show === "true" && !q.given.length) return el("div", { class: "obligation" }, el("p", {}, "The question is true as it was stated: nothing is left to be shown."));
    const math = (t) => el("span", { class: "math" }, t);
    const out = el("div", { class: "obligation" });
    for (const [name, part] of q.where || []) out.append(el("p", {}, "where ", math(name + " ="), el("pre", {}, part)));
    if (q.all) out.append(el("p", {}, "for all ", math(q.all)));
    if (q.given.length) out.append(el("p", {}, "such that"), el("ul", {}, q.given.map((g) => el("li", { class: "math" }, g))));
    out.append(el("p", {}, q.all || q.given.length ? "it follows that" : "it is so that"), el("pre", {}, q.show));
    return out;
  };
  const condition = (number, open) => {
    const c = conditions[number];
    const head = [el("span", { class: "id" }, c.id), el("span", { class: "sentence" }, c.sentence || c.meaning || "the form of program and arguments"),
      el("span", { class: "tag " + c.how }, how[c.how] || c.how)];
    if (c.question === undefined) return el("li", {}, el("div", { class: "plain" }, head));
    const details = el("details", {}, el("summary", {}, head));
    const fill = () => { if (details.open && details.children.length === 1) details.append(obligation(c.question)); };
    details.addEventListener("toggle", fill);
    if (open) { details.open = true; fill(); }
    return el("li", {}, details);
  };
  const time = (us) => us < 1000 ? `${us} µs` : us < 1e6 ? `${(us / 1000).toFixed(1)} ms` : `${(us / 1e6).toFixed(2)} s`;
  const call = (step) => el("p", { class: "call" }, el("code", {}, el("b", {}, step.primitive), "(", step.args.flatMap((a, k) => [
    k ? ", " : "", el("span", { class: "name" }, a.name + "="),
    a.step !== undefined ? el("a", { href: `#step-${a.step + 1}` }, a.text) : a.text]), ")"));
  const view = (n, print) => {
    const step = steps[n];
    const tags = [el("span", { class: "tag " + step.relation }, step.relation)];
    if (step.took !== undefined) tags.push(el("span", { class: "tag" }, time(step.took)));
    const extra = [];
    if (step.modulo) extra.push(el("p", { class: "note" }, "Afterwards these fields may hold something else: ", step.modulo.join(", ")));
    for (const r of step.rounding || []) extra.push(el("p", { class: "note" }, "Rounded otherwise: ", r));
    return [
      el("div", { class: "title" }, el("h2", {}, `Step ${n + 1} `, el("small", {}, `of ${steps.length}`)), tags, el("span", { class: "spacer" }),
        print ? "" : [el("button", { type: "button", onclick: () => go(n - 1), "aria-label": "Previous step" }, "↑ k"),
          el("button", { type: "button", onclick: () => go(n + 1), "aria-label": "Next step" }, "↓ j")]),
      call(step), extra,
      el("h3", {}, step.conditions.length ? "Conditions" : "No conditions"),
      el("ul", { class: "conditions" }, step.conditions.map((c) => condition(c, print))),
      el("h3", {}, "Program"),
      diff(step, whole && !print),
    ].flat();
  };

  // Which step is shown.
  let current = -1;
  const links = steps.map((_, n) => document.querySelector(`#step-${n + 1} > a`));
  const show = (n) => {
    if (!steps[n]) return;
    if (current >= 0) links[current].removeAttribute("aria-current");
    current = n;
    links[n].setAttribute("aria-current", "step");
    $("step").replaceChildren(...view(n, false));
    $("status").textContent = `Step ${n + 1} of ${steps.length}: ${steps[n].primitive}`;
    const list = $("list"), a = links[n].getBoundingClientRect(), b = list.getBoundingClientRect();
    if (a.top < b.top || a.bottom > b.bottom) links[n].scrollIntoView({ block: "center" });
  };
  const go = (n) => { if (steps[n]) location.hash = `step-${n + 1}`; };

  // Parts of the page.
  const parts = [...document.querySelectorAll("main > section")];
  const tabs = [...document.querySelectorAll("#tabs a")];
  const part = (id) => {
    for (const s of parts) s.hidden = s.id !== id;
    for (const t of tabs) t.toggleAttribute("aria-current", t.hash === "#" + id);
    if (id !== "steps") colourAll($(id));
  };
  const colourAll = (section) => {
    for (const pre of section.querySelectorAll("pre[data-language]")) {
      pre.replaceChildren(coloured(pre.textContent, pre.dataset.language));
      pre.removeAttribute("data-language");
    }
  };
  const route = () => {
    const id = decodeURIComponent(location.hash.slice(1));
    const step = /^step-(\d+)$/.exec(id);
    if (!step && parts.some((s) => s.id === id)) {
      part(id);
      window.scrollTo(0, 0);
      if (id === "steps" && current < 0) show(0);
      return;
    }
    part("steps");
    window.scrollTo(0, 0);
    show(step && steps[step[1] - 1] ? step[1] - 1 : Math.max(current, 0));
  };

  // Search: primitives, arguments, conditions, changed lines.
  const hay = [];
  const haystack = (n) => hay[n] ??= (() => {
    const s = steps[n], out = [String(n + 1), s.primitive, s.relation];
    for (const a of s.args) out.push(a.name, a.text);
    for (const c of s.conditions) out.push(conditions[c].id, conditions[c].how, conditions[c].sentence || "", conditions[c].meaning);
    const before = version(s.before);
    for (const [from, gone, made] of versions[s.after].edits) {
      for (let k = 0; k < gone; k++) out.push(lines[before[from + k]]);
      for (const id of made) out.push(lines[id]);
    }
    return out.join("\n").toLowerCase();
  })();
  let matches = [];
  const search = () => {
    const query = $("search").value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    matches = [];
    steps.forEach((_, n) => {
      const hit = query.every((w) => haystack(n).includes(w));
      if (hit) matches.push(n);
      links[n].parentElement.hidden = !hit;
    });
    $("found").value = query.length ? `${matches.length} of ${steps.length} steps` : "";
    if (!query.length) matches = [];
  };
  $("search").addEventListener("input", search);

  // Light and dark.
  const dark = () => (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const theme = () => {
    root.dataset.theme = dark() ? "light" : "dark";
    try { localStorage.setItem("rewright-ledger-theme", root.dataset.theme); } catch { /* a page without storage */ }
  };
  try { const kept = localStorage.getItem("rewright-ledger-theme"); if (kept) root.dataset.theme = kept; } catch { /* as above */ }
  $("theme").addEventListener("click", theme);
  $("keys").addEventListener("click", () => $("help").showModal());

  // Keys. Among matches of a search, next and previous are those.
  const near = (d) => {
    if (!matches.length) return current + d;
    return d > 0 ? matches.find((n) => n > current) : matches.findLast((n) => n < current);
  };
  const toggle = () => {
    const all = [...document.querySelectorAll("#step details")];
    const open = !all.every((d) => d.open);
    for (const d of all) d.open = open;
  };
  const keys = {
    j: () => go(near(1)), k: () => go(near(-1)), g: () => go(0), G: () => go(steps.length - 1),
    "/": () => { part("steps"); $("search").focus(); $("search").select(); },
    "?": () => $("help").showModal(), d: theme, Enter: toggle,
    u: () => { whole = !whole; show(current); },
  };
  tabs.forEach((t, k) => { keys[k + 1] = () => { location.hash = t.hash; }; });
  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || $("help").open) return;
    if (e.target === $("search")) {
      if (e.key === "Escape") { $("search").value = ""; search(); $("search").blur(); }
      if (e.key === "Enter") { e.preventDefault(); const n = near(1) ?? matches[0]; if (matches.length) go(n); }
      return;
    }
    if (e.key === "Enter" && e.target.closest?.("a, button, summary")) return;
    const does = keys[e.key];
    if (does) { e.preventDefault(); does(); }
  });

  // On paper all steps are there, with their questions.
  window.addEventListener("beforeprint", () => {
    for (const s of parts) colourAll(s);
    $("all-steps").replaceChildren(...steps.map((_, n) => el("div", { class: "printed" }, view(n, true))));
  });
  window.addEventListener("afterprint", () => $("all-steps").replaceChildren());

  window.addEventListener("hashchange", route);
  route();
})();
