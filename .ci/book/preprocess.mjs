// What mdbook asks about each chapter of the specification: formulas become HTML (no page needs a script or the
// network for them), `[rule: …]` becomes an anchor or a link to it, and the block languages of the specification become
// blocks that mdbook can highlight, with a caption that says what a test does with them.
//
// Input: `[context, book]` as JSON; output: the book. A formula that KaTeX does not take ends the build.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { posix } from "node:path";

const katex = createRequire(new URL("../../.deps/book/", import.meta.url))("katex");

// Code, formulas and rules: the first of them that begins wins.
const SPANS = /(?<ticks>`+)(?!`)[\s\S]*?(?<!`)\k<ticks>(?!`)|\$\$(?<display>[\s\S]+?)\$\$|\$(?<inline>[^$\n]+?)\$|\[rule: (?<rule>[\w.-]+)\]|\[(?<label>[^\][]*)\]\((?<link>[^()\s]+)\)/g;

// A definition of a rule begins a line, as in testsuite/src/rules.rs.
const DEFINED = /^(?:[-|] )?(?:\[rule: [\w.-]+\][, ]*)*$/;

// What stands over a block, and the language that colours it.
const BLOCKS = {
    exo: () => ["accepted", "python"],
    "exo-bad": ([rule]) => [`refused: ${anchorLink(rule)}`, "python"],
    effect: () => ["effect of the program", "python"],
    obligation: (words) => [`obligation ${code(words[0])}: <b>${words[1]}</b>${words[2] ? ` by ${code(words[2])}` : ""}`, "python"],
    halide: () => ["Halide", "kotlin"],
    ternary: () => ["ternary values", "text"],
    perceus: () => ["Perceus", "kotlin"],
    "perceus-bad": ([rule]) => [`Perceus, refused: ${code(rule)}`, "kotlin"],
    run: () => ["in the interpreter", "text"],
    stage: (words) => [`after ${words[0] === "-" ? "no pass" : code(words[0])}: ${code(words.slice(1).join(" "))}`, "kotlin"],
    shown: (words) => [code(words.join(" ")), "text"],
    translated: () => ["translated", "text"],
    moves: () => ["moves", "text"],
    patterns: () => ["patterns", "text"],
};

const rules = new Map();
let here = "";

if (process.argv[2] === "supports") process.exit(process.argv[3] === "html" ? 0 : 1);
const [, book] = JSON.parse(readFileSync(0, "utf8"));
const chapters = [];
collect(book.items ?? book.sections);
for (const chapter of chapters) each(chapter.content, (text, at, whole) => {
    for (const { groups, index } of text.matchAll(SPANS))
        if (groups.rule && isDefinition(text, index)) rules.set(groups.rule, chapter.path);
    return text;
});
for (const chapter of chapters) {
    here = chapter.path;
    chapter.content = each(chapter.content, prose, block);
}
process.stdout.write(JSON.stringify(book));

function collect(items) {
    for (const { Chapter } of items.filter((item) => item.Chapter)) {
        if (Chapter.path) chapters.push(Chapter);
        collect(Chapter.sub_items);
    }
}

// The text with `onProse` applied to what is outside of fenced blocks, and `onBlock` to these.
function each(text, onProse, onBlock = (_, lines) => lines.join("\n")) {
    const out = [];
    let open = null;
    let lines = [];
    for (const line of text.split("\n")) {
        const fence = /^( *)```(.*)$/.exec(line);
        if (!fence) lines.push(line);
        else if (open) {
            out.push(onBlock(open, [...lines, line]));
            [open, lines] = [null, []];
        } else {
            out.push(onProse(lines.join("\n")));
            [open, lines] = [{ indent: fence[1], words: fence[2].split(" ") }, onBlock === block ? [] : [line]];
        }
    }
    out.push(onProse(lines.join("\n")));
    return out.join("\n");
}

function isDefinition(text, index) {
    return DEFINED.test(text.slice(text.lastIndexOf("\n", index - 1) + 1, index));
}

function prose(text) {
    return text.replace(SPANS, (span, ...rest) => {
        const { display, inline, rule, label, link } = rest.at(-1);
        if (display ?? inline) return formula(display ?? inline, display !== undefined);
        if (rule) return isDefinition(text, rest.at(-3)) ? definition(rule) : anchorLink(rule);
        return link ? linked(span, label, link) : span;
    });
}

// A link to a folder goes to its page. What is not part of the book cannot be linked to.
function linked(span, label, link) {
    if (link.includes(":") || link.startsWith("#")) return span;
    if (posix.join(posix.dirname(here), link).startsWith("..")) return label;
    const chapter = chapters.find(({ path }) => path === posix.join(posix.dirname(here), link));
    if (chapter && label.endsWith(".md")) return `[${chapter.name}](${link})`;
    if (!/\.(md|json)(#|$)/.test(link)) return `[${label}](${link.replace(/\/$/, "")}/index.md)`;
    return `[${label}](${link.replace(/README\.md/, "index.md")})`;
}

function formula(tex, displayMode) {
    // The question mark of a hole is a name, and not the end of a question.
    const named = tex.trim().replace(/\?/g, "{?}");
    let html;
    try {
        html = katex.renderToString(named, { displayMode, throwOnError: true, strict: (code) => code === "unicodeTextInMathMode" ? "ignore" : "error" });
    } catch (error) {
        console.error(`${here}: ${error.message}\n  in ${tex}`);
        process.exit(1);
    }
    return markdownSafe(html.replace(/\n/g, " "));
}

// No sign in the text between tags means anything to Markdown.
function markdownSafe(html) {
    return html.replace(/>([^<]+)</g, (_, text) =>
        `>${text.replace(/&#?\w+;|[\\`*_{}[\]()#+\-.!|~$"'^:=]/g, (c) => (c.length > 1 ? c : `&#${c.charCodeAt(0)};`))}<`);
}

function code(text = "") {
    const escaped = text.replace(/[&<>]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[c]);
    return text && markdownSafe(`<code>${escaped}</code>`);
}

function definition(rule) {
    return `<a class="rule" id="rule-${rule}" href="#rule-${rule}">${markdownSafe(`<b>${rule}</b>`)}</a>`;
}

function anchorLink(rule) {
    const chapter = rules.get(rule);
    if (!chapter) return code(rule);
    const path = chapter === here ? "" : posix.relative(posix.dirname(here), chapter).replace(/README\.md$/, "index.md").replace(/\.md$/, ".html");
    return `<a href="${path}#rule-${rule}">${code(rule)}</a>`;
}

function block({ indent, words }, lines) {
    const [kind, ...rest] = words;
    const described = BLOCKS[kind];
    if (!described) return [`${indent}\`\`\`${words.join(" ")}`, ...lines].join("\n");
    const [caption, language] = described(rest);
    const split = lines.indexOf(`${indent}---`);
    const out = [`${indent}<div class="caption ${kind}">${caption}</div>`, "", `${indent}\`\`\`${language}`];
    if (split < 0) out.push(...lines);
    else out.push(...lines.slice(0, split), `${indent}\`\`\``, "", `${indent}\`\`\`text`, ...lines.slice(split + 1));
    return out.join("\n");
}
