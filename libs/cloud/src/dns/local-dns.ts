import { join } from 'node:path';
import { CloudError } from '../cloud-error.js';
import type { ResourceTags } from '../cloud-provider.js';
import { DEFAULT_SETTLE_MS } from '../local/local-states.js';
import { RecordFiles } from '../local/records/record-files.js';
import { LOCAL_CLOUD } from '../local/records/resource-records.js';
import type { DnsProvider, PublishedName } from './dns-provider.js';
import { targetsOf, type NameTarget } from './name-target.js';

/** The directory in which earlier releases also stored names: their names stay. */
const DIRECTORY = 'dns_record';
const SETTLED_LOOK_MS = 60_000;

interface NameRecord {
  kind: typeof DIRECTORY;
  name: string;
  tags: ResourceTags;
  /** Several targets have a space between them. */
  spec: { fqdn: string; target: string };
  /** Milliseconds since the epoch. */
  created_at: number;
  deleting_at: number | null;
  settle_ms?: number;
}

/**
 * Names as records of this machine, with the states of a real zone. Nobody resolves them. Several processes may use the same
 * data directory at once.
 */
export class LocalDns implements DnsProvider {
  readonly driver = 'local';
  private readonly files: RecordFiles;

  /**
   * @param dataDir Absolute path of the data directory.
   * @param settleMs Time until a name is active or has vanished, in milliseconds.
   */
  constructor(
    dataDir: string,
    private readonly settleMs = DEFAULT_SETTLE_MS,
  ) {
    this.files = new RecordFiles(join(dataDir, LOCAL_CLOUD));
  }

  async ensure(fqdn: string, asked: NameTarget, owner: ResourceTags, signal?: AbortSignal): Promise<PublishedName> {
    const target = targetsOf(fqdn, asked).join(' ');
    const record = await this.change(fqdn, signal, (current) => {
      if (current === null) return this.created(fqdn, target, owner);
      const isSame = current.deleting_at !== null || current.spec.target === target;
      return isSame ? current : { ...current, spec: { fqdn, target } };
    });
    return viewOf(record as NameRecord);
  }

  async describe(fqdns: readonly string[], signal?: AbortSignal): Promise<Map<string, PublishedName>> {
    const records = await Promise.all(fqdns.map((fqdn) => this.find(fqdn, signal)));
    return new Map(records.filter((record) => record !== null).map((record) => [record.name, viewOf(record)]));
  }

  async destroy(fqdn: string, signal?: AbortSignal): Promise<void> {
    await this.change(fqdn, signal, (current) =>
      current === null || current.deleting_at !== null ? current : { ...current, deleting_at: Date.now() },
    );
  }

  private created(fqdn: string, target: string, tags: ResourceTags): NameRecord {
    const times = { created_at: Date.now(), deleting_at: null, settle_ms: this.settleMs };
    return { kind: DIRECTORY, name: fqdn, tags, spec: { fqdn, target }, ...times };
  }

  private async find(fqdn: string, signal: AbortSignal | undefined): Promise<NameRecord | null> {
    signal?.throwIfAborted();
    const record = await this.files.find<NameRecord>(DIRECTORY, fqdn);
    if (record === null || !hasVanished(record)) return record;
    return this.change(fqdn, signal, (current) => (current !== null && hasVanished(current) ? null : current));
  }

  /** Failures of the disk become failures of the provider. */
  private async change(
    fqdn: string,
    signal: AbortSignal | undefined,
    decide: (current: NameRecord | null) => NameRecord | null,
  ): Promise<NameRecord | null> {
    signal?.throwIfAborted();
    try {
      return await this.files.change<NameRecord>(DIRECTORY, fqdn, decide);
    } catch (error) {
      if (error instanceof CloudError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new CloudError({ code: 'unavailable' }, `the local names failed: ${reason}`, { cause: error });
    }
  }
}

const leftMs = ({ created_at, deleting_at, settle_ms = DEFAULT_SETTLE_MS }: NameRecord): number =>
  (deleting_at ?? created_at) + settle_ms - Date.now();

const hasVanished = (record: NameRecord): boolean => record.deleting_at !== null && leftMs(record) <= 0;

function viewOf(record: NameRecord): PublishedName {
  const msLeft = leftMs(record);
  if (record.deleting_at !== null) return { fqdn: record.name, state: 'deleting', poll_after_ms: Math.max(1, msLeft) };
  if (msLeft > 0) return { fqdn: record.name, state: 'pending', poll_after_ms: msLeft };
  return { fqdn: record.name, state: 'active', poll_after_ms: SETTLED_LOOK_MS };
}
