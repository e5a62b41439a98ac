import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWithBrowser, freePorts, openBrowser } from '@libs/testing';
import type { Browser } from 'playwright-core';
import { expectClean } from './browser/person-in-browser.js';
import { runPasted } from './browser/run-pasted.js';
import { Start } from './browser/start.js';
import { WatchedTab } from './browser/watched-tab.js';

/** A person who has only what `npm start` prints, and clicks only what is visible. */
describeWithBrowser('A stranger', () => {
  let directory: string;
  let browser: Browser;
  let running: Start;
  let origins: string[];

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'landlord-stranger-'));
    const [main, supervisor, gateway] = await freePorts(3);
    running = new Start({
      ...{ LANDLORD_DATA_DIR: join(directory, 'data'), LOCAL_BROKER: 'embedded' },
      ...{ MAIN_API_PORT: String(main), SUPERVISOR_PORT: String(supervisor), GATEWAY_PORT: String(gateway) },
    });
    origins = [`http://localhost:${main}`, `http://127.0.0.1:${supervisor}`];
    [browser] = await Promise.all([openBrowser(), running.isUp()]);
  });
  afterAll(async () => {
    await browser?.close();
    await running?.stop();
    await rm(directory, { recursive: true, force: true });
  });

  it('gets from the printed link to a received message, and looks at the parts of the console', async () => {
    const tab = await WatchedTab.open(browser, origins);
    const { page } = tab;
    await page.goto(running.link.href);
    await page.getByRole('button', { name: 'Go to my cloud' }).click();
    await page.getByRole('button', { name: 'Create a Free deployment' }).click();
    await page.getByRole('button', { name: 'Show the login and programs' }).click();
    await page.getByText('ready', { exact: true }).first().waitFor();
    const program = page.getByRole('region', { name: 'Program in JavaScript', exact: true });
    await program.locator('..').getByRole('button', { name: 'Copy' }).click();
    const pasted = await page.evaluate<string>('navigator.clipboard.readText()');

    expect(await runPasted(pasted)).toBe('hello Hello from JavaScript\n');
    await expectClean(tab);
    const parts = page.getByRole('navigation', { name: 'Parts of the organization' }).getByRole('link');
    for (const name of await parts.allTextContents()) {
      await parts.filter({ hasText: new RegExp(`^${name}$`) }).click();
      await page.getByRole('heading', { level: 1 }).waitFor();
      // The first one that is left: a page can load several parts.
      await page.getByRole('status').filter({ hasText: 'Loading' }).first().waitFor({ state: 'detached' });
    }
    expect(tab.faults).toEqual([]);
    await tab.close();
  });
});
