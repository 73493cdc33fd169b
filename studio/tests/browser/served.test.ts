// The page as `jourdain studio` serves it, exports it and publishes it, in a real browser, against the numbers of the command.
//
// The command comes from the variable JOURDAIN; without it nothing is tested here.

import assert from 'node:assert/strict';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launch, picture, shown, slide } from './page.ts';

const command = process.env['JOURDAIN'] ?? '';
const arms = path.join(process.env['STUDIO'] ?? '.', '../arms');
let browser: Browser;
let folder: string;
const children: ChildProcess[] = [];

/** Serves what the words say; the address of the page. */
async function serve(...words: string[]): Promise<string> {
  const child = spawn(command, ['studio', ...words, '--no-open', '--port', '0'], { stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  for await (const line of createInterface({ input: child.stdout! })) return line;
  throw new Error('the server ended');
}

interface Opened { page: Page; complaints: string[]; answers: Map<string, number>; close(): Promise<void> }

async function open(address: string, offline = false): Promise<Opened> {
  const context = await browser.newContext({ offline, viewport: { width: 1280, height: 720 } });
  const page = await context.newPage();
  const complaints: string[] = [];
  const answers = new Map<string, number>();
  page.on('console', (message) => { if (message.type() === 'error') complaints.push(message.text()); });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('response', (response) => answers.set(new URL(response.url()).pathname, response.status()));
  await page.goto(address);
  return { page, complaints, answers, close: () => context.close() };
}

async function ready(page: Page): Promise<void> {
  await page.waitForFunction(() => document.documentElement.dataset['ready'] === 'true', null, { timeout: 60_000 });
}

/** The mass matrix at the sliders, by the command. */
async function compare(page: Page, ...words: string[]): Promise<void> {
  const q = await page.locator('input[data-joint]').evaluateAll((all) => all.map((input) => Number((input as HTMLInputElement).value)));
  const out = execFileSync(command, ['eval', ...words, '--state', JSON.stringify({ q }), '--quantity', 'mass_matrix', '--json'], { encoding: 'utf8' });
  const expected = (JSON.parse(out) as { quantities: { mass_matrix: number[][] } }).quantities.mass_matrix;
  const cells = await shown(page, 'mass_matrix');
  assert.equal(cells.size, q.length * q.length);
  const scale = Math.max(...expected.flat().map(Math.abs));
  expected.forEach((row, i) => row.forEach((value, j) => assert.ok(Math.abs((cells.get(`${i} ${j}`) ?? NaN) - value) <= 1e-12 * scale, `${i} ${j}`)));
}

async function move(page: Page): Promise<void> {
  await slide(page, (await page.locator('input[data-joint]').nth(1).getAttribute('data-joint')) ?? '', 0.7);
}

const part = `<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:macro name="part" params="name"><link name="\${name}">
  <inertial><origin xyz="0 0 0.2"/><mass value="2"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial>
  <visual><geometry><mesh filename="package://mine/meshes/part.stl" scale="0.3 0.3 0.3"/></geometry></visual></link></xacro:macro></robot>`;
const main = `<robot name="mine" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:include filename="part.xacro"/><link name="base"/>
  <xacro:part name="a"/><xacro:part name="b"/>
  <joint name="j1" type="revolute"><parent link="base"/><child link="a"/><axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="10" velocity="3"/></joint>
  <joint name="j2" type="revolute"><origin xyz="0 0 0.4"/><parent link="a"/><child link="b"/><axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="10" velocity="3"/></joint></robot>`;
const stl = 'solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 1\nendloop\nendfacet\nendsolid a\n';

describe('the page of the command', { skip: command === '' }, () => {
  before(async () => {
    browser = await launch();
    folder = await mkdtemp(path.join(os.tmpdir(), 'studio-served-'));
    await mkdir(path.join(folder, 'mine/urdf'), { recursive: true });
    await mkdir(path.join(folder, 'mine/meshes'));
    await writeFile(path.join(folder, 'mine/package.xml'), '<package><name>mine</name></package>');
    await writeFile(path.join(folder, 'mine/urdf/mine.urdf.xacro'), main);
    await writeFile(path.join(folder, 'mine/urdf/part.xacro'), part);
    await writeFile(path.join(folder, 'mine/meshes/part.stl'), stl);
    await writeFile(path.join(folder, 'bad.urdf'), '<robot name="bad">\n<link name="a"><inertial><mass value="x"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link></robot>');
  });
  after(async () => {
    for (const child of children) child.kill();
    await browser.close();
    await rm(folder, { recursive: true });
  });

  test('a built-in robot with edits has the numbers of the command with the same edits', async () => {
    const edits = ['--payload', 'link7=3@0,0,0.1', '--lock', 'link3=0.2'];
    const { page, complaints, close } = await open(await serve('iiwa14', ...edits));
    await ready(page);
    await move(page);
    await compare(page, 'iiwa14', ...edits);
    await picture(page, 'served');
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a robot of several files comes with what it includes and its meshes', async () => {
    const file = path.join(folder, 'mine/urdf/mine.urdf.xacro');
    const { page, complaints, answers, close } = await open(await serve(file));
    await ready(page);
    await move(page);
    await compare(page, file);
    await page.waitForTimeout(300);
    assert.equal(answers.get('/mesh'), 200);
    await picture(page, 'served-mesh');
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a file that is refused is shown with its refusal, and right after it was put right and the page loaded again', async () => {
    const file = path.join(folder, 'bad.urdf');
    const { page, close } = await open(await serve(file));
    await page.waitForSelector('.sheet', { timeout: 60_000 });
    assert.match(await page.locator('.sheet').innerText(), /mass/);
    await writeFile(file, (await readFile(file, 'utf8')).replace('"x"', '"1"'));
    await page.reload();
    await page.waitForFunction(() => document.querySelector('[data-testid="robot-name"]')?.textContent === 'bad', null, { timeout: 60_000 });
    await close();
  });

  test('the file of a flexible arm is opened as one', async () => {
    const { page, complaints, close } = await open(await serve(path.join(arms, 'two_link_flexible.toml')));
    await page.waitForSelector('[data-testid="flexible-arm"]', { timeout: 60_000 });
    assert.deepEqual(complaints, []);
    await close();
  });

  test('who has not the token gets nothing, and nobody gets out of the folder', async () => {
    const address = new URL(await serve(path.join(folder, 'mine')));
    const token = address.searchParams.get('token');
    for (const target of ['/', '/engine.wasm', '/files.json', '/files/mine/package.xml']) assert.equal((await fetch(new URL(target, address))).status, 403);
    assert.equal((await fetch(new URL(`/files/mine/package.xml?token=${token}`, address))).status, 200);
    for (const target of ['mine/..%2fbad.urdf', '..%2f..%2fetc/passwd', '%2e%2e/bad.urdf', 'mine/%2e%2e%2fbad.urdf']) assert.equal((await fetch(new URL(`/files/${target}?token=${token}`, address))).status, 404);
  });

  test('an exported file works without a network, and is small', async () => {
    const file = path.join(folder, 'iiwa14.html');
    execFileSync(command, ['studio', 'iiwa14', '--payload', 'link7=1', '--export', file]);
    assert.ok((await stat(file)).size < 4e6);
    const { page, complaints, close } = await open(`file://${file}`, true);
    await ready(page);
    await move(page);
    await compare(page, 'iiwa14', '--payload', 'link7=1');
    await picture(page, 'exported');
    assert.deepEqual(complaints, []);
    await close();
  });

  test('the page says when the server is gone, and goes on computing', async () => {
    const { page, complaints, close } = await open(await serve('iiwa14'));
    await ready(page);
    children[children.length - 1]?.kill();
    await page.getByText('Not connected: sliders still work here').waitFor({ timeout: 30_000 });
    await move(page);
    await compare(page, 'iiwa14');
    assert.deepEqual(complaints.filter((text) => !text.includes('ERR_CONNECTION')), []);
    await close();
  });

  test('an exported file can be saved again from its own page, and the copy opens the same view', async () => {
    const [file, copy] = [path.join(folder, 'ur5.html'), path.join(folder, 'copy.html')];
    execFileSync(command, ['studio', 'ur5', '--export', file]);
    const first = await open(`file://${file}`, true);
    await ready(first.page);
    await move(first.page);
    await first.page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([first.page.waitForEvent('download', { timeout: 60_000 }), first.page.getByText('This page as one file').click()]);
    await download.saveAs(copy);
    await first.close();
    const { page, complaints, close } = await open(`file://${copy}`, true);
    await ready(page);
    assert.equal(Number(await page.locator('input[data-joint]').nth(1).inputValue()), 0.7);
    await compare(page, 'ur5');
    assert.deepEqual(complaints, []);
    await close();
  });

  test('an exported robot has its meshes inside', async () => {
    const [file, robot] = [path.join(folder, 'mine.html'), path.join(folder, 'mine/urdf/mine.urdf.xacro')];
    execFileSync(command, ['studio', robot, '--export', file]);
    const { page, complaints, close } = await open(`file://${file}`, true);
    await ready(page);
    await move(page);
    await compare(page, robot);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a site works from any server of files', async () => {
    const site = path.join(folder, 'site');
    execFileSync(command, ['studio', 'ur5', '--export', `${site}/`]);
    const server = http.createServer((request, response) => {
      const name = new URL(request.url ?? '/', 'http://localhost').pathname.slice(1) || 'index.html';
      const type = name.endsWith('.wasm') ? 'application/wasm' : 'text/html; charset=utf-8';
      readFile(path.join(site, path.basename(name))).then((bytes) => response.setHeader('Content-Type', type).end(bytes), () => response.writeHead(404).end());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { page, complaints, close } = await open(`http://127.0.0.1:${(server.address() as { port: number }).port}/`);
    await ready(page);
    await move(page);
    await compare(page, 'ur5');
    assert.deepEqual(complaints.filter((text) => !text.includes('404')), []);
    await close();
    await new Promise((resolve) => server.close(resolve));
  });
});
