import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RESOURCE_KINDS, type ResourceKind, type ResourceTags } from '../../cloud-provider.js';
import type { ResourceSpecs } from '../../resource-specs.js';
import type { ServiceConsumer } from '../../resource-attributes.js';
import { RecordLocks } from './record-locks.js';

/** Directory of the records in the data directory. */
export const LOCAL_CLOUD = 'local-cloud';

/** The specification as stored on disk: without the node's token. */
export type RecordedSpec<K extends ResourceKind> = Omit<ResourceSpecs[K], 'token'>;

/** One resource of the local cloud. Its state is computed from the times, so it needs no timer and survives crashes. */
export interface ResourceRecord<K extends ResourceKind = ResourceKind> {
  kind: K;
  name: string;
  tags: ResourceTags;
  spec: RecordedSpec<K>;
  /** Milliseconds since the epoch. */
  created_at: number;
  deleting_at: number | null;
  /** Duration of its state changes, in milliseconds. Stored, so that every reader computes the same state. */
  settle_ms?: number;
  /** Peerings only: the range of Landlord's network at the time of the request. */
  network_cidr?: string;
  /** Peerings only: the last action of the other side, and its time. */
  answer?: { what: PeerAnswer; at: number };
  /** Endpoint services and service attachments only: the consumers. */
  consumers?: ServiceConsumer[];
}

export type PeerAnswer = 'accepted' | 'rejected' | 'expired';

/**
 * The records, one JSON file each, written atomically. Supervisors and an operator's commands write them concurrently. So every
 * change reads, decides and writes under a lock of its record. Reads need no lock.
 */
export class ResourceRecords {
  private readonly locks: RecordLocks;

  constructor(private readonly root: string) {
    this.locks = new RecordLocks(join(root, 'locks'));
  }

  /**
   * Replaces the record with the result of `decide`: another record, or null for none. The same object is not written. Returns
   * the remaining record. Changes nothing when `decide` throws.
   */
  change<K extends ResourceKind>(
    kind: K,
    name: string,
    decide: (held: ResourceRecord<K> | null) => ResourceRecord<K> | null | Promise<ResourceRecord<K> | null>,
  ): Promise<ResourceRecord<K> | null> {
    const path = this.path(kind, name);
    return this.locks.run(`${kind} ${name}`, async (lock) => {
      const held = await this.read(kind, name);
      const next = await decide(held);
      if (next !== held) await (next === null ? lock.remove(path) : lock.replace(path, JSON.stringify(next)));
      return next;
    });
  }

  find<K extends ResourceKind>(kind: K, name: string): Promise<ResourceRecord<K> | null> {
    return this.read(kind, name);
  }

  async list(): Promise<ResourceRecord[]> {
    const all = await Promise.all(RESOURCE_KINDS.map((kind) => this.listOf(kind)));
    return all.flat();
  }

  private async read<K extends ResourceKind>(kind: K, name: string): Promise<ResourceRecord<K> | null> {
    try {
      return JSON.parse(await readFile(this.path(kind, name), 'utf8')) as ResourceRecord<K>;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  private async listOf(kind: ResourceKind): Promise<ResourceRecord[]> {
    const files = await readdir(join(this.root, kind)).catch(() => []);
    const names = files.filter((file) => file.endsWith('.json')).map((file) => decodeURIComponent(file.slice(0, -5)));
    const records = await Promise.all(names.map((name) => this.find(kind, name)));
    return records.filter((record) => record !== null);
  }

  private path(kind: ResourceKind, name: string): string {
    return join(this.root, kind, `${encodeURIComponent(name)}.json`);
  }
}
