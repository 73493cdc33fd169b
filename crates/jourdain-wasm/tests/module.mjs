// Loads the module as a page does and compares its numbers with those of the command, on robots of 2, 7 and 38 joints.
//
//   cargo build -p jourdain-wasm --target wasm32-unknown-unknown --profile web
//   cargo build --release
//   node crates/jourdain-wasm/tests/module.mjs [MODULE.wasm] [COMMAND]
//
// With --time it also says how large the module is, how long it takes to start, and how long a position takes.

import { strict as assert } from "node:assert";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const root = new URL("../../../", import.meta.url).pathname;
const given = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const file = given[0] ?? `${root}target/wasm32-unknown-unknown/web/jourdain_wasm.wasm`;
const command = given[1] ?? `${root}target/release/jourdain`;
const bytes = readFileSync(file);

/** The module with what a script needs to call it: texts in, JSON out. */
class Engine {
  constructor(module) {
    this.exports = new WebAssembly.Instance(module, {}).exports;
  }

  /** Calls an export with texts or bytes, each as an address and a length. */
  call(name, ...args) {
    const taken = [];
    const words = args.flatMap((arg) => {
      if (typeof arg === "number") return [arg];
      const bytes = typeof arg === "string" ? new TextEncoder().encode(arg) : arg;
      const place = this.exports.alloc(bytes.length);
      new Uint8Array(this.exports.memory.buffer, place, bytes.length).set(bytes);
      taken.push([place, bytes.length]);
      return [place, bytes.length];
    });
    const result = this.exports[name](...words);
    for (const [place, length] of taken) this.exports.free(place, length);
    return result;
  }

  /** Status and bytes of a result. */
  raw(name, ...args) {
    const place = this.call(name, ...args) >>> 0;
    const [status, length] = new Uint32Array(this.exports.memory.buffer, place, 2);
    const bytes = new Uint8Array(this.exports.memory.buffer, place + 8, length).slice();
    this.exports.free_result(place);
    return { status, bytes };
  }

  json(name, ...args) {
    const { status, bytes } = this.raw(name, ...args);
    const value = JSON.parse(new TextDecoder().decode(bytes));
    if (status !== 0) throw Object.assign(new Error(value.error.message), value.error);
    return value;
  }

  handle(operation, request) {
    return this.json("handle", operation, JSON.stringify(request));
  }

  open(request) {
    return this.json("open", JSON.stringify(request));
  }

  plan(id, names) {
    const plan = this.json("plan", id, JSON.stringify(names));
    const size = (shape) => shape.reduce((product, n) => product * n, 1);
    const memory = () => this.exports.memory.buffer;
    plan.set = (name, numbers) => {
      const { offset, length } = plan.inputs.find((input) => input.name === name);
      assert.equal(numbers.length, length);
      new Float64Array(memory(), plan.inputs_ptr + 8 * offset, length).set(numbers);
    };
    plan.get = (name) => {
      const { offset, shape } = plan.outputs.find((output) => output.name === name);
      return new Float64Array(memory(), plan.outputs_ptr + 8 * offset, size(shape)).slice();
    };
    plan.run = () => this.exports.run(plan.plan);
    return plan;
  }
}

const began = performance.now();
const module = new WebAssembly.Module(bytes);
const engine = new Engine(module);
const count = engine.handle("robots", {}).report.length;
const start = performance.now() - began;
assert.ok(count > 10);
assert.deepEqual(WebAssembly.Module.imports(module), []);

function ask(...args) {
  return JSON.parse(execFileSync(command, [...args, "--json"], { encoding: "utf8", maxBuffer: 1 << 28 }));
}

function same(found, expected, what) {
  const flat = [expected].flat(Infinity);
  assert.equal(found.length, flat.length, what);
  const scale = Math.max(1, ...flat.map(Math.abs));
  flat.forEach((number, i) => assert.ok(Math.abs(number - found[i]) <= 1e-12 * scale, `${what}[${i}]: ${found[i]}, not ${number}`));
}

function position(scene) {
  return scene.neutral.map((zero, i) => {
    const { joint } = scene.links.find(({ joint }) => joint.coordinate === i) ?? {};
    return joint?.nq === 1 ? 0.5 * Math.sin(1 + i) : zero;
  });
}

const QUANTITIES = ["mass_matrix", "gravity", "coriolis_matrix", "inverse_dynamics"];
for (const robot of ["planar2r", "iiwa14", "talos"]) {
  const { id, scene } = engine.open({ robot });
  const q = position(scene);
  const speed = scene.velocities.map((_, i) => Math.cos(i));
  const last = scene.links.at(-1).name;
  const plan = engine.plan(id, [...QUANTITIES, `jacobian:${last}`]);
  plan.set("q", q);
  plan.set("qd", speed);
  assert.equal(plan.run(), 0);
  const names = [...QUANTITIES, `jacobian:${last}`, ...scene.links.map(({ name }) => `pose:${name}`)];
  const state = JSON.stringify({ q, qd: speed });
  const { quantities } = ask("eval", robot, "--state", state, "--quantity", names.join(","));
  for (const name of [...QUANTITIES, `jacobian:${last}`]) same(plan.get(name), quantities[name], `${robot} ${name}`);
  const poses = plan.get("poses");
  scene.links.forEach(({ name }, i) => same(poses.slice(16 * i, 16 * i + 16), quantities[`pose:${name}`], `${robot} ${name}`));
  assert.deepEqual(engine.handle("info", { robot }).report.coordinates, ask("info", robot).coordinates);
  engine.exports.drop_plan(plan.plan);
  engine.exports.close(id);
}

// Symbols, code and generated files are the command's too.
const derived = { robot: "planar2r", quantity: ["mass_matrix"], target: "latex" };
assert.deepEqual(
  engine.handle("derive", derived).report.quantities,
  ask("derive", "planar2r", "--quantity", "mass_matrix", "--target", "latex").quantities,
);

// A robot that was dropped, of two files; what an operation writes; a problem with its place.
const encode = (text) => new TextEncoder().encode(text);
const rod = `<robot name="rod" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:include filename="parts.xacro"/><xacro:rod/></robot>`;
const parts = `<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:macro name="rod" params=""><link name="rod"><inertial><mass value="2"/>
  <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link></xacro:macro></robot>`;
engine.call("put_file", "drop/rod.xacro", encode(rod));
engine.call("put_file", "drop/parts.xacro", encode(parts));
assert.equal(engine.open({ robot: "drop/rod.xacro" }).scene.links[0].mass, 2);
engine.handle("simulate", { robot: "planar2r", duration: 0.1, out: "motion.csv" });
assert.ok(engine.json("file_names").includes("motion.csv"));
const csv = new TextDecoder().decode(engine.raw("get_file", "motion.csv").bytes).trim().split("\n");
const { bytes: samples } = engine.raw("samples");
const [length, rows] = new Uint32Array(samples.buffer, 0, 2);
const columns = JSON.parse(new TextDecoder().decode(samples.slice(8, 8 + length)));
const numbers = new Float64Array(samples.buffer, 8 + length);
assert.equal(rows, csv.length - 1);
assert.deepEqual([...numbers.slice(-columns.length)], csv.at(-1).split(",").map(Number));
// Figures are texts, as the command writes them.
engine.handle("simulate", { robot: "planar2r", duration: 0.1, plot: "figure.svg" });
const figure = new TextDecoder().decode(engine.raw("get_file", "figure.svg").bytes);
const folder = mkdtempSync(join(tmpdir(), "module-"));
execFileSync(command, ["simulate", "planar2r", "--duration", "0.1", "--plot", join(folder, "figure.svg")]);
const drawn = readFileSync(join(folder, "figure.svg"), "utf8");
rmSync(folder, { recursive: true });
// Sines of this machine and of the module may differ in the last bit, which no figure shows.
assert.equal(figure.length, drawn.length);
assert.ok(figure.includes("<svg") && figure.includes("planar2r"));
engine.call("put_file", "bad.urdf", encode(`<robot name="bad"><link name="a"><inertial><mass value="x"/></inertial></link></robot>`));
assert.throws(() => engine.open({ robot: "bad.urdf" }), (error) => error.file === "bad.urdf" && error.line === 1);
assert.throws(() => engine.handle("bench", {}), (error) => error.kind === "usage");
engine.exports.remove_files();
assert.throws(() => engine.open({ robot: "drop/rod.xacro" }));

if (process.argv.includes("--time")) {
  const kB = (n) => `${(n / 1000).toFixed(0)} kB`;
  console.log(`size ${kB(bytes.length)}, compressed ${kB(gzipSync(bytes, { level: 9 }).length)}; start ${start.toFixed(1)} ms`);
  for (const robot of ["iiwa14", "talos"]) {
    const opening = performance.now();
    const { id, scene } = engine.open({ robot });
    const opened = performance.now() - opening;
    const plan = engine.plan(id, ["mass_matrix", "gravity"]);
    plan.set("q", position(scene));
    for (let i = 0; i < 2000; i++) plan.run();
    let best = Infinity;
    for (let round = 0; round < 20; round++) {
      const begin = performance.now();
      for (let i = 0; i < 200; i++) plan.run();
      best = Math.min(best, (performance.now() - begin) / 200);
    }
    console.log(`${robot}: opened in ${opened.toFixed(1)} ms; all poses, M and g ${(1000 * best).toFixed(1)} µs`);
  }
}
console.log("the module gives the numbers of the command");
