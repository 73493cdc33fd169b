// Bundles the page into one file, dist/studio.html: script, style, fonts and the worker inside, nothing fetched but the engine.
// The same sources give the same bytes. `node build.mjs [--out FOLDER]`
//
// Licences of what is inside: their texts go to dist/licences.txt, names and owners into the page itself, which is sent on its own.

import * as esbuild from 'esbuild';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));

const common = { bundle: true, minify: true, legalComments: 'none', target: 'es2022', charset: 'utf8', logLevel: 'warning', absWorkingDir: here };

/** `worker:./file.ts` is the bundled text of a worker: a page from disk may not load a second script. */
const workers = {
  name: 'workers',
  setup(build) {
    build.onResolve({ filter: /^worker:/ }, (args) => ({ path: path.join(args.resolveDir, args.path.slice('worker:'.length)), namespace: 'worker' }));
    build.onLoad({ filter: /.*/, namespace: 'worker' }, async (args) => {
      const result = await esbuild.build({ ...common, entryPoints: [args.path], write: false, format: 'iife' });
      return { contents: result.outputFiles[0].text, loader: 'text' };
    });
  },
};

/** Of the typesetter's fonts only the format every browser reads, and only the families that equations use. */
const fonts = {
  name: 'fonts',
  setup(build) {
    build.onLoad({ filter: /katex\.min\.css$/ }, async (args) => {
      const text = await readFile(args.path, 'utf8');
      const contents = text
        .replace(/,url\([^)]*\.(?:woff|ttf)\) format\("(?:woff|truetype)"\)/g, '')
        .replace(/@font-face\{[^}]*KaTeX_(?:Caligraphic|Fraktur|Script|SansSerif|Typewriter)[^}]*\}/g, '');
      return { contents, loader: 'css', resolveDir: path.dirname(args.path) };
    });
  },
};

/** The packages inside the page, by name; the licence text of each. */
const inside = ['@fontsource-variable/inter', 'katex', 'three', 'uplot'];

async function licences() {
  return Promise.all(inside.map(async (name) => {
    const folder = path.join(here, 'node_modules', name);
    const { version, license } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
    const text = (await readFile(path.join(folder, 'LICENSE'), 'utf8')).replace(/\r\n/g, '\n').trim();
    return { name, version, license, text, owner: /Copyright[^\n]*/i.exec(text)?.[0] ?? '' };
  }));
}

export async function bundle(extra = {}) {
  const result = await esbuild.build({
    ...common,
    entryPoints: ['src/main.ts'],
    outdir: 'dist',
    write: false,
    format: 'iife',
    loader: { '.woff2': 'dataurl' },
    ...extra,
    plugins: [...(extra.plugins ?? []), workers, fonts],
  });
  const find = (ending) => result.outputFiles.find((file) => file.path.endsWith(ending)).text;
  const page = await readFile(path.join(here, 'src/studio.html'), 'utf8');
  const notices = (await licences()).map(({ name, version, license, owner }) => `${name} ${version}, ${license}, ${owner}`).join('\n');
  const mit = (await licences()).find(({ name }) => name === 'katex').text.replace(/^[\s\S]*?(?=Permission is)/, '');
  // Inside a script element, `</script` would end it.
  return page
    .replace('<!--licences-->', () => `<!-- With parts of\n${notices}\nMIT: ${mit}\n-->`)
    .replace('/*style*/', () => find('.css').trim())
    .replace('/*script*/', () => find('.js').trim().replace(/<\/script/g, '<\\/script'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const at = process.argv.indexOf('--out');
  const folder = at < 0 ? path.join(here, 'dist') : path.resolve(process.argv[at + 1]);
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'studio.html'), await bundle());
  const texts = (await licences()).map(({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text}\n`);
  await writeFile(path.join(folder, 'licences.txt'), `Licences of the packages inside studio.html.\n\n${texts.join(`\n${'='.repeat(80)}\n\n`)}`);
}
