import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { eventually, PlayedNode } from '@libs/testing';
import { GatewayUnderTest } from '../../../test/gateway.fixture.js';
import type { GatewayLimits } from '../gateway-limits.js';

const MIB = 1024 * 1024;
const UNLIMITED = { aSecond: 1e6, atOnce: 1e6 };
const CONTENT = randomBytes(1000);

const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');
const pathOf = (hash: string): string => `/agent/v1/artifacts/${hash}`;

describe('The gateway', () => {
  let gateway: GatewayUnderTest;
  let node: PlayedNode;

  async function open(limits: Partial<GatewayLimits> = {}): Promise<void> {
    gateway = await GatewayUnderTest.open({ limits: { reads: UNLIMITED, ...limits } });
    await mkdir(join(gateway.directory, 'artifacts'));
    node = await gateway.node(await gateway.deployment());
  }
  afterEach(() => gateway.close());

  /** Stores the contents and names them in the manifest. Returns the path of the first one. */
  async function publish(...contents: Buffer[]): Promise<string> {
    for (const content of contents) await writeFile(fileOf(sha256(content)), content);
    await name(...contents.map((content) => ({ sha256: sha256(content), bytes: content.length })));
    return pathOf(sha256(contents[0] ?? CONTENT));
  }

  async function name(...artifacts: { sha256: string; bytes: number }[]): Promise<void> {
    const content = { artifacts: artifacts.map((one) => ({ name: 'agent', ...one })) };
    await writeFile(fileOf('new'), JSON.stringify(content));
    await rename(fileOf('new'), fileOf('manifest.json'));
  }

  const fileOf = (file: string): string => join(gateway.directory, 'artifacts', file);
  const get = (path: string, headers: Record<string, string> = {}, reader = node): Promise<Response> =>
    reader.send({ method: 'GET', path, headers });
  const bodyOf = async (answer: Response): Promise<Buffer> => Buffer.from(await answer.arrayBuffer());
  const statusFor = async (path: string, authorization?: string): Promise<number> =>
    (await fetch(`${gateway.url}${path}`, { headers: authorization ? { authorization } : {} })).status;

  describe('with an artifact', () => {
    let path: string;
    beforeEach(async () => {
      await open();
      path = await publish(CONTENT);
    });

    it('sends the whole artifact, and lets the client cache it without a limit', async () => {
      const answer = await get(path);

      expect(answer.status).toBe(200);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        ...{ 'cache-control': 'private, max-age=31536000, immutable', etag: `"${sha256(CONTENT)}"` },
        ...{ 'accept-ranges': 'bytes', 'content-length': '1000', 'content-type': 'application/gzip' },
      });
      expect(await bodyOf(answer)).toEqual(CONTENT);
    });

    it('answers HEAD without a body, and ignores a range there', async () => {
      const answer = await node.send({ method: 'HEAD', path, headers: { range: 'bytes=0-9' } });

      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-length')).toBe('1000');
      expect(await bodyOf(answer)).toHaveLength(0);
    });

    it('answers 304 to the etag', async () => {
      const answer = await get(path, { 'if-none-match': `"${sha256(CONTENT)}"` });

      expect(answer.status).toBe(304);
      expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200);
    });

    it('sends a part, so that a node continues after a cut', async () => {
      const answer = await get(path, { range: 'bytes=400-', 'if-range': `"${sha256(CONTENT)}"` });

      expect(answer.status).toBe(206);
      expect(answer.headers.get('content-range')).toBe('bytes 400-999/1000');
      expect(answer.headers.get('content-length')).toBe('600');
      expect(await bodyOf(answer)).toEqual(CONTENT.subarray(400));
    });

    it('sends the whole artifact when the node has a part of another one', async () => {
      const answer = await get(path, { range: 'bytes=400-', 'if-range': '"other"' });

      expect(answer.status).toBe(200);
      expect(await bodyOf(answer)).toEqual(CONTENT);
    });

    it('answers 416 with the size to a part behind the end', async () => {
      const answer = await get(path, { range: 'bytes=1000-' });

      expect(answer.status).toBe(416);
      expect(answer.headers.get('content-range')).toBe('bytes */1000');
    });

    it('refuses everyone without a credential', async () => {
      const { id, token } = await gateway.expectedNode(await gateway.deployment());
      const credentials = [undefined, 'Bearer ', `Bearer ${node.id}.${'x'.repeat(32)}`, `Bearer ${node.id}.${token}`];

      for (const credential of [...credentials, `Bearer ${id}.${node.secret}`, `Basic ${id}.${token}`])
        expect({ [`${credential}`]: await statusFor(path, credential) }).toEqual({ [`${credential}`]: 401 });
    });

    it('accepts the one-time token of a node until the token ends', async () => {
      const { id, token } = await gateway.expectedNode(await gateway.deployment());
      const credential = `Bearer ${id}.${token}`;
      expect(await statusFor(path, credential)).toBe(200);
      await gateway.bench.rows(`update nodes set bootstrap_expires_at = now() where id = $1`, [id]);

      expect(await statusFor(path, credential)).toBe(401);
    });

    it('does not accept a token that was used', async () => {
      const { id, token } = await gateway.expectedNode(await gateway.deployment());
      const registered = await PlayedNode.register(gateway.url, id, token);
      await registered.status();

      await eventually('the gateway knows it', async () => (await statusFor(path, `Bearer ${id}.${token}`)) === 401);
      expect((await get(path, {}, registered)).status).toBe(200);
    });

    it('sends what a new manifest names, and nothing else, without a restart', async () => {
      const later = await publish(Buffer.from('another'));

      expect((await get(later)).status).toBe(200);
      expect((await get(path)).status).toBe(404);
    });

    it('sends nothing that the manifest does not name', async () => {
      await writeFile(fileOf('0'.repeat(64)), 'unnamed');
      await writeFile(join(gateway.directory, 'secret'), 'secret');
      const hash = sha256(CONTENT);
      const others = [
        '0'.repeat(64),
        '1'.repeat(64),
        hash.toUpperCase(),
        `${hash}/`,
        `${hash}%00`,
        'manifest.json',
        '',
      ];

      for (const other of [...others, '%2e%2e%2fsecret', '..%2fsecret', '%2fetc%2fpasswd', `.%2f${hash}`])
        expect({ [other]: (await get(pathOf(other))).status }).toEqual({ [other]: 404 });
      for (const raw of [`${pathOf('..')}/../secret`, `${pathOf('')}/../../secret`, `/agent/v1/artifacts/../../secret`])
        expect({ [raw]: await rawStatus(raw) }).toEqual({ [raw]: 404 });
    });

    it('sends no file that is not the one of the manifest', async () => {
      const [cut, linked, folder] = [Buffer.from('cut short'), Buffer.from('linked'), Buffer.from('folder')];
      await publish(CONTENT, cut, linked, folder);
      await truncate(fileOf(sha256(cut)), 3);
      await writeFile(join(gateway.directory, 'secret'), 'secret');
      await rm(fileOf(sha256(linked)));
      await symlink(join(gateway.directory, 'secret'), fileOf(sha256(linked)));
      await rm(fileOf(sha256(folder)));
      await mkdir(fileOf(sha256(folder)));

      for (const damaged of [cut, linked, folder]) expect((await get(pathOf(sha256(damaged)))).status).toBe(404);
      expect((await get(path)).status).toBe(200);
    });

    it.each(['{', '[]', '{"artifacts":[{"name":"x","sha256":"../secret","bytes":6}]}'])(
      'sends nothing with the manifest %s',
      async (manifest) => {
        await writeFile(fileOf('manifest.json'), manifest);

        expect((await get(path)).status).toBe(404);
      },
    );

    it('sends nothing without a manifest', async () => {
      await rm(fileOf('manifest.json'));

      expect((await get(path)).status).toBe(404);
    });

    async function rawStatus(target: string): Promise<number> {
      const socket = connect(gateway.port, '127.0.0.1');
      socket.write(
        `GET ${target} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${node.id}.${node.secret}\r\nconnection: close\r\n\r\n`,
      );
      let text = '';
      for await (const chunk of socket) text += String(chunk);
      return Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);
    }
  });

  describe('with limits', () => {
    it('bounds the requests of a credential', async () => {
      await open({ reads: { aSecond: 0.001, atOnce: 2 } });
      const path = await publish(CONTENT);
      const answers = [await get(path), await get(path), await get(path)];

      expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    });

    it('bounds the bytes of a credential, says when to come again, and leaves others alone', async () => {
      await open({ artifactBytes: { aSecond: 10, atOnce: 1500 } });
      const path = await publish(CONTENT);
      expect((await get(path)).status).toBe(200);

      const answer = await get(path);

      expect(answer.status).toBe(429);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(45);
      expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(50);
      expect((await get(path, { range: 'bytes=0-99' })).status).toBe(206);
      expect((await get(path, {}, await gateway.node(await gateway.deployment()))).status).toBe(200);
    });

    it('sends an artifact above the burst to a credential that has used nothing', async () => {
      await open({ artifactBytes: { aSecond: 1, atOnce: 10 } });
      const path = await publish(CONTENT);

      expect((await get(path)).status).toBe(200);
      expect((await get(path)).status).toBe(429);
    });

    it('bounds the transfers at once, until one ends', async () => {
      await open({ artifactsAtOnce: 1 });
      const path = await publish(Buffer.alloc(32 * MIB));
      const slow = await stalled(path);

      const second = await get(path, { range: 'bytes=0-9' });
      expect([second.status, second.headers.get('retry-after')]).toEqual([429, '1']);
      const other = await gateway.node(await gateway.deployment());
      expect((await get(path, { range: 'bytes=0-9' }, other)).status).toBe(206);
      slow.destroy();

      await eventually('the place is free', async () => (await get(path, { range: 'bytes=0-9' })).status === 206);
    });

    it('cuts a client that stops reading, and counts only what was read for it', async () => {
      const bytes = 32 * MIB;
      await open({ idleMs: 300, artifactsAtOnce: 1, artifactBytes: { aSecond: 1, atOnce: bytes * 1.5 } });
      const path = await publish(Buffer.alloc(bytes));
      const slow = await stalled(path);

      await eventually('the place is free', async () => (await get(path, { range: 'bytes=0-9' })).status === 206);

      const whole = await get(path);
      expect(whole.status).toBe(200);
      expect(await bodyOf(whole)).toHaveLength(bytes);
      slow.destroy();
    });

    /** A client that got the first bytes and reads no more. */
    async function stalled(path: string): Promise<Socket> {
      const socket = connect(gateway.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${node.id}.${node.secret}\r\n\r\n`);
      await once(socket, 'data');
      socket.pause();
      return socket;
    }
  });

  it('is open while an artifact is replaced: a started transfer gets the old bytes', async () => {
    await open();
    const content = randomBytes(MIB);
    const path = await publish(content);
    const answer = await get(path);
    await rm(fileOf(sha256(content)));

    expect(await bodyOf(answer)).toEqual(content);
    expect(await readFile(fileOf('manifest.json'), 'utf8')).toContain(sha256(content));
  });
});
