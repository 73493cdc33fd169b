// Tools beside the numbers: comparing, mapping, files, tables, slices, springs, terms of arms, links, keys and the sheet.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { bench, open, settled, slide, type Bench } from './page.ts';

let one: Bench;
before(async () => { one = await bench(); });
after(async () => { await one.close(); });

const logs = path.join(process.env['STUDIO'] ?? '.', '../suite/logs');

describe('tools', () => {
  test('a card compares with another position: the change is the difference of the two', async () => {
    const { page, complaints } = await open(one, '?robot=planar2r&show=gravity&q=0.4,0.3');
    const value = () => page.locator('[data-row="0"][data-column="0"]').first().evaluate((cell) => Number((cell as HTMLElement).dataset['value']));
    const before = await value();
    await page.getByLabel('More').first().click();
    await page.getByText('Compare with this position').click();
    await settled(page);
    assert.equal(await page.locator('[data-quantity="gravity"]').count(), 0);
    assert.equal(await value(), 0);
    await slide(page, 'link1', 0.9);
    const change = await value();
    await page.getByText('Stop comparing').click();
    await settled(page);
    assert.ok(Math.abs((await value()) - before - change) < 1e-12);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('a log whose names are not understood is asked about, then identified', async () => {
    const { page, complaints } = await open(one, '?robot=planar2r&task=parameters');
    const text = (await readFile(path.join(logs, 'planar2r.csv'), 'utf8')).replace(/^.*\n/, 'stamp,pos_a,pos_b,torque_a,torque_b\n');
    await page.locator('input[type=file]').setInputFiles({ name: 'strange.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    const card = page.locator('[data-testid="mapping"]');
    await card.waitFor();
    await card.getByRole('button', { name: 'Identify' }).click();
    // Guessed by words and order; the time has an unknown name and is chosen by hand.
    await page.waitForTimeout(200);
    if (await card.isVisible()) {
      await card.getByLabel('Time').selectOption({ label: 'stamp' });
      await card.getByRole('button', { name: 'Identify' }).click();
    }
    await page.waitForFunction(() => (document.querySelector('[data-testid="identification"]') ?? document.querySelector('.finding.err')) !== null, null, { timeout: 90_000 });
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('a finding is shown in its file, and a plot as a table', async () => {
    const { page } = await open(one, '?robot=planar2r');
    const urdf = '<robot name="light">\n  <link name="base"/>\n  <link name="arm">\n    <inertial>\n      <mass value="1"/>\n      <inertia ixx="0.9" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/>\n    </inertial>\n  </link>\n  <joint name="turn" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="10" velocity="3"/></joint>\n</robot>';
    await page.locator('input[type=file]').setInputFiles({ name: 'light.urdf', mimeType: 'text/xml', buffer: Buffer.from(urdf) });
    await page.waitForFunction(() => document.querySelector('[data-testid="robot-name"]')?.textContent === 'light');
    await page.locator('[data-link="arm"]').click();
    await page.getByText('Show in file').first().click();
    assert.match(await page.locator('.sheet mark').innerText(), /inertia|link|mass/);
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.sheet').count(), 0);
    await page.keyboard.press('4');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.waitForSelector('.multiples figure', { timeout: 60_000 });
    await page.getByLabel(/as a table/).first().focus();
    await page.keyboard.press('Enter');
    assert.ok(await page.locator('.table-dialog tbody tr').count() > 50);
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.table-dialog').count(), 0);
    await page.close();
  });

  test('text in the palette sets a target, and the slice through it is filled', async () => {
    const { page, complaints } = await open(one, '?robot=ur5');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('ik 0.4 0.1 0.5');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelector('[data-testid="verdict"]')?.textContent?.includes('Reached'), null, { timeout: 60_000 });
    assert.equal(await page.getByLabel('target x (m)').inputValue(), '0.400');
    await page.getByRole('button', { name: 'Reachable slice' }).click();
    await page.waitForSelector('[data-testid="slice"][data-done]', { timeout: 120_000 });
    await page.waitForTimeout(700);
    assert.match(page.url(), /target=tool:position:0\.4,0\.1,0\.5/);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('elastic joints have modes and a motion with motors ahead of links', async () => {
    const { page, complaints } = await open(one, '?robot=planar2r_elastic&task=motion');
    await page.waitForSelector('[data-testid="springs"]:not(.hidden)', { timeout: 30_000 });
    const report = one.engine.handle<{ modes: { frequency_hz: number }[] }>('elastic linearise', { robot: 'planar2r_elastic', posture: '[0,0]' });
    const fastest = Math.max(...report.modes.map((mode) => mode.frequency_hz));
    assert.match(await page.locator('[data-testid="springs"]').innerText(), new RegExp(String(Number(fastest.toPrecision(3)))));
    await page.getByRole('button', { name: 'Springs' }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.waitForFunction(() => document.querySelector('.multiples')?.textContent?.includes('Motor ahead of link'), null, { timeout: 60_000 });
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('a flexible arm shows its terms as numbers, equations and code, follows the payload and is in the address', async () => {
    const { page, complaints } = await open(one, '?robot=two_link_flexible');
    const frequency = () => page.locator('[data-mode="1.1"]').innerText();
    const before = await frequency();
    await page.getByLabel('Payload').evaluate((input) => {
      (input as HTMLInputElement).value = '0.3';
      input.dispatchEvent(new Event('input'));
    });
    assert.notEqual(await frequency(), before);
    await page.locator('[data-task="terms"]').click();
    const cell = await page.locator('[data-quantity="inertia"] [data-row="0"][data-column="1"]').evaluate((element) => Number((element as HTMLElement).dataset['value']));
    const modes = one.engine.handle<{ links: { boundary?: { mass: number; inertia: number } }[] }>('flexible modes', { arm: 'two_link_flexible', details: true });
    const end = modes.links[modes.links.length - 1]?.boundary ?? { mass: 1, inertia: 0 };
    const terms = one.engine.handle<{ B: number[][] }>('flexible eval', { arm: 'two_link_flexible', payload: [0.3, (0.3 * end.inertia) / end.mass], state: JSON.stringify({ q: [0, Math.PI / 2, 0, 0, 0, 0] }) });
    assert.ok(Math.abs(cell - (terms.B[0]?.[1] ?? NaN)) < 1e-12);
    await page.getByRole('button', { name: 'Formula' }).click();
    await page.waitForSelector('[data-testid="equation"] .katex-html', { timeout: 60_000 });
    assert.equal(await page.locator('.katex-error').count(), 0);
    await page.getByRole('button', { name: 'Code' }).click();
    await page.waitForFunction(() => document.querySelector('pre.code')?.textContent?.includes('double'), null, { timeout: 60_000 });
    await page.waitForTimeout(700);
    assert.match(page.url(), /robot=two_link_flexible&task=terms/);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('a link to a file asks for the file, and then shows what it says', async () => {
    const { page } = await open(one, '?robot=planar2r');
    const text = one.engine.handle<{ text: string }>('convert', { robot: 'planar2r', to: 'urdf' }).text.replace('name="planar2r"', 'name="sent"');
    await page.goto(`${one.address}?robot=sent.urdf&q=0.3,0.4&show=gravity`);
    await page.waitForFunction(() => document.querySelector('.drop')?.textContent?.includes('Drop sent.urdf here'), null, { timeout: 60_000 });
    await page.locator('input[type=file]').setInputFiles({ name: 'sent.urdf', mimeType: 'text/xml', buffer: Buffer.from(text) });
    await page.waitForFunction(() => document.querySelector('[data-testid="robot-name"]')?.textContent === 'sent');
    assert.equal(await page.locator('.joint input.value').first().inputValue(), '0.300');
    await page.close();
  });

  test('a link restores a motion at its moment', async () => {
    const { page } = await open(one, '?robot=planar2r&task=motion&q=0.5,0.2&scenario=none,1.5,0.001&t=1');
    await page.waitForFunction(() => document.querySelector('.clock')?.textContent?.startsWith('1.000'), null, { timeout: 60_000 });
    const report = one.engine.handle<{ final: { q: number[] } }>('simulate', { robot: 'planar2r', state: '{"q":[0.5,0.2]}', duration: 1, step: 0.001, method: 'auto' });
    const value = Number((await page.locator('.joint input.value').first().inputValue()).replace('−', '-'));
    assert.ok(Math.abs(value - (report.final.q[0] ?? 0)) < 2e-3);
    await page.close();
  });

  test('a figure of a motion is drawn by the engine and saved as SVG', async (context) => {
    try {
      one.engine.handle('simulate', { robot: 'planar2r', duration: 0.1, plot: 'figure.svg' });
    } catch {
      context.skip('this module draws no figures');
      return;
    }
    const { page, complaints } = await open(one, '?robot=planar2r&task=motion&q=0.5,0.2&scenario=none,1,0.001&t=0');
    const button = page.locator('[data-testid="figure"]');
    await button.waitFor({ timeout: 60_000 });
    const [download] = await Promise.all([page.waitForEvent('download', { timeout: 60_000 }), button.click()]);
    const file = await download.path();
    assert.match(await readFile(file, 'utf8'), /^<\?xml|^<svg/);
    assert.equal(download.suggestedFilename(), 'planar2r_motion.svg');
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('W widens the right side and Shift W the stage, and the sheet of a narrow screen has three stops', async () => {
    const { page } = await open(one, '?robot=planar2r');
    const width = (selector: string) => page.locator(selector).evaluate((element) => element.getBoundingClientRect().width);
    await page.keyboard.press('w');
    assert.equal(await width('.right'), 1280);
    await page.keyboard.press('Shift+W');
    assert.equal(await width('.stage'), 1280);
    await page.keyboard.press('Shift+W');
    await page.setViewportSize({ width: 820, height: 1180 });
    const height = () => page.locator('.right').evaluate((element) => Math.round(element.getBoundingClientRect().height));
    const grip = page.locator('[data-testid="grip"]');
    await grip.focus();
    const half = await height();
    assert.ok(Math.abs(half - 0.55 * 1180) < 2);
    await page.keyboard.press('ArrowDown');
    assert.equal(await height(), 120);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    assert.ok((await height()) > 1100);
    await page.close();
  });

  test('fingers have targets of 44 pixels', async () => {
    const context = await one.browser.newContext({ viewport: { width: 1024, height: 768 }, hasTouch: true, isMobile: true });
    const page = await context.newPage();
    await page.goto(`${one.address}?robot=panda`);
    await page.waitForFunction(() => document.documentElement.dataset['ready'] === 'true', null, { timeout: 60_000 });
    const small = await page.evaluate(() => [...document.querySelectorAll<HTMLElement>('.bar button, .tabs button, .float button, .card-head button, .slider, .leaf')].filter((element) => element.offsetParent !== null).filter((element) => {
      const before = getComputedStyle(element, '::before');
      const extra = before.position === 'absolute' && before.content !== 'none' ? -Number.parseFloat(before.top) - Number.parseFloat(before.bottom) : 0;
      return element.getBoundingClientRect().height + extra < 43.5;
    }).map((element) => `${element.className} ${element.textContent} ${element.getBoundingClientRect().height}`));
    assert.deepEqual(small, []);
    await context.close();
  });
});
