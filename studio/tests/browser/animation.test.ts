// Animations as pages of their own, opened from disk with the network off: they play, stop, step and scrub.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { bench, type Bench } from './page.ts';

let one: Bench;
let folder: string;
before(async () => {
  one = await bench();
  folder = await mkdtemp(path.join(os.tmpdir(), 'animations-'));
});
after(async () => {
  await one.close();
  await rm(folder, { recursive: true });
});

const requests: [string, string, Record<string, unknown>][] = [
  ['rigid', 'simulate', { robot: 'panda', state: JSON.stringify({ q: [0, 0.3, 0, -1.5, 0, 1.6, 0.7] }), duration: 2, step: 0.01 }],
  ['elastic', 'elastic simulate', { robot: 'planar2r_elastic' }],
  ['flexible', 'flexible simulate', { arm: 'two_link_flexible', scenario: 'fig5', duration: 2 }],
  ['modes', 'flexible modes', { arm: 'two_link_flexible' }],
];

const frame = (page: Page): Promise<number> => page.evaluate(() => Number(document.documentElement.dataset['frame']));
/** How many pixels of the stage are not the ground. */
const inked = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const canvas = document.querySelector('canvas') as HTMLCanvasElement;
    const { data } = (canvas.getContext('2d') as CanvasRenderingContext2D).getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let k = 3; k < data.length; k += 4) if ((data[k] as number) > 0) count += 1;
    return count;
  });

describe('animations', () => {
  for (const [name, operation, request] of requests) {
    test(`${name}: plays, steps, scrubs, changes its theme and complains about nothing`, async () => {
      one.engine.handle(operation, { ...request, animate: `${name}.html` });
      const file = path.join(folder, `${name}.html`);
      await writeFile(file, one.engine.getFile(`${name}.html`));
      const context = await one.browser.newContext({ offline: true, viewport: { width: 900, height: 800 } });
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('request', (made) => { if (!made.url().startsWith('file:') && !made.url().startsWith('data:')) complaints.push(made.url()); });
      await page.goto(pathToFileURL(file).href);
      await page.waitForFunction(() => document.documentElement.dataset['ready'] !== undefined);
      await page.waitForFunction(() => Number(document.documentElement.dataset['frame']) > 2);
      await page.keyboard.press('Space');
      const held = await frame(page);
      await page.waitForTimeout(200);
      assert.equal(await frame(page), held, 'it stands still');
      await page.keyboard.press('ArrowRight');
      assert.equal(await frame(page), held + 1);
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('ArrowLeft');
      assert.equal(await frame(page), held - 1);
      await page.locator('#scrub').fill('7');
      assert.equal(await frame(page), 7);
      assert.ok(await inked(page) > 2000, 'something is drawn');
      const before = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      await page.locator('#theme').click();
      assert.notEqual(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), before);
      assert.deepEqual(complaints, []);
      const shots = process.env['SHOTS'];
      if (shots) await page.screenshot({ path: path.join(shots, `animation-${name}.png`) });
      await context.close();
    });
  }

  test('nothing moves by itself where less motion is asked for', async () => {
    one.engine.handle('flexible modes', { arm: 'two_link_flexible', animate: 'still.html' });
    const file = path.join(folder, 'still.html');
    await writeFile(file, one.engine.getFile('still.html'));
    const context = await one.browser.newContext({ offline: true, reducedMotion: 'reduce', colorScheme: 'dark' });
    const page = await context.newPage();
    await page.goto(pathToFileURL(file).href);
    await page.waitForTimeout(300);
    assert.equal(await frame(page), 0);
    assert.equal(await page.evaluate(() => document.documentElement.dataset['theme']), 'dark');
    await context.close();
  });
});
