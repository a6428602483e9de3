// Runs in Node.js when the site is built: Python for the browser compiles what a first answer imports.
import { pathToFileURL } from "node:url";

const [pyodide, stage] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
const env = { PYTHONNODEBUGRANGES: "1" }; // lines are kept for tracebacks; columns would be a third of what is sent
const python = await loadPyodide({ indexURL: `${pyodide}/`, env });
python.mountNodeFS("/stage", stage);
try {
  python.runPython(`
import sys
begun, sys.dont_write_bytecode = list(sys.modules), True
sys.path.insert(0, "/stage/app")
from pathlib import Path
sys.path.insert(0, "/stage/app/web/offline")
from compiling import compile_first  # not by the name of its package, which would import the program before
sys.path.pop(0)
compile_first(Path("/stage"), next(place for place in sys.path if place.endswith(".zip")), begun)
`);
} catch (problem) {
  console.error(problem.message.trim().split("\n").at(-1)); // and not the text of the program, which is one line long
  process.exitCode = 1;
}
