import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JsonLog } from '../../../os/json-log.js';
import type { ConnectorsProgram } from '../../../connectors/connectors.runtime.js';
import type { AgentPart, BrokerDriver, NodeConnector } from '@libs/domain';
import { eventually } from '@libs/testing';
import { create } from 'tar';
import { ArtifactServer } from '../../../../test/node/artifact-server.fixture.js';
import { aConnector, SINK, SOURCE } from '../../../../test/node/connectors.fixture.js';
import { AgentError } from '../../agent-error.js';
import type { ArtifactClient } from '../../artifacts/artifact-client.js';
import { ConnectorPrograms } from './connector-programs.js';
import { neededParts } from './connector-parts.js';

const [FIRST, SECOND] = ['a'.repeat(64), 'b'.repeat(64)];
const FILES: Record<string, string> = {
  'connectors-store': 'classic-level.node',
  'connector-stdout-sink': 'plugins/stdout-sink.js',
  'connector-random-source': 'plugins/random-source.js',
};
const namesOf = (driver: BrokerDriver, ...instances: NodeConnector[]): string[] =>
  neededParts(driver, { want: 'running', restart: 0, instances }).map(({ name }) => name);

describe('The parts that connectors need', () => {
  it('are the store, and the plugin of each enabled connector once', () => {
    const off = aConnector({ instance_id: 3, plugin: 's3' }, {}, false);

    expect(namesOf('embedded')).toEqual(['connectors-store']);
    expect(namesOf('nats', SINK, { ...SINK, instance_id: 4 }, SOURCE, off)).toEqual([
      ...['connectors-store', 'connector-stdout-sink', 'connector-random-source'],
    ]);
  });

  it('do not contain what the runtime of iggy loads itself', () => {
    const ofRuntime = aConnector({ instance_id: 3, plugin: 'stdout', plugin_version: '0.4.0' }, {});
    const landlord = aConnector({ instance_id: 4, plugin: 'http' }, {});

    expect(namesOf('iggy', ofRuntime)).toEqual(['connectors-store']);
    expect(namesOf('iggy', ofRuntime, landlord)).toContain('connector-http-sink');
  });
});

describe('The program of the connectors', () => {
  let server: ArtifactServer;
  let place: string;
  let listed: AgentPart[];
  let listings: number;
  const end = { current: new AbortController() };
  beforeEach(async () => {
    server = await ArtifactServer.start();
    place = await mkdtemp(join(tmpdir(), 'landlord-parts-'));
    [listed, listings, end.current] = [[], 0, new AbortController()];
  });
  afterEach(async () => {
    end.current.abort();
    await server.stop();
    await rm(place, { recursive: true, force: true, maxRetries: 10 });
  });

  /** Offers a part. `sent`: what the gateway sends in its place. */
  async function offer(name: string, sent = (whole: Buffer): Buffer => whole): Promise<AgentPart> {
    const cwd = await mkdtemp(join(place, 'source-'));
    const file = FILES[name] ?? '';
    await mkdir(join(cwd, file, '..'), { recursive: true });
    await writeFile(join(cwd, file), name);
    create({ cwd, file: join(cwd, 'packed'), sync: true, gzip: true, portable: true }, [file]);
    const content = await readFile(join(cwd, 'packed'));
    const { sha256, bytes = 0 } = server.add(content, sent(content));
    const part = { name, sha256, bytes };
    listed.push(part);
    return part;
  }

  /** The program of an agent with this artifact. Its files do not change between two agents. */
  async function open(
    agent = FIRST,
    artifacts: Pick<ArtifactClient, 'read'> = server.client,
  ): Promise<ConnectorPrograms> {
    const agentFolder = join(place, 'agent');
    await mkdir(agentFolder, { recursive: true });
    await writeFile(join(agentFolder, 'connectors.main.js'), 'main');
    const list = async (): Promise<AgentPart[]> => {
      listings += 1;
      return [...listed];
    };
    const client = { parts: list, artifacts: () => artifacts as ArtifactClient };
    const log = new JsonLog({ process: 'test' });
    const more = { dir: place, agent, agentFolder, authorization: () => '', log, onChange: () => undefined };
    const programs = new ConnectorPrograms({ client, ...more });
    void programs.run(end.current.signal);
    return programs;
  }

  const choose = (programs: ConnectorPrograms, ...instances: NodeConnector[]) =>
    programs.choose({ broker: { driver: 'nats' } as never }, { want: 'running', restart: 0, instances });
  const whole = (programs: ConnectorPrograms, ...instances: NodeConnector[]): Promise<ConnectorsProgram> =>
    eventually('all plugins are here', async () => {
      const program = await choose(programs, ...instances);
      return program?.absent.length === 0 ? program : null;
    });
  const failure = (programs: ConnectorPrograms, id: number, ...instances: NodeConnector[]): Promise<string> =>
    eventually('the plugin has failed', async () => {
      await choose(programs, ...instances);
      return programs.absent.get(id) ?? null;
    });
  const folder = (agent = FIRST): string => join(place, 'connectors-program', agent);

  it('contains the files of the agent, and only the plugins of the connectors', async () => {
    for (const name of Object.keys(FILES)) await offer(name);
    const programs = await open();

    expect(await whole(programs, SINK)).toEqual({ entry: join(folder(), 'connectors.main.js'), absent: [] });
    expect(programs.absent.size).toBe(0);
    const names = (): string => readdirSync(folder()).sort().join(' ');
    await eventually('only whole files', () => names() === 'classic-level.node connectors.main.js plugins');
    expect(readdirSync(join(folder(), 'plugins'))).toEqual(['stdout-sink.js']);
    expect(server.asked).toHaveLength(2);
  });

  it('is not fetched without connectors, and once for each part', async () => {
    for (const name of Object.keys(FILES)) await offer(name);
    const programs = await open();
    programs.rest();
    await whole(programs, SINK);
    await whole(programs, SINK, SOURCE);
    await whole(await open(), SINK, SOURCE);

    expect(server.asked).toHaveLength(3);
    expect(listings).toBe(2);
  });

  it('starts without a plugin that the installation does not have, and gets it later', async () => {
    await offer('connectors-store');
    const programs = await open();

    expect(await failure(programs, 2, SINK)).toBe(
      'the installation has no artifact connector-stdout-sink for the agent of this node; the operator runs "npm run artifacts"',
    );
    expect(await choose(programs, SINK)).toEqual({ entry: join(folder(), 'connectors.main.js'), absent: [2] });
    await offer('connector-stdout-sink');
    await whole(programs, SINK);
  });

  it.each([
    ['another content', (whole: Buffer) => Buffer.alloc(whole.length), 'the artifact of the sink stdout is damaged: '],
    [
      'a longer content',
      (whole: Buffer) => Buffer.concat([whole, whole]),
      'the artifact of the sink stdout is damaged: ',
    ],
    ['an early end', () => Buffer.alloc(0), 'the node cannot get the sink stdout: the gateway ended an artifact early'],
  ])('refuses a plugin with %s, keeps nothing of it, and runs the others', async (_, sent, reason) => {
    await offer('connectors-store');
    await offer('connector-random-source');
    const { sha256 } = await offer('connector-stdout-sink', sent);
    const programs = await open();

    expect(await failure(programs, 2, SINK, SOURCE)).toContain(reason);
    const program = await eventually('the other one is here', async () => {
      const chosen = await choose(programs, SINK, SOURCE);
      return chosen?.absent.length === 1 ? chosen : null;
    });
    expect(program.absent).toEqual([2]);
    expect(existsSync(join(folder(), 'plugins/stdout-sink.js'))).toBe(false);
    const archives = readdirSync(join(place, 'connectors-program/archives'));
    expect(archives.filter((name) => name.startsWith(sha256))).toEqual([]);
  });

  it('cannot start without the store, and says why', async () => {
    await offer('connector-stdout-sink');
    const programs = await open();

    expect(await failure(programs, 2, SINK)).toContain('no artifact connectors-store');
    expect(programs.reason).toContain('no artifact connectors-store');
    expect(await choose(programs, SINK)).toBeNull();
  });

  it('says that the disk is full', async () => {
    await offer('connectors-store');
    await offer('connector-stdout-sink');
    server.refusal = 507;
    const programs = await open();
    expect(await failure(programs, 2, SINK)).toContain('the gateway returned 507');
    const full = Object.assign(new AgentError('no space'), { code: 'ENOSPC' });
    const later = await open(SECOND, { read: () => Promise.reject(full) });

    expect(await failure(later, 2, SINK)).toBe(
      'the disk of the node is full: the store of the connectors has no space',
    );
  });

  it('stays the one of the earlier agent until the new agent has as many plugins', async () => {
    await offer('connectors-store');
    const sink = await offer('connector-stdout-sink');
    const first = await whole(await open(), SINK);
    listed = listed.filter((part) => part !== sink);
    const programs = await open(SECOND);

    await eventually('the new agent has asked', async () => {
      expect(await choose(programs, SINK)).toEqual(first);
      return listings === 2;
    });
    await programs.keepOnly(first);
    expect(existsSync(folder())).toBe(true);
    listed.push(sink);
    const next = await eventually('the program of the new agent', async () => {
      const chosen = await choose(programs, SINK);
      return chosen?.entry.startsWith(folder(SECOND)) ? chosen : null;
    });
    expect(next.absent).toEqual([]);
    await programs.keepOnly(next);

    expect(existsSync(folder())).toBe(false);
    // The parts are the same for both agents.
    expect(server.asked).toHaveLength(2);
  });
});
