import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PlayedNode } from '@libs/testing';
import { GatewayUnderTest } from '../../../test/gateway.fixture.js';

const [AGENT, EARLIER, OTHER] = ['a', 'b', 'c'].map((digit) => digit.repeat(64)) as [string, string, string];
const SINK = { name: 'connector-http-sink', sha256: '1'.repeat(64), bytes: 10, arch: 'any', over: AGENT };
const STORE = { name: 'connectors-store', sha256: '2'.repeat(64), bytes: 20, arch: 'x64', over: AGENT };
const ARTIFACTS = [
  ...[AGENT, EARLIER].map((sha256) => ({ name: 'agent', sha256, bytes: 5, arch: 'any', over: null })),
  SINK,
  STORE,
  { ...STORE, sha256: '3'.repeat(64), arch: 'arm64' },
  { ...SINK, sha256: '4'.repeat(64), over: EARLIER, superseded: true },
];
const partOf = ({ name, sha256, bytes }: typeof SINK) => ({ name, sha256, bytes });

describe('The parts of an agent', () => {
  let gateway: GatewayUnderTest;
  let node: PlayedNode;
  beforeEach(async () => {
    gateway = await GatewayUnderTest.open();
    await mkdir(join(gateway.directory, 'artifacts'));
    await writeFile(join(gateway.directory, 'artifacts/manifest.json'), JSON.stringify({ artifacts: ARTIFACTS }));
    node = await gateway.node(await gateway.deployment());
  });
  afterEach(() => gateway.close());

  const get = (query: string): Promise<Response> => node.send({ method: 'GET', path: `/agent/v1/parts?${query}` });
  const partsFor = async (agent: string, processor: string): Promise<unknown> =>
    ((await (await get(`agent=${agent}&processor=${processor}`)).json()) as { parts: unknown }).parts;

  it('are the artifacts of the manifest that lie over this agent, for the processor', async () => {
    expect(await partsFor(AGENT, 'x64')).toEqual([partOf(SINK), partOf(STORE)]);
    expect(await partsFor(AGENT, 'arm64')).toEqual([partOf(SINK), { ...partOf(STORE), sha256: '3'.repeat(64) }]);
  });

  it('are those of the earlier agent for a node that still runs it, and none for an unknown agent', async () => {
    expect(await partsFor(EARLIER, 'x64')).toEqual([{ ...partOf(SINK), sha256: '4'.repeat(64) }]);
    expect(await partsFor(OTHER, 'x64')).toEqual([]);
  });

  it('need a credential and a whole query', async () => {
    const stranger = await fetch(`${gateway.url}/agent/v1/parts?agent=${AGENT}&processor=x64`);

    expect(stranger.status).toBe(401);
    for (const query of ['', `agent=${AGENT}`, `agent=../x&processor=x64`, `agent=${AGENT}&processor=mips`])
      expect({ [query]: (await get(query)).status }).toEqual({ [query]: 400 });
  });
});
