import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  RESOURCE_KINDS,
  type ResourceKind,
  type ResourceSpecs,
  type ResourceTags,
  type ServiceConsumer,
} from '../../cloud-provider.js';
import { RecordLocks } from './record-locks.js';

/** Directory of the records, in the data directory. */
export const LOCAL_CLOUD = 'local-cloud';

/** The specification as it may lie on disk: without the node's token. */
export type RecordedSpec<K extends ResourceKind> = Omit<ResourceSpecs[K], 'token'>;

/** One resource of the local cloud. Its state is computed from the times, so no timer is needed and no crash loses it. */
export interface ResourceRecord<K extends ResourceKind = ResourceKind> {
  kind: K;
  name: string;
  tags: ResourceTags;
  spec: RecordedSpec<K>;
  /** Milliseconds since the epoch. */
  created_at: number;
  deleting_at: number | null;
  /** Time that this one takes to move, in milliseconds: whoever reads the record tells the same state. */
  settle_ms?: number;
  /** Of peerings: the range of our network when it was asked for. */
  network_cidr?: string;
  /** Of peerings: what the other side did last, and when. */
  answer?: { what: PeerAnswer; at: number };
  /** Of endpoint services and service attachments: who connects. */
  consumers?: ServiceConsumer[];
}

export type PeerAnswer = 'accepted' | 'rejected' | 'expired';

/**
 * The records, one JSON file each, written wholly or not at all. They are written by Supervisors and by an operator who
 * plays the other side, at once; what one of them read, another may have changed before it writes. So every change reads,
 * decides and writes under a lock of its record. Reading needs none.
 */
export class ResourceRecords {
  private readonly locks: RecordLocks;

  constructor(private readonly root: string) {
    this.locks = new RecordLocks(join(root, 'locks'));
  }

  /**
   * Replaces the record by what `decide` makes of it: another, or null for none. The same object, untouched, is not written.
   * Answers what is there afterwards; nothing changes when `decide` throws.
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
