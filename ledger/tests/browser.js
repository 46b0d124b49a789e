// Uses the page as a reader does, and says what it saw: an object, written into the page as JSON.
"use strict";
window.addEventListener("load", async () => {
  const saw = {};
  const $ = (s) => document.querySelector(s);
  const all = (s) => [...document.querySelectorAll(s)];
  const turn = () => new Promise((done) => setTimeout(done, 50));
  const key = async (name, target) => {
    (target || document.body).dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
    await turn();
  };
  const title = () => ($("#step h2") ? $("#step h2").textContent : "");
  const shown = () => all("main > section").filter((s) => !s.hidden).map((s) => s.id).join(" ");
  const go = async (hash) => { location.hash = hash; await turn(); };
  try {
    saw.first = title();
    saw.start = shown();
    await go("#step-2");
    saw.anchor = title();
    saw.current = all("[aria-current=step]").map((a) => a.hash).join(" ");
    await key("j");
    saw.j = title();
    await key("k");
    await key("k");
    saw.k = title();
    await key("G");
    saw.last = title();
    await key("g");
    saw.diff = all("#step .diff .new").map((td) => td.textContent).join("\n");
    await key("Enter");
    saw.questions = all("#step details[open] .obligation").length;
    saw.details = all("#step details").length;
    await key("Enter");
    saw.closed = all("#step details[open]").length;
    await key("/");
    saw.focus = document.activeElement.id;
    $("#search").value = "rename second";
    $("#search").dispatchEvent(new Event("input"));
    saw.found = $("#found").value;
    saw.listed = all("#list li").filter((li) => !li.hidden).length;
    await key("Enter", $("#search"));
    saw.match = $("#step .call").textContent;
    await key("Escape", $("#search"));
    saw.unlisted = all("#list li").filter((li) => li.hidden).length;
    await key("?");
    saw.help = $("#help").open;
    $("#help").close();
    const background = () => getComputedStyle(document.body).backgroundColor;
    const before = background();
    await key("d");
    saw.themes = before !== background();
    await key("d");
    saw.back = before === background();
    for (const id of ["programs", "dependences", "assumptions", "definitions", "steps"]) {
      $(`#tabs a[href="#${id}"]`).click();
      await turn();
      saw[id] = shown();
    }
    await key("3");
    saw.three = shown();
    saw.svg = all("#dependences svg[role=img]").every((s) => s.getAttribute("aria-label") && s.getBoundingClientRect().width > 0);
    saw.dangling = all('a[href^="#"]').filter((a) => !document.getElementById(a.hash.slice(1))).map((a) => a.hash);
    saw.nameless = all("button, input, a").filter((e) => !(e.getAttribute("aria-label") || e.textContent.trim() || (e.labels || []).length)).length;
    const ids = all("[id]").map((e) => e.id);
    saw.twice = ids.filter((id, k) => ids.indexOf(id) !== k);
    await go("#step-1");
    const start = performance.now();
    for (let k = 0; k < 20; k++) $("#step").querySelector("[aria-label='Next step']").click(), await turn();
    saw.after20 = title();
    saw.milliseconds = Math.round(performance.now() - start);
    window.dispatchEvent(new Event("beforeprint"));
    saw.printed = all("#all-steps .printed").length;
    window.dispatchEvent(new Event("afterprint"));
    saw.cleared = all("#all-steps .printed").length;
  } catch (e) {
    saw.error = String(e);
  }
  const out = document.createElement("pre");
  out.id = "saw";
  out.textContent = JSON.stringify(saw);
  document.body.append(out);
});
