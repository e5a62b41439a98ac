import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigInvalid } from '@libs/domain/settings';
import type { SupervisorConfig } from '../config.js';
import { LocalBroker } from './local-broker.js';

describe('LocalBroker', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'landlord-local-broker-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  function find(settings: Partial<SupervisorConfig> = {}): Promise<LocalBroker> {
    const defaults = { LOCAL_BROKER: 'auto', LANDLORD_DATA_DIR: dir, searchPath: '' };
    return LocalBroker.find({ ...defaults, ...settings } as SupervisorConfig);
  }

  /** Creates a program that prints this for `--version`, at the path of `npm run broker:nats`. */
  async function aServer(answer = 'nats-server: v2.9.10'): Promise<string> {
    const folder = join(dir, 'packages/nats-server/usr/sbin');
    await mkdir(folder, { recursive: true });
    const file = join(folder, 'nats-server');
    await writeFile(file, `#!/bin/sh\necho "${answer}"\n`);
    await chmod(file, 0o755);
    return file;
  }

  it('selects the embedded broker on a machine without nats', async () => {
    expect(await find()).toEqual({ driver: 'embedded', release: '1.2.0', binaries: {} });
  });

  it('selects nats with the version of an existing binary', async () => {
    const server = await aServer();

    expect(await find()).toEqual({ driver: 'nats', release: '2.9.10', binaries: { nats: server } });
  });

  it('can be forced to embedded, and still finds the binary for existing nats nodes', async () => {
    const server = await aServer();

    expect(await find({ LOCAL_BROKER: 'embedded' })).toMatchObject({
      driver: 'embedded',
      binaries: { nats: server },
    });
  });

  it.each([
    [
      { LOCAL_BROKER: 'nats' as const },
      'LOCAL_BROKER: is nats, but there is no nats-server. Run "npm run broker:nats"',
    ],
    [{ NATS_SERVER_BIN: '/nowhere/nats-server' }, 'NATS_SERVER_BIN: /nowhere/nats-server cannot be run.'],
  ])('stops the start with a message when %j is missing', async (settings, message) => {
    await expect(find(settings)).rejects.toThrow(ConfigInvalid);
    await expect(find(settings)).rejects.toThrow(message);
  });

  it('stops the start when the program is not a nats-server', async () => {
    await aServer('hello');

    await expect(find()).rejects.toThrow('is not a nats-server');
  });
});
