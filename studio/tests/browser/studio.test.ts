import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { bench, exported, open, picture, settled, shown, slide, type Bench } from './page.ts';

let one: Bench;
before(async () => { one = await bench(); });
after(async () => { await one.close(); });

type Nested = number | Nested[];
const flat = (value: Nested): number[] => (Array.isArray(value) ? value.flatMap(flat) : [value]);

/** Numbers of the operation `eval`, which shares neither plan nor page with what is shown. */
function library(robot: string, q: readonly number[], quantity: string): number[] {
  const report = one.engine.handle<{ quantities: Record<string, Nested> }>('eval', { robot, state: JSON.stringify({ q }), quantity: [quantity] });
  return flat(report.quantities[quantity] as Nested);
}

function compare(cells: Map<string, number>, expected: readonly number[], columns: number): void {
  assert.equal(cells.size, expected.length);
  const scale = Math.max(...expected.map(Math.abs), 1e-12);
  expected.forEach((value, k) => {
    const found = cells.get(`${Math.floor(k / columns)} ${k % columns}`) ?? Number.NaN;
    assert.ok(Math.abs(found - value) <= 1e-12 * scale, `element ${k} is ${found}, not ${value}`);
  });
}

describe('values', () => {
  for (const robot of ['planar2r', 'panda', 'humanoid25']) {
    test(`${robot}: M and g follow the sliders and are those of the library`, async () => {
      const { page, complaints } = await open(one, `?robot=${robot}`);
      assert.equal(await page.locator('[data-testid="robot-name"]').innerText(), robot);
      const joints = await page.locator('input[data-joint]').evaluateAll((all) => all.map((input) => [(input as HTMLInputElement).dataset['joint'] ?? '', Number((input as HTMLInputElement).min), Number((input as HTMLInputElement).max)] as [string, number, number]));
      const q = await page.locator('input[data-joint]').evaluateAll((all) => all.map((input) => Number((input as HTMLInputElement).value)));
      for (const [k, [name, low, high]] of joints.entries()) {
        if (k > 3) break;
        q[k] = low + (high - low) * (0.3 + 0.1 * k);
        await slide(page, name, q[k] ?? 0);
      }
      compare(await shown(page, 'mass_matrix'), library(robot, q, 'mass_matrix'), q.length);
      compare(await shown(page, 'gravity'), library(robot, q, 'gravity'), 1);
      await picture(page, robot);
      assert.deepEqual(complaints, []);
      await page.close();
    });
  }

  test('a typed value is taken at full precision, and one out of limits is kept and marked', async () => {
    const { page } = await open(one, '?robot=panda&show=mass_matrix');
    const field = page.locator('.joint', { has: page.locator('input[data-joint="link2"]') }).locator('input.value');
    await field.fill('pi/5');
    await field.press('Enter');
    await settled(page);
    const q = [0, Math.PI / 5, 0, -0.0698, 0, 0, 0];
    compare(await shown(page, 'mass_matrix'), library('panda', [...q.slice(0, 3), Number(await page.locator('input[data-joint="link4"]').inputValue()), 0, Number(await page.locator('input[data-joint="link6"]').inputValue()), 0], 'mass_matrix'), 7);
    await field.fill('150deg');
    await field.press('Enter');
    await settled(page);
    assert.ok(await page.locator('.joint.out').count() === 1);
    await page.close();
  });

  test('undo takes back one drag, redo brings it again, and the address keeps the position', async () => {
    const { page } = await open(one, '?robot=planar2r');
    await slide(page, 'link1', 0.5);
    await slide(page, 'link1', 0.9);
    const value = () => page.locator('input[data-joint="link1"]').evaluate((input) => Number((input as HTMLInputElement).value));
    await page.getByLabel('Undo').click();
    assert.equal(await value(), 0.5);
    await page.getByLabel('Redo').click();
    assert.equal(await value(), 0.9);
    await page.waitForTimeout(700);
    assert.match(page.url(), /q=0\.9,0/);
    await page.close();
  });

  test('sliders and cells speak to screen readers', async () => {
    const { page } = await open(one, '?robot=panda');
    const slider = page.locator('input[data-joint="link1"]');
    assert.equal(await slider.getAttribute('aria-label'), 'joint link1');
    assert.match((await slider.getAttribute('aria-valuetext')) ?? '', /rad, range −2\.90 to 2\.90/);
    assert.equal(await page.locator('[data-quantity="mass_matrix"]').getAttribute('role'), 'table');
    await page.waitForTimeout(600);
    assert.match((await page.locator('canvas.scene').getAttribute('aria-label')) ?? '', /panda, 7 joints/);
    await page.close();
  });
});

describe('hands', () => {
  test('keys choose and move a joint, change the face, and undo brings the robot before back', async () => {
    const { page, complaints } = await open(one, '?robot=planar2r');
    await page.keyboard.press(']');
    assert.equal(await page.locator('[data-testid="selection"] .title').innerText(), 'link1');
    await page.keyboard.press('ArrowRight');
    await settled(page);
    const value = await page.locator('input[data-joint="link1"]').evaluate((input) => Number((input as HTMLInputElement).value) / (Number((input as HTMLInputElement).max) - Number((input as HTMLInputElement).min)));
    assert.ok(Math.abs(value - 0.01) < 1e-9);
    await page.keyboard.press('f');
    await page.waitForSelector('[data-testid="equation"] .katex-html', { timeout: 60_000 });
    await page.keyboard.press('v');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('q2=pi/4');
    await page.keyboard.press('Enter');
    await settled(page);
    assert.ok(Math.abs((await page.locator('input[data-joint="link2"]').evaluate((input) => Number((input as HTMLInputElement).value))) - Math.PI / 4) < 1e-14);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('puma560');
    await page.keyboard.press('Enter');
    const name = () => page.locator('[data-testid="robot-name"]').innerText();
    assert.equal(await name(), 'puma560');
    await page.locator('[data-link="link3"]').click();
    assert.ok(await page.locator('[data-testid="finding"]').count() > 0);
    await page.getByLabel('Undo').click();
    await settled(page);
    assert.equal(await name(), 'planar2r');
    assert.ok(Math.abs((await page.locator('input[data-joint="link2"]').evaluate((input) => Number((input as HTMLInputElement).value))) - Math.PI / 4) < 1e-14);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('an edit changes the numbers and can be taken back', async () => {
    const { page } = await open(one, '?robot=panda&show=gravity&q=0,0.5,0,-1.5,0,1,0');
    const before = await shown(page, 'gravity');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('payload tool=2');
    await page.keyboard.press('Enter');
    await settled(page);
    const report = one.engine.handle<{ quantities: Record<string, Nested> }>('eval', { robot: 'panda', payload: ['tool=2'], state: '{"q":[0,0.5,0,-1.5,0,1,0]}', quantity: ['gravity'] });
    compare(await shown(page, 'gravity'), flat(report.quantities['gravity'] as Nested), 1);
    await page.getByTitle('Take this edit back').click();
    await settled(page);
    assert.deepEqual(await shown(page, 'gravity'), before);
    await page.close();
  });
});

describe('formula and code', () => {
  test('equations are typeset without an error, coloured by joint, for small and large robots', async () => {
    for (const address of ['?robot=planar2r&show=mass_matrix:formula,inverse_dynamics:formula', '?robot=panda&show=mass_matrix:formula']) {
      const { page, complaints } = await open(one, address);
      await page.waitForSelector('[data-testid="equation"] .katex-html', { timeout: 60_000 });
      assert.equal(await page.locator('.katex-error').count(), 0);
      assert.ok(await page.locator('[data-testid="equation"] .qc1').count() > 0);
      assert.deepEqual(complaints, []);
      await picture(page, address.includes('panda') ? 'formula-panda' : 'formula-planar2r');
      await page.close();
    }
  });

  test('M of a dropped URDF, its LaTeX and its C code, click by click', async () => {
    const { page } = await open(one, '?robot=planar2r');
    const urdf = one.engine.handle<{ text: string }>('convert', { robot: 'ur5', to: 'urdf' }).text.replace('name="ur5"', 'name="my_arm"');
    await page.locator('input[type=file]').setInputFiles({ name: 'my_arm.urdf', mimeType: 'text/xml', buffer: Buffer.from(urdf) });
    await page.waitForFunction(() => document.querySelector('[data-testid="robot-name"]')?.textContent === 'my_arm');
    await page.locator('[data-card]').first().getByRole('button', { name: 'Formula' }).click();
    await page.waitForSelector('[data-testid="equation"] .katex-html', { timeout: 60_000 });
    await page.locator('[data-card]').first().getByRole('button', { name: 'Code' }).click();
    await page.waitForFunction(() => document.querySelector('pre.code')?.textContent?.includes('void my_arm_mass_matrix('), null, { timeout: 60_000 });
    await page.close();
  });

  test('a folder with shapes and a mesh is drawn as its file shows it, and as a skeleton on demand', async () => {
    const { page, complaints } = await open(one, '?robot=planar2r');
    const urdf = `<robot name="shaped"><link name="base"/>
      <link name="arm"><inertial><origin xyz="0 0 0.2"/><mass value="1"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial>
        <visual><origin xyz="0 0 0.2"/><geometry><box size="0.1 0.1 0.4"/></geometry></visual><visual><geometry><mesh filename="meshes/part.stl" scale="0.1 0.1 0.1"/></geometry></visual></link>
      <joint name="turn" type="revolute"><origin xyz="0 0 0.1"/><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="10" velocity="3"/></joint></robot>`;
    const stl = 'solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n';
    await page.locator('input[type=file]').setInputFiles([{ name: 'shaped.urdf', mimeType: 'text/xml', buffer: Buffer.from(urdf) }, { name: 'part.stl', mimeType: 'model/stl', buffer: Buffer.from(stl) }]);
    await page.waitForFunction(() => document.querySelector('[data-testid="robot-name"]')?.textContent === 'shaped');
    const shapes = page.locator('[data-show="shapes"]');
    assert.ok(await shapes.isVisible());
    await picture(page, 'shapes');
    await shapes.click();
    assert.equal(await shapes.getAttribute('aria-pressed'), 'false');
    await settled(page);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('a file that is wrong is refused with its place, and the robot before it stays', async () => {
    const { page } = await open(one, '?robot=planar2r');
    await page.locator('input[type=file]').setInputFiles({ name: 'bad.urdf', mimeType: 'text/xml', buffer: Buffer.from('<robot name="bad">\n  <link name="a"/>\n  <joint name="j" type="revolute"><parent link="a"/><child link="nowhere"/></joint>\n</robot>') });
    await page.waitForSelector('.sheet');
    assert.equal(await page.locator('[data-testid="robot-name"]').innerText(), 'planar2r');
    await page.close();
  });
});

describe('tasks', () => {
  test('the arm follows a dragged target, and says that it is reached', async () => {
    const { page, complaints } = await open(one, '?robot=panda&q=0.236,-0.199,-0.011,-2.357,-0.058,2.061,-0.047&task=reach');
    await page.waitForFunction(() => document.querySelector('[data-testid="verdict"]')?.textContent?.includes('Reached'), null, { timeout: 60_000 });
    const x = () => page.getByLabel('target x (m)').inputValue();
    const before = await x();
    // Along the red arrow, which the picture has near the tool.
    const spot = await page.evaluate(() => {
      const box = (document.querySelector('canvas.scene') as HTMLElement).getBoundingClientRect();
      return { left: box.left, top: box.top };
    });
    await page.mouse.move(spot.left + 455, spot.top + 333);
    await page.mouse.down();
    for (let k = 1; k <= 6; k += 1) await page.mouse.move(spot.left + 455 + 6 * k, spot.top + 333 + 2 * k);
    await page.mouse.up();
    await page.waitForFunction((old) => (document.querySelector('[aria-label="target x (m)"]') as HTMLInputElement).value !== old, before, { timeout: 20_000 });
    await page.getByLabel('target z (m)').fill('0.45');
    await page.getByLabel('target z (m)').press('Enter');
    const height = async (): Promise<number> => {
      const q = await page.locator('input[data-joint]').evaluateAll((all) => all.map((input) => Number((input as HTMLInputElement).value)));
      return library('panda', q, 'pose:tool')[11] ?? 0;
    };
    for (let k = 0; k < 60 && Math.abs((await height()) - 0.45) > 1e-9; k += 1) await page.waitForTimeout(500);
    assert.ok(Math.abs((await height()) - 0.45) < 1e-9, `the tool is at ${await height()} m`);
    await page.waitForFunction(() => document.querySelectorAll('.solution').length > 1, null, { timeout: 60_000 });
    assert.match(await page.locator('[data-testid="verdict"]').innerText(), /Reached/);
    await picture(page, 'reach');
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('a target out of reach is said to be', async () => {
    const { page } = await open(one, '?robot=panda&task=reach');
    await page.waitForSelector('[data-testid="verdict"] b', { timeout: 60_000 });
    await page.getByLabel('target x (m)').fill('2');
    await page.getByLabel('target x (m)').press('Enter');
    await page.waitForFunction(() => document.querySelector('[data-testid="verdict"]')?.textContent?.includes('Cannot be reached'), null, { timeout: 60_000 });
    await page.close();
  });

  test('a motion is simulated, played and scrubbed', async () => {
    const { page, complaints } = await open(one, '?robot=planar2r&task=motion&q=0.5,0.2');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.waitForSelector('.multiples figure', { timeout: 60_000 });
    await page.locator('[data-testid="time"]').evaluate((input) => {
      (input as HTMLInputElement).value = '1';
      input.dispatchEvent(new Event('input'));
    });
    await settled(page);
    const now = await page.locator('input[data-joint="link1"]').evaluate((input) => Number((input as HTMLInputElement).value));
    const report = one.engine.handle<{ final: { q: number[] } }>('simulate', { robot: 'planar2r', state: '{"q":[0.5,0.2]}', duration: 1, step: 0.001, method: 'auto' });
    // The slider ends at the limits; the value beside it does not.
    const value = await page.locator('.joint input.value').first().inputValue();
    assert.ok(Math.abs(Number(value.replace('−', '-')) - (report.final.q[0] ?? 0)) < 2e-3, `${value} (${now}), not ${report.final.q[0]}`);
    await picture(page, 'motion');
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('a dropped log is identified, a second one validates', async () => {
    const { page, complaints } = await open(one, '?robot=planar2r&task=parameters');
    const logs = path.join(process.env['STUDIO'] ?? '.', '../suite/logs');
    await page.locator('input[type=file]').setInputFiles(path.join(logs, 'planar2r.csv'));
    await page.waitForSelector('[data-testid="identification"]', { timeout: 60_000 });
    await page.locator('input[type=file]').setInputFiles(path.join(logs, 'planar2r_validation.csv'));
    await page.waitForFunction(() => document.querySelector('[data-testid="identification"]')?.textContent?.includes('Good: predicts an unseen motion to 1 %'), null, { timeout: 60_000 });
    await picture(page, 'identify');
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('a flexible arm swings in the mode that was clicked', async () => {
    const { page, complaints } = await open(one, '?robot=two_link_flexible', { width: 1024, height: 768 });
    await page.locator('[data-mode="2.1"]').click();
    assert.match(await page.locator('.stage').innerText(), /link 2, mode 1/);
    const path = () => page.locator('[data-testid="flexible-arm"] path[stroke-width="7"]').last().getAttribute('d');
    const first = await path();
    // As soon as the browser draws again, which may take a while on a busy machine.
    await page.waitForFunction((then) => [...document.querySelectorAll('[data-testid="flexible-arm"] path[stroke-width="7"]')].pop()?.getAttribute('d') !== then, first, { timeout: 30_000, polling: 100 });
    await page.locator('[data-task="frequency"]').click();
    assert.equal(await page.locator('figure').count(), 2);
    await page.locator('[data-task="swing"]').click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.waitForSelector('[data-testid="flexible-time"]', { timeout: 60_000 });
    const still = await path();
    await page.locator('[data-testid="flexible-time"]').evaluate((input) => {
      (input as HTMLInputElement).value = '0.7';
      input.dispatchEvent(new Event('input'));
    });
    assert.notEqual(await path(), still);
    await picture(page, 'flexible');
    assert.deepEqual(complaints, []);
    await page.close();
  });
});

describe('one file', () => {
  test('an exported page works from disk without a network', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'studio-export-'));
    const file = path.join(folder, 'iiwa14.html');
    const text = exported(one, 'iiwa14');
    await writeFile(file, text);
    const context = await one.browser.newContext({ offline: true });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => { if (message.type() === 'error') complaints.push(message.text()); });
    await page.goto(`file://${file}`);
    await page.waitForFunction(() => document.documentElement.dataset['ready'] === 'true', null, { timeout: 60_000 });
    await slide(page, await page.locator('input[data-joint]').nth(1).getAttribute('data-joint') ?? '', 0.7);
    const q = await page.locator('input[data-joint]').evaluateAll((all) => all.map((input) => Number((input as HTMLInputElement).value)));
    compare(await shown(page, 'mass_matrix'), library('iiwa14', q, 'mass_matrix'), 7);
    console.log(`exported file: ${(text.length / 1e6).toFixed(2)} MB`);
    assert.deepEqual(complaints, []);
    await context.close();
    await rm(folder, { recursive: true });
  });
});

describe('export from the page', () => {
  test('the page saves itself as one file that opens the same view without a network', async () => {
    const { page } = await open(one, '?robot=planar2r&q=0.4,-0.3&show=gravity');
    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([page.waitForEvent('download', { timeout: 60_000 }), page.getByText('This page as one file').click()]);
    const folder = await mkdtemp(path.join(os.tmpdir(), 'studio-page-'));
    const file = path.join(folder, 'planar2r.html');
    await download.saveAs(file);
    const context = await one.browser.newContext({ offline: true });
    const again = await context.newPage();
    await again.goto(`file://${file}`);
    await again.waitForFunction(() => document.documentElement.dataset['ready'] === 'true', null, { timeout: 60_000 });
    compare(await shown(again, 'gravity'), library('planar2r', [0.4, -0.3], 'gravity'), 1);
    await context.close();
    await page.close();
    await rm(folder, { recursive: true });
  });
});
