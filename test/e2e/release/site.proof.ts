import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, posix } from 'node:path';
import { describeWithBrowser, openBrowser } from '@libs/testing';
import type { Browser, Page } from 'playwright-core';
import { extract } from 'tar';
import { cloneTo, describeRelease, madeOnce, makeRelease } from './release.fixture.js';

const PATIENCE_MS = 10 * 60_000;
const FILE = /^landlord-site-.*\.tgz$/;
const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

describeRelease('The site of a release', (release) => {
  const work = mkdtempSync(join(tmpdir(), 'landlord-site-'));
  let artifacts: string;
  let version: string;
  /** The folder of the site of this version. */
  let folder: string;
  beforeAll(async () => {
    artifacts = await madeOnce(release.commit, 'site', (clone) => makeRelease(clone, { only: 'site' }));
    const file = readdirSync(artifacts).find((name) => FILE.test(name)) ?? '';
    extract({ file: join(artifacts, file), cwd: work, strip: 1, sync: true });
    [version = ''] = JSON.parse(readFileSync(join(work, 'versions.json'), 'utf8')) as string[];
    folder = join(work, version);
  }, PATIENCE_MS);
  afterAll(() => rmSync(work, { recursive: true, force: true }));

  const filesOf = (form: RegExp): string[] =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => form.test(path));

  it(
    'has the same bytes in another folder, with another umask and time zone',
    async () => {
      const clone = join(mkdtempSync(join(tmpdir(), 'landlord-elsewhere-')), 'in a longer path');
      await cloneTo(clone, release.commit);
      const other = await makeRelease(clone, { only: 'site', env: { TZ: 'Asia/Kathmandu' }, umask: '077' });
      const sumsIn = (place: string): string => readFileSync(join(place, 'SHA256SUMS'), 'utf8');

      expect(sumsIn(other)).toBe(sumsIn(artifacts));
      rmSync(join(clone, '..'), { recursive: true, force: true });
    },
    PATIENCE_MS,
  );

  it('has a page for each document, and no link or anchor that leads nowhere', () => {
    const pages = filesOf(/\.html$/);
    const broken = pages.flatMap((page) =>
      linksOf(page)
        .filter((href) => !leadsSomewhere(page, href))
        .map((href) => `${page}: ${href}`),
    );

    expect(pages.length).toBeGreaterThan(150);
    expect(broken).toEqual([]);
    // The check finds something.
    expect(leadsSomewhere('installation.html', './no-page.html')).toBe(false);
    expect(leadsSomewhere('installation.html', '#no-anchor')).toBe(false);
  });

  it('has each page as Markdown, and a list of them for models', () => {
    const list = readFileSync(join(folder, 'llms.txt'), 'utf8');
    const listed = [...list.matchAll(/\]\((\/[^)]+\.md)\)/g)].map(([, path = '']) => path);
    const pages = filesOf(/\.html$/).filter((page) => !/^(404|index)\.html$/.test(page));
    const markdownOf = (page: string): string => page.replace(/\/index\.html$/, '.md').replace(/\.html$/, '.md');

    expect(pages.filter((page) => !existsSync(join(folder, markdownOf(page))))).toEqual([]);
    expect(listed.filter((path) => !existsSync(join(work, path)))).toEqual([]);
    expect(listed).toEqual(expect.arrayContaining([`/${version}/installation.md`, `/${version}/guides/cli.md`]));
    expect(new Set(listed).size).toBe(listed.length);
  });

  const ids = new Map<string, Set<string>>();
  function idsOf(file: string): Set<string> {
    const cached = ids.get(file);
    if (cached) return cached;
    const all = new Set([...readFileSync(file, 'utf8').matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id));
    ids.set(file, all);
    return all;
  }
  const linksOf = (page: string): string[] =>
    [...readFileSync(join(folder, page), 'utf8').matchAll(/<a[^>]* href="([^"]+)"/g)]
      .map(([, href = '']) => href.replaceAll('&amp;', '&'))
      .filter((href) => !/^[a-z]+:/.test(href));
  function leadsSomewhere(page: string, href: string): boolean {
    const { pathname, hash } = new URL(href, `http://site/${version}/${page}`);
    const path = join(work, decodeURIComponent(pathname));
    const file = existsSync(path) && statSync(path).isDirectory() ? join(path, 'index.html') : path;
    return existsSync(file) && (hash === '' || idsOf(file).has(decodeURIComponent(hash.slice(1))));
  }

  describeWithBrowser('in a browser', () => {
    let server: Server;
    let browser: Browser;
    let origin: string;
    beforeAll(async () => {
      server = serving(work).listen(0, '127.0.0.1');
      await once(server, 'listening');
      origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      browser = await openBrowser();
    });
    afterAll(async () => {
      await browser?.close();
      server?.closeAllConnections();
      server?.close();
    });

    it.each(['light', 'dark'] as const)('asks no other host and has no fault, in the theme %s', async (colorScheme) => {
      const { page, faults } = await opened(colorScheme);
      for (const path of ['', 'guides/deployments.html', 'architecture.html', 'reference/main-api.html']) {
        await page.goto(`${origin}/${version}/${path}`);
        await page.waitForLoadState('networkidle');
      }
      await page.getByRole('heading', { name: 'Landlord: core management API' }).waitFor();
      const background = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');

      expect(faults).toEqual([]);
      expect(background).toBe(colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(27, 27, 31)');
      await page.context().close();
    });

    it('finds a page by its words, and a decision by those of its title', async () => {
      const { page } = await opened('light');
      await page.goto(`${origin}/`);
      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByRole('searchbox').fill('BILLING_CLOSES_AFTER_HOURS');
      await page.getByRole('option').filter({ hasText: 'Configuration' }).first().click();
      await page.waitForURL(/\/configuration\.html/);
      await page.goto(`${origin}/${version}/decisions/`);
      await page.getByLabel('Find a decision').fill('aedes pins');

      await page.getByText('1 decisions', { exact: true }).waitFor();
      expect(await page.locator('.vp-doc tbody tr:visible').allTextContents()).toEqual([
        expect.stringContaining('0007'),
      ]);
      await page.context().close();
    });

    /** `faults`: errors of the page, and requests to other hosts. */
    async function opened(colorScheme: 'light' | 'dark'): Promise<{ page: Page; faults: string[] }> {
      const context = await browser.newContext({ colorScheme });
      const page = await context.newPage();
      const faults: string[] = [];
      page.on('request', (request) => {
        if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(origin)) faults.push(request.url());
      });
      page.on('pageerror', (error) => faults.push(error.message));
      page.on('response', (response) => {
        if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`);
      });
      return { page, faults };
    }
  });
});

/** A web server without any setting, as a person has one. */
const serving = (root: string): Server =>
  createServer((request, response) => {
    const path = posix.normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://site').pathname));
    const place = join(root, path);
    const file = existsSync(place) && statSync(place).isDirectory() ? join(place, 'index.html') : place;
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    response.end(readFileSync(file));
  });
