import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { CloudError } from '../src/cloud-error.js';
import type { ResourceKind } from '../src/cloud-provider.js';
import { TAGS, type CloudSetup } from './provider.contract.fixture.js';
import { LocalProvider } from '../src/local/local-provider.js';
import { endNodeProcesses } from '@libs/host/processes';
import { LOCAL_CLOUD, ResourceRecords, type ResourceRecord } from '../src/local/records/resource-records.js';

const AGENT_ENTRY = resolve('dist/libs/host/src/node/agent.main.js');

/** Faults between the drivers and their account, and the resources that were created there. */
interface Account {
  root: string;
  throttled: number;
  isReplyLost: boolean;
  isHalfway: boolean;
  /** While true, resources outside `seen` are hidden. */
  isHiding: boolean;
  seen: Set<string>;
  made: Map<string, number>;
}

const keyOf = (kind: ResourceKind, name: string): string => `${kind} ${name}`;

/** Records behind a faulty connection. The driver is the real one and does not know about the faults. */
class FaultyRecords extends ResourceRecords {
  constructor(private readonly account: Account) {
    super(account.root);
  }

  override async change<K extends ResourceKind>(
    kind: K,
    name: string,
    decide: (held: ResourceRecord<K> | null) => ResourceRecord<K> | null | Promise<ResourceRecord<K> | null>,
  ): Promise<ResourceRecord<K> | null> {
    this.passThrottle();
    if (this.account.isHalfway) await this.stopHalfway(kind, name);
    const changed = await super.change(kind, name, async (held) => {
      const next = await decide(held);
      if (held === null && next !== null) this.noteMade(keyOf(kind, name));
      return next;
    });
    if (!this.account.isReplyLost) return changed;
    this.account.isReplyLost = false;
    throw new CloudError({ code: 'unavailable' }, 'the reply was lost');
  }

  override async find<K extends ResourceKind>(kind: K, name: string): Promise<ResourceRecord<K> | null> {
    this.passThrottle();
    return this.isShown(kind, name) ? super.find(kind, name) : null;
  }

  override async list(): Promise<ResourceRecord[]> {
    this.passThrottle();
    return (await super.list()).filter(({ kind, name }) => this.isShown(kind, name));
  }

  private isShown(kind: ResourceKind, name: string): boolean {
    return !this.account.isHiding || this.account.seen.has(keyOf(kind, name));
  }

  private noteMade(key: string): void {
    const { made, seen, isHiding } = this.account;
    made.set(key, (made.get(key) ?? 0) + 1);
    if (!isHiding) seen.add(key);
  }

  private passThrottle(): void {
    if (this.account.throttled === 0) return;
    this.account.throttled -= 1;
    throw new CloudError({ code: 'throttled', retry_after_ms: 100 }, 'request limit exceeded');
  }

  /** The state after a crash: a partial temporary file, which was never renamed. */
  private async stopHalfway(kind: ResourceKind, name: string): Promise<void> {
    this.account.isHalfway = false;
    const directory = join(this.account.root, kind);
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, `${encodeURIComponent(name)}.json.${randomUUID()}.tmp`), `{"kind":"${kind}","na`);
    throw new CloudError({ code: 'unavailable' }, 'the line was cut');
  }
}

/** The local cloud as the setup for the contract tests. */
export async function localSetup(settleMs = 40): Promise<CloudSetup> {
  const dataDir = await mkdtemp(join(tmpdir(), 'landlord-ground-'));
  const account: Account = {
    ...{ root: join(dataDir, LOCAL_CLOUD), throttled: 0, isReplyLost: false, isHalfway: false, isHiding: false },
    ...{ seen: new Set(), made: new Map() },
  };
  const options = {
    ...{ dataDir, installation: TAGS.installation, bindAddress: '127.0.0.1', publicAddress: '127.0.0.1', settleMs },
    // The agent of a node runs without a gateway: its registration waits.
    ...{ agentEntry: AGENT_ENTRY, agentUrl: 'http://127.0.0.1:1' },
  };
  if (!existsSync(AGENT_ENTRY)) throw new Error(`${AGENT_ENTRY} is missing: run "npm run build" first`);
  return {
    driver: () => new LocalProvider(options, new FaultyRecords(account)),
    count: async (kind, name) => {
      const left = await new ResourceRecords(account.root).find(kind, name);
      return { made: account.made.get(keyOf(kind, name)) ?? 0, left: left === null ? 0 : 1 };
    },
    loseNextReply: () => (account.isReplyLost = true),
    throttle: (calls) => (account.throttled = calls),
    failHalfway: () => (account.isHalfway = true),
    hideNew: (isHidden) => (account.isHiding = isHidden),
    stop: async () => {
      await endNodeProcesses({ installation: TAGS.installation, nodeId: 1 });
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
