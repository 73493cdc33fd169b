// Takes the pictures of docs/studio.md and walks its first journey with a robot that the page has never seen, each click timed.
// `JOURDAIN=../target/release/jourdain node pictures.mjs [--out FOLDER]`

import { spawn } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const here = path.dirname(fileURLToPath(import.meta.url));
const at = process.argv.indexOf('--out');
const folder = at < 0 ? path.join(here, '../docs/studio') : path.resolve(process.argv[at + 1]);
const command = process.env.JOURDAIN ?? path.join(here, '../target/release/jourdain');
await mkdir(folder, { recursive: true });

/** Serves a robot, or nothing; the address of the page. */
const children = [];
async function serve(...words) {
  const child = spawn(command, ['studio', ...words, '--no-open', '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error('the server ended');
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});

async function fresh(address, size = { width: 1280, height: 720 }) {
  const context = await browser.newContext({ viewport: size, permissions: ['clipboard-read', 'clipboard-write'], reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.on('console', (message) => { if (message.type() === 'error') console.error(message.text()); });
  page.on('pageerror', (error) => console.error(String(error)));
  await page.goto(address);
  return page;
}

const robot = (address, search) => `${address}&${search}`;
const ready = (page) => page.waitForFunction(() => document.documentElement.dataset.ready === 'true', null, { timeout: 60_000 });
const shoot = async (page, name) => {
  await page.waitForTimeout(900);
  await page.screenshot({ path: path.join(folder, `${name}.png`) });
};

async function journey() {
  const text = await readFile(path.join(here, 'tests/picker.urdf'), 'utf8');
  const page = await fresh(await serve());
  await page.waitForSelector('.drop');
  await shoot(page, '1-empty');
  const begin = performance.now();
  const told = (what) => console.log(`${((performance.now() - begin) / 1000).toFixed(1)} s  ${what}`);
  await page.evaluate((urdf) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([urdf], 'picker.urdf', { type: 'text/xml' }));
    window.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, text);
  await page.waitForFunction(() => document.querySelector('[data-testid="robot-name"]')?.textContent === 'picker' && document.documentElement.dataset.ready === 'true');
  told('dropped picker.urdf: the robot stands, M and g are open');
  await page.waitForSelector('[data-quantity="mass_matrix"] [data-value]');
  const pause = await photographed(page, '2-robot');
  const card = page.locator('[data-card]').first();
  await card.getByRole('button', { name: 'Formula' }).click();
  await page.waitForSelector('[data-testid="equation"] .katex-html');
  told(`Formula: the equation is typeset${pause()}`);
  await card.getByRole('button', { name: 'LaTeX' }).click();
  const latex = await clipboard(page, '\\begin{align*}');
  told(`LaTeX: ${latex.length} characters on the clipboard, ${latex.includes('\\begin{align*}') ? 'an align environment' : 'something else'}`);
  const second = await photographed(page, '3-formula');
  await card.getByRole('button', { name: 'Code', exact: true }).click();
  await page.waitForFunction(() => document.querySelector('pre.code')?.textContent?.includes('picker_mass_matrix'));
  told(`Code: C is there${second()}`);
  await card.getByRole('button', { name: 'Copy', exact: true }).click();
  const code = await clipboard(page, 'picker_mass_matrix(');
  told(`Copy: ${code.length} characters of C, ${/void picker_mass_matrix\(/.test(code) ? 'with void picker_mass_matrix(…)' : 'without the function'}`);
  await photographed(page, '4-code');
  await page.context().close();
}

/** What was copied, once it is there. */
async function clipboard(page, part) {
  for (let k = 0; k < 200; k += 1) {
    const text = await page.evaluate(() => navigator.clipboard.readText());
    if (text.includes(part)) return text;
    await page.waitForTimeout(50);
  }
  throw new Error(`the clipboard has no ${part}`);
}

/** A picture, whose time is not the visitor's. */
async function photographed(page, name) {
  const begin = performance.now();
  await shoot(page, name);
  const taken = (performance.now() - begin) / 1000;
  return () => ` (of which ${taken.toFixed(1)} s for a picture of this page)`;
}

async function views() {
  const address = await serve();
  const posture = 'q=0.45,-0.35,0.25,-2.05,0.15,1.8,0.7';
  let page = await fresh(robot(address, `robot=panda&${posture}&theme=light`));
  await ready(page);
  await page.waitForSelector('.check');
  await page.locator('input[data-joint="link4"]').focus();
  await page.evaluate(() => document.activeElement?.blur());
  await page.locator('[aria-label="Deselect"]').click();
  await page.mouse.move(640, 20);
  await shoot(page, 'first');
  await page.context().close();

  page = await fresh(robot(address, 'robot=panda&task=reach&q=0.236,-0.199,-0.011,-2.357,-0.058,2.061,-0.047&target=tool:pose:0.45,0.1,0.4,3.1,0.1,0.3&theme=light'));
  await page.waitForSelector('.solution.sel', { timeout: 90_000 });
  await shoot(page, 'reach');
  await page.context().close();

  page = await fresh(robot(address, 'robot=planar2r&task=parameters&q=0.9,-1.2&theme=light'));
  await ready(page);
  for (const name of ['planar2r.csv', 'planar2r_validation.csv']) {
    await page.locator('input[type=file]').setInputFiles(path.join(here, '../suite/logs', name));
    await page.waitForFunction((file) => document.querySelector('[data-testid="identification"]')?.parentElement?.textContent?.includes(file), name, { timeout: 90_000 });
  }
  await shoot(page, 'identify');
  await page.context().close();

  page = await fresh(robot(address, `robot=panda&task=motion&${posture}&scenario=none,1.2,0.001&t=0.34&theme=dark`));
  await page.waitForSelector('.multiples figure', { timeout: 90_000 });
  await shoot(page, 'motion');
  await page.context().close();

  page = await fresh(robot(address, 'robot=two_link_flexible&theme=light'), { width: 1024, height: 768 });
  await page.waitForSelector('[data-mode]');
  await shoot(page, 'flexible');
  await page.context().close();
}

try {
  await journey();
  await views();
} finally {
  await browser.close();
  for (const child of children) child.kill();
}
