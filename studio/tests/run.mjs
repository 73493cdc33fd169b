// Bundles the tests of a folder and runs them with Node's test runner: `node tests/run.mjs unit`; ONLY=name for one file of them.

import * as esbuild from 'esbuild';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const kind = process.argv[2] ?? 'unit';
const folder = path.join(here, kind);
const only = process.env['ONLY'];
const names = (await readdir(folder)).filter((name) => name.endsWith('.test.ts') && (only === undefined || name.startsWith(only)));
// Inside node_modules, where packages that are not bundled are found.
const out = await mkdtemp(path.join(here, '../node_modules/.tests-'));
await esbuild.build({
  entryPoints: names.map((name) => path.join(folder, name)), outdir: out, outExtension: { '.js': '.mjs' }, bundle: true, platform: 'node', format: 'esm',
  external: ['playwright-core'], logLevel: 'warning', nodePaths: [path.join(here, '../node_modules')],
});
// One browser at a time: two of them would measure each other.
const files = names.map((name) => path.join(out, name.replace(/\.ts$/, '.mjs')));
const result = spawnSync(process.execPath, ['--test', ...(kind === 'browser' ? ['--test-concurrency=1'] : []), ...process.argv.slice(3), ...files], { stdio: 'inherit', env: { ...process.env, STUDIO: path.join(here, '..') } });
await rm(out, { recursive: true });
process.exit(result.status ?? 1);
