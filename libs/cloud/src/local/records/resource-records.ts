import { RESOURCE_KINDS, type ResourceKind, type ResourceTags } from '../../cloud-provider.js';
import type { ResourceSpecs } from '../../resource-specs.js';
import type { ServiceConsumer } from '../../resource-attributes.js';
import { RecordFiles } from './record-files.js';

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

/** The records of the resources, each in the directory of its kind. */
export class ResourceRecords {
  private readonly files: RecordFiles;

  constructor(root: string) {
    this.files = new RecordFiles(root);
  }

  /**
   * Replaces the record with the result of `decide`: another record, or null for none. The same object is not written. Returns
   * the remaining record. Changes nothing when `decide` throws.
   */
  change<K extends ResourceKind>(
    kind: K,
    name: string,
    decide: (record: ResourceRecord<K> | null) => ResourceRecord<K> | null | Promise<ResourceRecord<K> | null>,
  ): Promise<ResourceRecord<K> | null> {
    return this.files.change<ResourceRecord<K>>(kind, name, decide);
  }

  find<K extends ResourceKind>(kind: K, name: string): Promise<ResourceRecord<K> | null> {
    return this.files.find<ResourceRecord<K>>(kind, name);
  }

  async list(): Promise<ResourceRecord[]> {
    const all = await Promise.all(RESOURCE_KINDS.map((kind) => this.listOf(kind)));
    return all.flat();
  }

  private async listOf(kind: ResourceKind): Promise<ResourceRecord[]> {
    const names = await this.files.names(kind);
    const records = await Promise.all(names.map((name) => this.find(kind, name)));
    return records.filter((record) => record !== null);
  }
}
