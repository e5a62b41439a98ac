import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MachineDocument, MachineNode } from '@libs/domain/machine-protocol';
import { MachineDocumentStore } from './machine-document-store.js';

const NODE: MachineNode = {
  ...{ node_id: 5, deployment_id: 1, incarnation: 1, intent: 'present', broker: 'nats' },
  ...{ memory_mib: 512, cpus: 0.5, disk_gib: 1, ports: [4222], token: '' },
};
const AGENT = { sha256: 'a'.repeat(64), entry: 'agent.main.js' };

const document = (changes: Partial<MachineDocument> = {}): MachineDocument => ({
  ...{ machine_id: 3, generation: 4, programs: { agent: AGENT }, agent_attempt: 2, agent_trial_seconds: 60 },
  ...{ allow_private_destinations: false, nodes: [NODE] },
  ...changes,
});

describe('MachineDocumentStore', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'landlord-document-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  const loaded = async (): Promise<MachineDocument | null> => {
    const store = new MachineDocumentStore(dir, 3);
    await store.load();
    return store.document;
  };

  it('keeps an accepted document over a restart', async () => {
    expect(await new MachineDocumentStore(dir, 3).take(document())).toBeNull();
    expect(await loaded()).toEqual(document());
  });

  it('accepts a smaller generation: the database of the gateway was restored', async () => {
    const store = new MachineDocumentStore(dir, 3);
    await store.take(document());

    expect(await store.take(document({ generation: 2 }))).toBeNull();
    expect(store.document?.generation).toBe(2);
  });

  it.each<[string, unknown]>([
    ['malformed', null],
    ['malformed', {}],
    ['malformed', document({ generation: 1.5 })],
    ['malformed', document({ nodes: [null as unknown as MachineNode] })],
    ['malformed', document({ nodes: [{ ...NODE, node_id: '../5' as unknown as number }] })],
    ['malformed', document({ nodes: [{ ...NODE, ports: [70_000] }] })],
    ['malformed', document({ nodes: [{ ...NODE, intent: 'maybe' as 'absent' }] })],
    ['malformed', document({ programs: { agent: { ...AGENT, entry: '../agent.main.js' } } })],
    ['malformed', document({ programs: { agent: { ...AGENT, entry: '/bin/sh' } } })],
    ['malformed', document({ programs: { agent: { ...AGENT, sha256: '../../etc' } } })],
    ['malformed', document({ programs: { agent: AGENT, nats: { ...AGENT, entry: '/bin/sh' } } })],
    ['other_machine', document({ machine_id: 4 })],
    ['too_many_nodes', document({ nodes: Array.from({ length: 201 }, () => NODE) })],
  ])('refuses a document as %s, and keeps the held one: %j', async (refusal, offered) => {
    const store = new MachineDocumentStore(dir, 3);
    await store.take(document());

    expect(await store.take(offered as MachineDocument)).toBe(refusal);
    expect(store.document).toEqual(document());
    expect(await loaded()).toEqual(document());
  });

  it('ignores a file that it cannot read', async () => {
    await writeFile(join(dir, 'document.json'), '{"machine_id":');

    expect(await loaded()).toBeNull();
  });
});
