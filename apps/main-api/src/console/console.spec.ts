import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { CellsRepository } from '@libs/persistence/organization';
import { eventually } from '@libs/testing';
import { TestMainApi } from '../../test/test-main-api.fixture.js';

const PAGE = '<!doctype html><script type="module" src="/console/assets/index-Ab12.js"></script>';
const SCRIPT = 'document.title = "Landlord";'.repeat(50);
const THEME = 'document.documentElement.dataset.theme = "dark";';
const NAVIGATION = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** A request with exactly this path and these headers: fetch would normalize the path and decompress the answer. */
const ask = (url: string, path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const outgoing = request({ hostname, port, path, method, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }),
      );
    });
    outgoing.on('error', reject).end();
  });

describe('The console', () => {
  let folder: string;
  let cloud: TestMainApi;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'landlord-console-'));
    mkdirSync(join(folder, 'console/assets'), { recursive: true });
    const write = (name: string, text: string): void => {
      writeFileSync(join(folder, 'console', name), text);
      writeFileSync(join(folder, 'console', `${name}.br`), brotliCompressSync(text));
      writeFileSync(join(folder, 'console', `${name}.gz`), gzipSync(text));
    };
    mkdirSync(join(folder, 'console/guides/contract'), { recursive: true });
    write('index.html', PAGE);
    write('guides/index.html', 'the list');
    write('guides/deployments.html', 'of deployments');
    write('guides/contract/index.html', 'the contract');
    write('theme.js', THEME);
    write('manifest.json', '{"secret": "list"}');
    write('assets/index-Ab12.js', SCRIPT);
    writeFileSync(join(folder, 'console/assets/font-Cd34.woff2'), 'font');
    writeFileSync(join(folder, 'outside.js'), 'outside');
    cloud = await TestMainApi.open({ LANDLORD_ROLE: 'api' }, { consoleFolder: join(folder, 'console') });
  });
  afterAll(async () => {
    await cloud.close();
    rmSync(folder, { recursive: true });
  });

  const get = (path: string, headers?: Record<string, string>, method?: string) =>
    ask(cloud.mainApi.url, path, headers, method);

  it.each([
    '/console',
    '/console/',
    '/console/welcome',
    '/console/tenants/1/deployments/2?tab=logs',
    '/console/index.html',
    '/console/manifest.json',
    '/console/theme.js.br',
    '/console/no%20such%20file.js',
  ])('answers %s with its page, which nobody keeps without asking', async (path) => {
    const { status, headers, body } = await get(path);

    expect([status, body.toString()]).toEqual([200, PAGE]);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-length': String(PAGE.length),
    });
  });

  it('has a page that loads and calls only its origin and the Supervisors', async () => {
    const { headers } = await get('/console/');

    expect(String(headers['content-security-policy']).split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      "font-src 'self'",
      // Tests come in any order: the Supervisor of another test may be known.
      expect.stringMatching(/^connect-src 'self' http:\/\/127\.0\.0\.1:4000( https:\/\/late\.example:8443)?$/),
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ]);
  });

  it('may call a Supervisor that comes later, after some seconds', async () => {
    const [cell] = await cloud.asSupervisor((database) => new CellsRepository(database).list());
    if (!cell) throw new TypeError('the fixture announces a cell');
    const late = { ...cell, cell: 'late', url: 'https://late.example:8443/path' };
    await cloud.asSupervisor((database) => new CellsRepository(database).announce(late, true));

    await eventually('the page may call it', async () =>
      String((await get('/console/')).headers['content-security-policy']).includes(
        "connect-src 'self' http://127.0.0.1:4000 https://late.example:8443;",
      ),
    );
  });

  it('has assets that never change', async () => {
    const { status, headers, body } = await get('/console/assets/index-Ab12.js');

    expect([status, body.toString()]).toEqual([200, SCRIPT]);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    expect((await get('/console/assets/font-Cd34.woff2')).headers).toMatchObject({ 'content-type': 'font/woff2' });
  });

  it('has a script without a hash in its name, which nobody keeps without asking', async () => {
    const { headers, body } = await get('/console/theme.js');

    expect(body.toString()).toBe(THEME);
    expect(headers).toMatchObject({ 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-cache' });
  });

  it.each([
    ['br, gzip', 'br'],
    ['gzip, deflate, br;q=0.1', 'br'],
    ['GZIP', 'gzip'],
    ['gzip, br;q=0', 'gzip'],
    ['br;q=0.000, gzip; q=0', undefined],
    ['identity', undefined],
    ['', undefined],
  ])('answers a client that accepts %j in the encoding %s', async (accepted, encoding) => {
    for (const [path, text] of [
      ['/console/', PAGE],
      ['/console/assets/index-Ab12.js', SCRIPT],
    ] as const) {
      const { headers, body } = await get(path, { 'accept-encoding': accepted });

      expect(headers['content-encoding']).toBe(encoding);
      expect(String(headers['vary']).toLowerCase()).toContain('accept-encoding');
      const plain = encoding === 'br' ? brotliDecompressSync(body) : encoding === 'gzip' ? gunzipSync(body) : body;
      expect(plain.toString()).toBe(text);
    }
  });

  it('is not sent again to a browser that has it, in each encoding', async () => {
    const tags = new Set<string>();
    for (const accepted of ['br', 'gzip', 'identity']) {
      const etag = String((await get('/console/', { 'accept-encoding': accepted })).headers['etag']);
      tags.add(etag);

      const again = await get('/console/', { 'accept-encoding': accepted, 'if-none-match': `W/${etag}` });

      expect([again.status, again.body.length]).toEqual([304, 0]);
    }
    expect(tags.size).toBe(3);
    expect((await get('/console/', { 'if-none-match': '"old"' })).status).toBe(200);
  });

  it('answers HEAD like GET, without the body', async () => {
    const { status, headers, body } = await get('/console/assets/index-Ab12.js', {}, 'HEAD');

    expect([status, headers['content-length'], body.length]).toEqual([200, String(SCRIPT.length), 0]);
  });

  it.each([
    '/console/assets',
    '/console/assets/',
    '/console/assets/index-Zz99.js',
    '/console/assets/index-Ab12.js.br',
    '/console/assets/../../outside.js',
    '/console/assets/../index.html',
    '/console/assets/..%2f..%2foutside.js',
    '/console/assets/%2e%2e/theme.js',
    '/console/assets/..%5c..%5coutside.js',
    '/console/assets//index-Ab12.js',
    '/console/assets/index-Ab12.js%00',
    '/console/assets/__proto__',
  ])('has no asset %s', async (path) => {
    const { status, headers, body } = await get(path);

    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      404,
      'application/problem+json; charset=utf-8',
      'no-store',
    ]);
    expect(JSON.parse(body.toString())).toMatchObject({ code: 'route_not_found' });
  });

  it('leads nowhere else by other paths', async () => {
    for (const path of ['/console/../outside.js', '/console/..%2foutside.js'])
      expect((await get(path)).body.toString()).not.toContain('outside');
    expect((await get('/consoles')).status).toBe(404);
    expect((await get('/console/', {}, 'POST')).status).toBe(405);
  });

  it('opens for a browser at the address of the API, and not for a program', async () => {
    const [browser, program] = [await get('/', NAVIGATION), await get('/', { accept: '*/*' })];

    expect([browser.status, browser.headers['location']]).toEqual([302, '/console/']);
    expect([program.status, program.headers['content-type']]).toEqual([404, 'application/problem+json; charset=utf-8']);
    expect(JSON.parse(program.body.toString())).toMatchObject({ code: 'route_not_found', detail: 'No route GET /.' });
    for (const { headers } of [browser, program]) expect(String(headers['vary']).toLowerCase()).toContain('accept');
  });

  it.each([
    ['/guides', 'the list'],
    ['/guides/', 'the list'],
    ['/guides/deployments', 'of deployments'],
    ['/guides/deployments?from=mail', 'of deployments'],
    ['/guides/contract', 'the contract'],
    ['/guides/contract/', 'the contract'],
  ])('has the guide %s, which loads only its origin', async (path, text) => {
    const { status, headers, body } = await get(path);

    expect([status, body.toString()]).toEqual([200, text]);
    expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' });
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
  });

  it.each([
    '/guides/none',
    '/guides/../theme.js',
    '/guides/%2e%2e/theme',
    '/guides/..%2findex',
    '/guides/deployments.html',
  ])('has no guide %s, and says where all are', async (path) => {
    const { status, headers, body } = await get(path);

    expect([status, headers['content-type']]).toEqual([404, 'application/problem+json; charset=utf-8']);
    expect(JSON.parse(body.toString())).toMatchObject({ code: 'route_not_found' });
  });
});

describe('A console that is not built', () => {
  let cloud: TestMainApi;
  beforeAll(async () => {
    cloud = await TestMainApi.open({ LANDLORD_ROLE: 'api' });
  });
  afterAll(() => cloud.close());

  it('says what to run', async () => {
    const { status, headers, body } = await ask(cloud.mainApi.url, '/console/', NAVIGATION);

    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' });
    expect(body.toString()).toContain('npm run build');
    expect((await ask(cloud.mainApi.url, '/console/assets/index-Ab12.js')).status).toBe(404);
  });
});
