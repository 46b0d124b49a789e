"""The end of every script: a text, not a module of this package."""
# mypy: ignore-errors
# ruff: noqa
# What follows compiles the C that Exo makes of `before` and of `after`, and runs both on INPUT.


def run(p, inputs):
    """What the C of a procedure leaves in its arrays, by name; or how it fails."""
    with tempfile.TemporaryDirectory() as folder:
        here = pathlib.Path(folder)
        compile_procs([p], here, "p.c", "p.h")
        (here / "main.c").write_text(main_c(p.name(), (here / "p.h").read_text(), inputs))
        command = ["gcc", "-std=gnu11", "-O0", "-g", "-w", "-march=native", "-I.", "main.c", "p.c", "-o", "p", "-lm"]
        checks = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-ftrivial-auto-var-init=pattern"]
        built = subprocess.run(command + checks, cwd=here, capture_output=True, text=True)
        if built.returncode != 0:
            errors = [line for line in built.stderr.splitlines() if "error: " in line]
            return {"(the C is not compiled)": (errors or [built.stderr.strip()])[0]}
        done = subprocess.run(["./p"], cwd=here, capture_output=True, text=True, timeout=60)
        out = dict(line.split(" = ", 1) for line in done.stdout.splitlines())
        if done.returncode != 0:
            errors = [line for line in done.stderr.splitlines() if "ERROR: " in line or "runtime error: " in line]
            out["(the C fails)"] = re.sub(r".*(ERROR|error): | on address.*", "", (errors or [f"exit code {done.returncode}"])[0])
        return out


def main_c(name, header, inputs):
    """A program that calls the procedure once."""
    found = re.search(rf"void {name}\(([^;]*)\);", header)
    kinds = [re.sub(r"\s*\w+$", "", a.strip()) for a in found[1].split(",")]
    lines, setup, actual, shown = [], [], [], []
    if kinds[0].startswith("void"):
        actual.append("0")
    else:
        lines.append(f"static {kinds[0].rstrip(' *')} context;")
        actual.append("&context")
    values = [(key, v) for key, v in inputs.items() if "." not in key]
    for (key, value), kind in zip(values, kinds[1:]):
        if not isinstance(value, dict):
            actual.append(str(value).lower())
            continue
        win = re.match(r"struct exo_win_(\d+)(\w+?)c?$", kind)
        elem = ELEMS[win[2]] if win else kind.replace("const", "").rstrip("* ").strip()
        cells, shape, strides = value["cells"], value["shape"], value["strides"]
        at = [value["offset"] + sum(i * s for i, s in zip(index, strides)) for index in itertools.product(*map(range, shape))]
        size = max(at, default=-1) + 1
        lines.append(f"static {elem} *{key}_;")
        setup.append(f"{key}_ = malloc(sizeof({elem}) * {max(size, 1) if win else size});")
        setup += [f"{key}_[{k}] = {c};" for k, c in zip(at, cells)]
        base = f"{key}_ + {value['offset']}"
        actual.append(f"({kind}){{ {base}, {{ {', '.join(map(str, strides))} }} }}" if win else base)
        show = "".join(f' printf(" %.9g", (double){key}_[{k}]);' for k in at)
        shown.append(f'printf("{key} =");{show} printf("\\n");')
    fields = [key for key in inputs if "." in key and actual[0] != "0"]
    shown += [f'printf("{key} = %.9g\\n", (double)context.{key});' for key in fields]
    setup += [f"context.{key} = {str(v).lower()};" for key, v in inputs.items() if key in fields]
    body = "\n    ".join([*setup, f"{name}({', '.join(actual)});", *shown, "return 0;"])
    head = '#include <stdio.h>\n#include <stdlib.h>\n#include "p.h"\n'
    return head + "\n".join(lines) + "\nint main(void) {\n    " + body + "\n}\n"


ELEMS = {"f16": "_Float16", "f32": "float", "f64": "double", "i8": "int8_t", "i32": "int32_t", "ui8": "uint8_t", "ui16": "uint16_t"}

if __name__ == "__main__":
    print("before:", before, "after:", after, sep="\n")
    first, second = run(before, INPUT), run(after, INPUT)
    for key in {**first, **second}:
        print(f"{key}: {first.get(key)} before, {second.get(key)} after")
    print("They differ." if first != second else "They do not differ here.")
