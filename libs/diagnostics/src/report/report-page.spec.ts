import { describeWithBrowser, openBrowser } from '@libs/testing';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { assess } from '../checks/assess.js';
import { aNode, aSnapshot, NOW, someLines } from '../../test/snapshot.fixture.js';
import type { ReportLog, SnapshotData } from '../snapshot-data.js';
import { renderReport } from './render-report.js';

const ATTACK = `</script><script>alert(1)</script><img src=x onerror=alert(2)>"'><b>bold</b>`;

/** A snapshot in which every text of a node or a user is an attack. */
function hostile(): SnapshotData {
  const base = aSnapshot();
  const node = aNode(1, { name: ATTACK, status_reason: ATTACK, missing: ATTACK, zone: ATTACK });
  const told = node.told && {
    ...node.told,
    environment: { [ATTACK]: ATTACK },
    failures: [{ what: ATTACK, why: ATTACK }],
    versions: { ...node.told.versions, os: ATTACK },
    config: { ...node.told.config, values: { [ATTACK]: ATTACK } },
  };
  const log: ReportLog = {
    ...{ node_id: 1, runtime: 'broker', source: 'node', is_cut: false },
    lines: [[NOW, 'error', `${ATTACK}\u2028`]],
  };
  return aSnapshot({
    deployment: { ...base.deployment, name: ATTACK, status_reason: ATTACK },
    nodes: [{ ...node, told }, aNode(2)],
    access_rules: base.access_rules.map((rule) => ({ ...rule, name: ATTACK, cidr_blocks: [ATTACK] })),
    operations: base.operations.map((one) => ({ ...one, status: 'failed', reason: ATTACK })),
    backups: base.backups.map((backup) => ({ ...backup, name: ATTACK })),
    logs: [log],
  });
}

const rendered = (data: SnapshotData): string => renderReport(data, assess(data));

describe('A report', () => {
  it('contains texts of nodes and users as text, never as markup', () => {
    const page = rendered(hostile());

    expect(page).not.toContain('<img');
    expect(page).not.toContain('<script>alert');
    expect(page).not.toContain('<b>bold');
    expect(page).toContain('&lt;img src=x onerror=alert(2)&gt;');
    const [, data = ''] = /id="data">([^<]*)<\/script>/.exec(page) ?? [];
    expect(data).not.toContain('\u2028');
    expect(JSON.parse(data)).toMatchObject({ logs: [{ lines: [[NOW, 'error', `${ATTACK}\u2028`]] }] });
    expect(page.match(/<\/script>/g)).toHaveLength(3);
  });

  it('allows only its own scripts and styles, by hash', () => {
    const [policy = ''] = /Content-Security-Policy" content="[^"]*"/.exec(rendered(aSnapshot())) ?? [];

    expect(policy).toMatch(/default-src &#39;none&#39;; script-src (&#39;sha256-\S+&#39; ?){2}; style-src/);
    expect(policy).not.toContain('unsafe');
  });

  it('contains no address that a browser would load', () => {
    const page = rendered(aSnapshot());

    expect(page).not.toMatch(/(?:src|href)="(?!#)/);
    expect(page).not.toMatch(/@import|url\(/);
  });
});

describeWithBrowser('A report in a browser', () => {
  let browser: Browser;
  let directory: string;
  beforeAll(async () => {
    [browser, directory] = [await openBrowser(), await mkdtemp(join(tmpdir(), 'landlord-report-'))];
  });
  afterAll(async () => {
    await browser.close();
    await rm(directory, { recursive: true, force: true });
  });

  interface Opened {
    page: Page;
    /** All requests, and all errors. */
    asked: string[];
    wrong: string[];
  }

  async function open(data: SnapshotData, options: BrowserContextOptions = {}): Promise<Opened> {
    const file = join(directory, 'report.html');
    await writeFile(file, rendered(data));
    const page = await (await browser.newContext(options)).newPage();
    const [asked, wrong]: [string[], string[]] = [[], []];
    page.on('request', (request) => asked.push(request.url()));
    page.on('console', (message) => wrong.push(message.text()));
    page.on('pageerror', (error) => wrong.push(error.message));
    page.on('dialog', (dialog) => wrong.push(dialog.message()));
    await page.goto(`file://${file}`);
    await page.waitForSelector('html[data-ready=true]');
    return { page, asked, wrong };
  }

  it('loads nothing but its own file, without an error', async () => {
    const { page, asked, wrong } = await open(aSnapshot());

    await page.getByRole('button', { name: 'Last 7 days' }).click();
    await page.getByRole('button', { name: 'Dark colours' }).click();

    expect(await page.locator('.uplot').count()).toBe(6);
    expect([asked.length, wrong]).toEqual([1, []]);
  });

  it('runs no code from a log line', async () => {
    const { page, wrong } = await open(hostile());

    await page.locator('.line').first().click();

    expect(wrong).toEqual([]);
    expect(await page.locator('#line').textContent()).toContain(ATTACK);
    expect(await page.locator('img, b').count()).toBe(0);
  });

  it('filters its lines by text, level, node and runtime', async () => {
    const { page } = await open(aSnapshot());
    const count = (): Promise<string | null> => page.locator('#log-count').textContent();

    expect(await count()).toBe('7800 of 7800 lines');
    await page.locator('#log-level').selectOption('error');
    expect(await count()).toBe('84 of 7800 lines');
    await page.locator('#log-node').selectOption({ label: 'node-2' });
    expect(await count()).toBe('28 of 7800 lines');
    await page.locator('#log-runtime').selectOption('agent');
    expect(await count()).toBe('7 of 7800 lines');
    await page.getByRole('searchbox', { name: 'Text' }).fill('N=97');
    expect(await count()).toBe('1 of 7800 lines');
    expect(await page.locator('.line').textContent()).toMatch(/ERROR node-2 agent {3}packet refused .*n=97$/);
    await page.getByRole('searchbox', { name: 'Text' }).fill('nothing says this');
    expect(await page.locator('.line').count()).toBe(0);
  });

  it('filters twenty thousand lines during typing, and renders only the visible ones', async () => {
    const logs = Array.from({ length: 10 }, (_, index): ReportLog => {
      const lines = someLines(2_000);
      return { node_id: (index % 3) + 1, runtime: index < 5 ? 'broker' : 'agent', source: 'node', is_cut: true, lines };
    });
    const { page } = await open(aSnapshot({ logs }));

    await page.locator('#log-text').fill('refused');

    expect(await page.locator('#log-count').textContent()).toBe('210 of 20000 lines');
    expect(await page.locator('.line').count()).toBeLessThan(60);
  });

  it('hides checks with an unselected verdict', async () => {
    const { page } = await open(aSnapshot({ access_rules: [] }));

    await page.getByRole('checkbox', { name: 'OK' }).uncheck();

    const shown = await page.locator('tr[data-check]:visible').evaluateAll((rows) => rows.length);
    expect(shown).toBe(await page.locator('tr[data-check]:not([data-verdict=ok])').count());
    expect(shown).toBeGreaterThan(0);
  });

  it.each(['light', 'dark'] as const)('fits on a phone screen in %s colours', async (colorScheme) => {
    const long = 'a-name-without-any-place-to-break-'.repeat(8);
    const data = aSnapshot({ nodes: [aNode(1, { name: long, status_reason: long }), aNode(2)] });
    const { page, wrong } = await open(data, { viewport: { width: 360, height: 740 }, colorScheme });
    for (const summary of await page.locator('summary').all()) await summary.click();

    const width = 'document.documentElement.scrollWidth';
    const paper = 'getComputedStyle(document.body).backgroundColor';
    expect([await page.evaluate(width), wrong]).toEqual([360, []]);
    expect(await page.evaluate(paper)).toBe(colorScheme === 'dark' ? 'rgb(15, 19, 23)' : 'rgb(246, 247, 249)');
  });

  it('has readable contrast in light and dark colours', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await open(aSnapshot({ access_rules: [] }), { colorScheme });
      const faint = await page.evaluate(FAINT_TEXT);

      expect(faint).toEqual([]);
    }
  });

  it('shows its content without scripts', async () => {
    const { page } = await open(aSnapshot(), { javaScriptEnabled: true });
    const still = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
    await still.goto(page.url());

    expect(await still.locator('#verdict').innerText()).toContain('Healthy');
    expect(await still.locator('tr[data-check]').count()).toBeGreaterThanOrEqual(30);
    expect(await still.getByRole('button', { name: 'Dark colours' }).isVisible()).toBe(false);
  });
});

/** Elements with text whose contrast is below 4.5 (WCAG 2.2, 1.4.3). */
const FAINT_TEXT = `(() => {
  const rgb = (text) => (text.match(/[\\d.]+/g) ?? []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((part) => part / 255)
    .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const [r, g, b, alpha = 1] = rgb(getComputedStyle(at).backgroundColor);
      if (alpha === 1) return [r, g, b];
    }
    return [255, 255, 255];
  };
  return [...document.querySelectorAll('body *')]
    .filter((element) => element.offsetParent && [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()))
    .filter((element) => !['OPTION', 'SCRIPT', 'STYLE'].includes(element.tagName))
    .flatMap((element) => {
      const [high, low] = [light(rgb(getComputedStyle(element).color)), light(behind(element))].sort((a, b) => b - a);
      const contrast = (high + 0.05) / (low + 0.05);
      return contrast < 4.5 ? [element.tagName + '.' + element.className + ' ' + contrast.toFixed(2)] : [];
    });
})()`;
