import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JsonLog } from '../../os/json-log.js';
import { writePrivateFile } from '../../os/private-file.js';
import { readBootstrap } from '../agent-bootstrap.js';
import type { GatewayClient } from './gateway-client.js';
import { Registrar } from './registrar.js';

describe('The registrar', () => {
  let dir: string;
  const tokens: string[] = [];
  const client = {
    register: async ({ token }: { token: string }) => {
      tokens.push(token);
      return { epoch: 1 };
    },
  } as unknown as GatewayClient;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'landlord-registrar-'));
    const bootstrap = {
      agent_url: 'http://127.0.0.1:1',
      installation: 'i',
      node_id: 5,
      token: 'once',
      binaries: { nats: '/n' },
    };
    await writePrivateFile(join(dir, 'bootstrap.json'), JSON.stringify(bootstrap));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  const registrar = async (): Promise<Registrar> =>
    new Registrar(dir, await readBootstrap(dir, 'i/5'), client, 'b', new JsonLog({}));

  it('keeps the one-time token while it is valid, and then deletes it from the disk', async () => {
    const { signal } = new AbortController();
    const first = await registrar();
    const identity = await first.identity(signal);
    expect(await readFile(join(dir, 'bootstrap.json'), 'utf8')).toContain('once');

    await first.forgetToken();
    await first.forgetToken();

    const content = await readFile(join(dir, 'bootstrap.json'), 'utf8');
    expect(JSON.parse(content)).toMatchObject({ node_id: 5, token: '', binaries: { nats: '/n' } });
    expect((await stat(join(dir, 'bootstrap.json'))).mode & 0o077).toBe(0);
    expect(await (await registrar()).identity(signal)).toEqual(identity);
    expect(tokens).toEqual(['once']);
  });
});
