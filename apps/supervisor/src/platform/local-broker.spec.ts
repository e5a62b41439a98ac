import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWithIggy, IGGY_LIBRARIES, IGGY_SERVER } from '@libs/testing';
import type { SupervisorConfig } from '../config.js';
import { LocalBroker } from './local-broker.js';

const NATS = 'packages/nats-server/usr/sbin/nats-server';
const IGGY = 'packages/iggy/iggy-server';
const CONNECTORS = 'packages/iggy/iggy-connectors';
const EMBEDDED = { driver: 'embedded', release: '1.2.0' };

describe('LocalBroker', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'landlord-local-broker-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  function find(settings: Partial<SupervisorConfig> = {}): Promise<LocalBroker> {
    const defaults = {
      ...{ LOCAL_BROKER: 'auto', IGGY_UNPROVEN_RELEASES: false, LANDLORD_DATA_DIR: dir, searchPath: '' },
      ALLOW_PRIVATE_DESTINATIONS: false,
    };
    return LocalBroker.find({ ...defaults, ...settings } as SupervisorConfig);
  }
  const chosen = (broker: LocalBroker) => [broker.of('cluster'), broker.of('standalone')];

  /** Creates a program that prints this for `--version`, at the path of `npm run broker:nats` or `npm run broker:iggy`. */
  async function aProgram(name: string, answer: string): Promise<string> {
    const file = join(dir, name);
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, `#!/bin/sh\necho "${answer}"\n`);
    await chmod(file, 0o755);
    return file;
  }
  const nats = () => aProgram(NATS, 'nats-server: v2.9.10');
  const iggy = () => aProgram(IGGY, 'server 0.8.0');

  it('selects the embedded broker on a machine without other brokers', async () => {
    const broker = await find();

    expect(chosen(broker)).toEqual([EMBEDDED, EMBEDDED]);
    expect(broker.binaries).toEqual({});
  });

  it('selects nats for clusters only, with the release of an existing program', async () => {
    const server = await nats();
    const broker = await find();

    expect(chosen(broker)).toEqual([{ driver: 'nats', release: '2.9.10' }, EMBEDDED]);
    expect(broker.binaries).toEqual({ nats: server });
  });

  it('selects iggy for single nodes only, with its connectors and libraries', async () => {
    const server = await iggy();
    const connectors = await aProgram(CONNECTORS, 'iggy-connectors 0.4.0');
    const libraries = join(dir, 'packages/libhwloc15/usr/lib/x86_64-linux-gnu');
    await mkdir(libraries, { recursive: true });
    const broker = await find();

    expect(chosen(broker)).toEqual([EMBEDDED, { driver: 'iggy', release: '0.8.0' }]);
    expect(broker.binaries).toEqual({ iggy: server, iggy_connectors: connectors, iggy_libraries: libraries });
    expect(broker.connectorLibraries).toEqual([]);
  });

  it('finds the libraries of connectors, and omits those with addresses where private ones are forbidden', async () => {
    await iggy();
    const connectors = await aProgram(CONNECTORS, 'iggy-connectors 0.4.0');
    const names = ['http_sink', 'random_source', 'postgres_source'].map((name) => `libiggy_connector_${name}.so`);
    for (const name of [...names, 'libother.so']) await writeFile(join(connectors, '..', name), '');

    expect((await find()).connectorLibraries).toEqual(['source:random']);
    expect((await find({ ALLOW_PRIVATE_DESTINATIONS: true })).connectorLibraries).toEqual([
      ...['sink:http', 'source:postgres', 'source:random'],
    ]);
  });

  it('selects a broker for each kind of deployment where all exist, and can run each of them', async () => {
    await Promise.all([nats(), iggy()]);

    expect((await find()).brokers).toEqual([
      { ...EMBEDDED, clusters: [] },
      { driver: 'nats', release: '2.9.10', clusters: ['cluster'] },
      { driver: 'iggy', release: '0.8.0', clusters: ['standalone'] },
    ]);
  });

  it.each(['nats', 'iggy', 'embedded'] as const)(
    'can be forced to %s for all deployments, and still names the programs for existing nodes',
    async (driver) => {
      const [natsServer, iggyServer] = await Promise.all([nats(), iggy()]);
      const broker = await find({ LOCAL_BROKER: driver });

      expect(chosen(broker).map((one) => one.driver)).toEqual([driver, driver]);
      expect(broker.binaries).toEqual({ nats: natsServer, iggy: iggyServer });
    },
  );

  it('tells the agents where unproven releases are allowed', async () => {
    await aProgram(IGGY, 'server 0.9.0-edge.5');
    const broker = await find({ IGGY_UNPROVEN_RELEASES: true });

    expect(broker.of('standalone')).toEqual({ driver: 'iggy', release: '0.9.0-edge.5' });
    expect(broker.binaries).toMatchObject({ iggy_unproven_releases: true });
  });
});

describeWithIggy('LocalBroker with the real iggy-server', () => {
  it('selects it with its own release', async () => {
    const broker = await LocalBroker.find({
      ...{ LOCAL_BROKER: 'iggy', IGGY_UNPROVEN_RELEASES: false, searchPath: '', LANDLORD_DATA_DIR: '.landlord' },
      ALLOW_PRIVATE_DESTINATIONS: false,
      IGGY_SERVER_BIN: IGGY_SERVER ?? '',
    });

    expect(broker.of('standalone')).toEqual({ driver: 'iggy', release: expect.stringMatching(/^0\.8\.\d+$/) });
    expect(broker.binaries).toMatchObject({
      iggy: IGGY_SERVER,
      ...(IGGY_LIBRARIES !== null && { iggy_libraries: IGGY_LIBRARIES }),
    });
  });
});
