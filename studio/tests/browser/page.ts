// A served page in a real browser, and the engine in Node as the witness for its numbers.
//
// The engine's module comes from the variable ENGINE, Chromium from CHROMIUM, pictures go to the folder SHOTS if it is named.

import { readFile, mkdir } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium, type Browser, type Page } from 'playwright-core';
import { WasmEngine } from '../../src/engine/wasm.ts';

const studio = process.env['STUDIO'] ?? '.';
const enginePath = process.env['ENGINE'] ?? path.join(studio, '../target/wasm32-unknown-unknown/web/jourdain_wasm.wasm');

export interface Bench {
  browser: Browser;
  address: string;
  html: string;
  wasm: Buffer;
  engine: WasmEngine;
  close(): Promise<void>;
}

/** A browser that draws without a graphics card. */
export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
}

export async function bench(): Promise<Bench> {
  const html = await readFile(path.join(studio, 'dist/studio.html'), 'utf8');
  const wasm = await readFile(enginePath);
  const engine = await WasmEngine.start(await WebAssembly.compile(new Uint8Array(wasm)));
  const server = http.createServer((request, response) => {
    const name = new URL(request.url ?? '/', 'http://localhost').pathname;
    if (name === '/') response.setHeader('Content-Type', 'text/html; charset=utf-8').end(html);
    else if (name === '/engine.wasm') response.setHeader('Content-Type', 'application/wasm').end(wasm);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = (server.address() as { port: number }).port;
  const browser = await launch();
  return {
    browser, html, wasm, engine, address: `http://127.0.0.1:${port}/`,
    async close() {
      await browser.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The page as one file with the engine inside. */
export function exported(one: Bench, robot: string): string {
  return one.html.replace('<!--boot-->', () => `<script id="boot" type="application/json">${JSON.stringify({ robot })}</script><script id="engine" type="text/plain">${gzipSync(one.wasm, { level: 9 }).toString('base64')}</script>`);
}

export interface Opened { page: Page; complaints: string[] }

/** Opens an address and waits until a robot is shown; collects whatever the browser complains about. */
export async function open(one: Bench, address: string, size = { width: 1280, height: 720 }): Promise<Opened> {
  // A test that failed leaves its page open: it would go on drawing and slow down all that follow.
  for (const context of one.browser.contexts()) await context.close();
  const page = await one.browser.newPage({ viewport: size });
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(address.startsWith('file:') ? address : one.address + address);
  await page.waitForFunction(() => document.documentElement.dataset['ready'] === 'true', null, { timeout: 60_000 });
  return { page, complaints };
}

/** Two pictures later: everything that a change brings about has been computed and drawn. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(resolve)))));
}

/** Moves a slider as a hand does. */
export async function slide(page: Page, joint: string, value: number): Promise<void> {
  await page.locator(`input[data-joint="${joint}"]`).evaluate((element, to) => {
    const input = element as HTMLInputElement;
    input.value = String(to);
    input.dispatchEvent(new Event('input', { bubbles: true }));
    input.dispatchEvent(new Event('change', { bubbles: true }));
  }, value);
  await settled(page);
}

/** The full numbers of a quantity on the page, by row and column. */
export async function shown(page: Page, quantity: string): Promise<Map<string, number>> {
  const cells = await page.locator(`[data-quantity="${quantity}"] [data-row]`).evaluateAll((all) => all.map((cell) => {
    const { row, column, value } = (cell as HTMLElement).dataset;
    return [`${row} ${column}`, Number(value)] as [string, number];
  }));
  return new Map(cells);
}

export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['SHOTS'];
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: path.join(folder, `${name}.png`) });
}
