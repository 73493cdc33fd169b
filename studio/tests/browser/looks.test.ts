// What the page looks like, compared loosely with small pictures beside this file: a layout that falls apart is seen, another
// version of a font is not. LOOKS=update writes them anew; look at them before they are committed.

import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { bench, picture, type Bench } from './page.ts';

let one: Bench;
before(async () => { one = await bench(); });
after(async () => { await one.close(); });

const folder = path.join(process.env['STUDIO'] ?? '.', 'tests/browser/looks');
const posture = 'q=0.45,-0.35,0.2,-2.1,0.1,1.8,0.5';

interface View { name: string; address: string; size: [number, number]; ready?: string }

const views: View[] = [
  { name: 'empty', address: '?theme=light', size: [1280, 720], ready: '.drop' },
  { name: 'main-light', address: `?robot=panda&${posture}&theme=light`, size: [1280, 720], ready: '.check' },
  { name: 'main-dark', address: `?robot=panda&${posture}&theme=dark`, size: [1600, 900], ready: '.check' },
  { name: 'formula-dark', address: '?robot=planar2r&q=0.9,-1.2&show=mass_matrix:formula,inverse_dynamics:formula&theme=dark', size: [1600, 900], ready: '[data-card]:nth-child(2) .katex-html' },
  { name: 'reach', address: '?robot=panda&task=reach&q=0.236,-0.199,-0.011,-2.357,-0.058,2.061,-0.047&target=tool:pose:0.45,0.1,0.4,3.1,0.1,0.3&theme=light', size: [1280, 720], ready: '.solution.sel' },
  { name: 'tablet', address: `?robot=panda&${posture}&theme=light`, size: [1024, 768], ready: '.check' },
  { name: 'sheet', address: `?robot=panda&${posture}&theme=light`, size: [820, 1180], ready: '.check' },
  { name: 'many-joints', address: '?robot=talos&theme=light', size: [1280, 720], ready: '.check' },
  { name: 'flexible', address: '?robot=two_link_flexible&theme=light', size: [1024, 768], ready: '[data-mode]' },
  { name: 'frequency', address: '?robot=two_link_flexible&task=frequency&theme=light', size: [1024, 768], ready: 'figure canvas' },
  {
    name: 'motion-dark', address: `?robot=panda&task=motion&${posture}&scenario=none,1.2,0.001&t=0.34&theme=dark`, size: [1600, 900], ready: '.multiples figure',
  },
];

/** Mean colours of a picture, 40 wide, computed by the browser. */
async function colours(page: Page, png: Buffer): Promise<number[]> {
  return page.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const [width, height] = [40, Math.round((40 * image.height) / image.width)];
    const canvas = Object.assign(document.createElement('canvas'), { width, height });
    const context = canvas.getContext('2d') as CanvasRenderingContext2D;
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, width, height);
    return [...context.getImageData(0, 0, width, height).data].filter((_, i) => i % 4 !== 3);
  }, png.toString('base64'));
}

/** A small picture to keep. */
async function thumbnail(page: Page, png: Buffer): Promise<Buffer> {
  const address = await page.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const [width, height] = [160, Math.round((160 * image.height) / image.width)];
    const canvas = Object.assign(document.createElement('canvas'), { width, height });
    const context = canvas.getContext('2d') as CanvasRenderingContext2D;
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, width, height);
    return canvas.toDataURL('image/png');
  }, png.toString('base64'));
  return Buffer.from(address.split(',')[1] ?? '', 'base64');
}

describe('looks', () => {
  for (const { name, address, size: [width, height], ready } of views) {
    test(name, async () => {
      const context = await one.browser.newContext({ viewport: { width, height }, reducedMotion: 'reduce', hasTouch: width <= 1024 });
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('console', (message) => { if (message.type() === 'error') complaints.push(message.text()); });
      await page.goto(one.address + address);
      if (ready) await page.waitForSelector(ready, { timeout: 90_000 });
      await page.waitForTimeout(900);
      const shot = await page.screenshot();
      await picture(page, `look-${name}`);
      assert.deepEqual(complaints, []);
      const file = path.join(folder, `${name}.png`);
      const small = await thumbnail(page, shot);
      if (process.env['LOOKS'] === 'update') {
        await mkdir(folder, { recursive: true });
        await writeFile(file, small);
      }
      // The picture as it is kept, against the one that was kept.
      const [now, then] = [await colours(page, small), await colours(page, await readFile(file))];
      assert.equal(now.length, then.length);
      const differences = now.map((x, i) => Math.abs(x - (then[i] ?? 0)));
      const mean = differences.reduce((a, b) => a + b, 0) / differences.length;
      const far = differences.filter((d) => d > 48).length / differences.length;
      assert.ok(mean < 6 && far < 0.03, `${name} differs from ${path.relative(process.cwd(), file)}: ${mean.toFixed(1)} of 255 on average, ${(100 * far).toFixed(1)} % by much; LOOKS=update if that is meant`);
      await context.close();
    });
  }
});
