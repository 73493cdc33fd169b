// How fast the page is: medians, reported and not asserted tightly, since machines differ.
//
// Two times for a slider. Script and layout: the event, the plan of the engine, matrices and texts, the orders to the graphics card,
// and a forced layout; what the page itself costs. To the next picture: until the browser begins the frame after, which here draws in
// software and shares the cores with it.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { bench, type Bench } from './page.ts';

let one: Bench;
before(async () => { one = await bench(); });
after(async () => { await one.close(); });

const median = (times: number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

describe('speed', () => {
  test('the first useful picture, warm', async () => {
    const context = await one.browser.newContext({ viewport: { width: 1280, height: 720 } });
    const times: number[] = [];
    const phases: Record<string, number[]> = {};
    for (let k = 0; k < 5; k += 1) {
      const page = await context.newPage();
      await page.addInitScript(() => {
        new MutationObserver((_, observer) => {
          if (document.documentElement.dataset['ready'] !== 'true') return;
          (window as unknown as { readyAt: number }).readyAt = performance.now();
          observer.disconnect();
        }).observe(document, { attributes: true, subtree: true, attributeFilter: ['data-ready'] });
      });
      await page.goto(`${one.address}?robot=iiwa14`);
      await page.waitForFunction(() => 'readyAt' in window, null, { timeout: 60_000 });
      if (k > 0) times.push(await page.evaluate(() => (window as unknown as { readyAt: number }).readyAt));
      for (const { name, at } of await page.evaluate(() => performance.getEntriesByType('mark').map((mark) => ({ name: mark.name, at: mark.startTime })))) if (k > 0) (phases[name] ??= []).push(at);
      await page.close();
    }
    console.log(`${Object.entries(phases).map(([name, at]) => `${name} ${median(at).toFixed(0)}`).join(', ')} ms`);
    console.log(`first useful picture, warm: ${median(times).toFixed(0)} ms (${times.map((t) => t.toFixed(0)).join(', ')})`);
    assert.ok(median(times) < 20_000);
    await context.close();
  });

  for (const [robot, goal] of [['iiwa14', 16], ['talos', 33], ['g1', 33]] as const) {
    test(`${robot}: from a slider to the picture`, async () => {
      const context = await one.browser.newContext({ viewport: { width: 1280, height: 720 } });
      const page = await context.newPage();
      await page.goto(`${one.address}?robot=${robot}`);
      await page.waitForFunction(() => document.documentElement.dataset['ready'] === 'true', null, { timeout: 60_000 });
      await page.waitForTimeout(1500);
      const times = await page.evaluate(async () => {
        const input = document.querySelector('input[data-joint]') as HTMLInputElement;
        const [low, high] = [Number(input.min), Number(input.max)];
        const [script, whole]: [number[], number[]] = [[], []];
        for (let k = 0; k < 41; k += 1) {
          const begin = performance.now();
          input.value = String(low + ((high - low) * (k + 1)) / 42);
          input.dispatchEvent(new Event('input'));
          const inside = performance.now() - begin;
          // Asked for after the page's own frame: it runs when that has ended, and then everything is laid out.
          const spent = await new Promise<number>((resolve) => requestAnimationFrame((start) => {
            document.body.getBoundingClientRect();
            resolve(performance.now() - start);
          }));
          script.push(inside + spent);
          await new Promise((resolve) => requestAnimationFrame(resolve));
          whole.push(performance.now() - begin);
        }
        return { script, whole };
      });
      console.log(`${robot}: script and layout ${median(times.script).toFixed(1)} ms (goal ${goal}), to the next picture with software rendering ${median(times.whole).toFixed(1)} ms`);
      assert.ok(median(times.script) < 20 * goal);
      await context.close();
    });
  }
});
