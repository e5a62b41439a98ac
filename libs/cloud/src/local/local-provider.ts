import { join } from 'node:path';
import { CLOUD_FEATURES } from '../cloud-features.js';
import { CloudError } from '../cloud-error.js';
import type {
  CloudProvider,
  InventoryPage,
  InventoryTags,
  Place,
  Resource,
  ResourceKind,
  ResourceRef,
  ResourceTags,
} from '../cloud-provider.js';
import { requireValidSpec } from '../require-valid-spec.js';
import type { NodeResourceSpec, ResourceSpecs } from '../resource-specs.js';
import type { AccountVerdict, CustomerAccount } from '../customer-account.js';
import { checkLocally } from '../account-check.js';
import { KeyedMutex } from '@libs/host/os';
import { broughtTo, newRecord } from './records/bring-record.js';
import { LOCAL_ATTRIBUTES, type LocalAddresses } from './local-attributes.js';
import { localId } from './local-ids.js';
import { LocalNodes, NotEnoughMemory, type EndedAgents } from '@libs/host/processes';
import { conditionOf, DEFAULT_SETTLE_MS, hasVanished, pollAfterMs, type Condition } from './local-states.js';
import { LOCAL_CLOUD, ResourceRecords, type RecordedSpec, type ResourceRecord } from './records/resource-records.js';

export interface LocalProviderOptions extends LocalAddresses {
  /** Absolute path of the data directory: records in `local-cloud/`, nodes in `nodes/`. */
  dataDir: string;
  installation: string;
  /** Absolute path of the compiled agent, started by path and never imported. */
  agentEntry: string;
  /** Base address of the gateway for the agents. */
  agentUrl: string;
  /** The programs of brokers on this machine, for the agents as they are. Default: none. */
  binaries?: object;
  /** Whether connectors of the nodes may send to private addresses. Default: no. */
  allowPrivateDestinations?: boolean;
  /** The agents' whole environment. Default: empty. */
  env?: Record<string, string>;
  /** Time until network resources become active or vanish, in milliseconds. */
  settleMs?: number;
}

/**
 * A cloud on this machine, with the states and the idempotence of a real one. Network resources are records whose state follows
 * a clock. Nodes are processes. Several processes may use the same data directory at once.
 */
export class LocalProvider implements CloudProvider {
  readonly driver = 'local';
  readonly features = CLOUD_FEATURES.local;
  readonly addresses = 'this_machine';
  readonly hasSnapshots = false;
  readonly hasOneInventory = true;
  private readonly nodes: LocalNodes;
  private readonly locks = new KeyedMutex();
  private readonly settleMs: number;

  constructor(
    private readonly options: LocalProviderOptions,
    private readonly records = new ResourceRecords(join(options.dataDir, LOCAL_CLOUD)),
  ) {
    const { env = {}, binaries = {}, allowPrivateDestinations = false } = options;
    const root = join(options.dataDir, 'nodes');
    this.nodes = new LocalNodes({ ...options, root, env, binaries, allowPrivateDestinations });
    this.settleMs = options.settleMs ?? DEFAULT_SETTLE_MS;
  }

  ensure<K extends ResourceKind>(
    kind: K,
    { name }: ResourceRef,
    spec: ResourceSpecs[K],
    tags: ResourceTags,
    signal?: AbortSignal,
  ): Promise<Resource<K>> {
    return this.guarded(`${kind} ${name}`, signal, async () => {
      if (kind === 'snapshot' || kind === 'restored_volume')
        throw new CloudError({ code: 'invalid' }, 'the disk of this machine has no snapshots');
      requireValidSpec(kind, spec);
      // Writes the record first, so that the inventory contains the resource after a crash in the next line.
      const record = await this.bringRecord(kind, name, withoutToken(spec), tags);
      if (kind === 'node' && record.deleting_at === null) await this.ensureNode(name, spec as NodeResourceSpec, signal);
      return this.view(record);
    });
  }

  async describe<K extends ResourceKind>(
    kind: K,
    refs: readonly ResourceRef[],
    signal?: AbortSignal,
  ): Promise<Map<string, Resource<K>>> {
    signal?.throwIfAborted();
    const found = await Promise.all(refs.map(({ name }) => this.find(kind, name, signal)));
    return new Map(found.filter((resource) => resource !== null).map((resource) => [resource.name, resource]));
  }

  destroy(kind: ResourceKind, { name }: ResourceRef, signal?: AbortSignal): Promise<void> {
    return this.guarded(`${kind} ${name}`, signal, async () => {
      const record = await this.records.change(kind, name, (current) =>
        current === null || current.deleting_at !== null ? current : { ...current, deleting_at: Date.now() },
      );
      if (record?.kind !== 'node') return;
      await this.nodes.destroy(record.spec as RecordedSpec<'node'>, signal);
      // Removes only a record in deletion. Another process may have finished, and a new resource may have the same name.
      await this.records.change(kind, name, (current) => (current?.deleting_at ? null : current));
    });
  }

  /** One page has everything, and every place is this machine. */
  async inventory(
    _at: Place,
    { installation, deployment_id }: InventoryTags,
    _cursor: string | null,
    signal?: AbortSignal,
  ): Promise<InventoryPage> {
    signal?.throwIfAborted();
    const records = (await this.withCloudErrors(this.records.list(), signal)).filter(
      ({ tags }) =>
        tags.installation === installation && (deployment_id === undefined || tags.deployment_id === deployment_id),
    );
    const found = await Promise.all(records.map(({ kind, name }) => this.find(kind, name, signal)));
    return { resources: found.filter((resource) => resource !== null), next: null };
  }

  async validateAccount(account: CustomerAccount, signal?: AbortSignal): Promise<AccountVerdict> {
    signal?.throwIfAborted();
    return this.withCloudErrors(checkLocally(account, this.options.dataDir), signal);
  }

  endedAgents(): Promise<EndedAgents> {
    return this.nodes.endedAgents();
  }

  /** The resource as it is now. Null: it does not exist. */
  private async find<K extends ResourceKind>(
    kind: K,
    name: string,
    signal: AbortSignal | undefined,
  ): Promise<Resource<K> | null> {
    const found = await this.withCloudErrors(this.records.find(kind, name), signal);
    const record =
      found !== null && this.isGone(found) ? await this.withCloudErrors(this.sweep(kind, name), signal) : found;
    return record === null ? null : this.view(record);
  }

  private async bringRecord<K extends ResourceKind>(
    kind: K,
    name: string,
    spec: RecordedSpec<K>,
    tags: ResourceTags,
  ): Promise<ResourceRecord<K>> {
    const request = { kind, name, spec, tags, settle_ms: this.settleMs };
    const bring = async (current: ResourceRecord<K> | null): Promise<ResourceRecord<K>> =>
      current === null ? newRecord(request, this.records) : broughtTo(current, request);
    return (await this.records.change(kind, name, bring)) as ResourceRecord<K>;
  }

  /** Removes the record when its deletion has ended. Returns the remaining record. */
  private sweep<K extends ResourceKind>(kind: K, name: string): Promise<ResourceRecord<K> | null> {
    return this.records.change(kind, name, (current) => (current !== null && this.isGone(current) ? null : current));
  }

  /** Runs one call per resource at a time in this process, and turns every failure into a CloudError. */
  private async guarded<T>(key: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    const run = this.locks.run(key, async () => {
      signal?.throwIfAborted();
      return work();
    });
    return this.withCloudErrors(run, signal);
  }

  private withCloudErrors<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    return work.catch((error: unknown) => {
      throw toCloudError(error, signal);
    });
  }

  /** Another process may have started the node's deletion in the meantime. Then the new processes must not stay. */
  private async ensureNode(name: string, spec: NodeResourceSpec, signal?: AbortSignal): Promise<void> {
    await this.nodes.ensure(spec, signal).catch((error: unknown) => {
      if (!(error instanceof NotEnoughMemory)) throw error;
      throw new CloudError({ code: 'capacity', what: 'memory', zone: spec.zone }, error.message, { cause: error });
    });
    const record = await this.records.find('node', name);
    if (record === null || record.deleting_at !== null) await this.nodes.destroy(spec, signal);
  }

  private async view<K extends ResourceKind>(record: ResourceRecord<K>): Promise<Resource<K>> {
    const { kind, name, tags } = record;
    const condition = await this.condition(record);
    const now = Date.now();
    return {
      ...{ kind, name, tags, id: localId(kind, name) },
      ...condition,
      poll_after_ms: pollAfterMs(record, condition, now),
      attributes: LOCAL_ATTRIBUTES[kind](record, this.options, now),
    };
  }

  private async condition(record: ResourceRecord): Promise<Condition> {
    if (record.kind !== 'node' || record.deleting_at !== null) return conditionOf(record, Date.now());
    const nodeId = (record.spec as RecordedSpec<'node'>).node_id;
    if (!(await this.nodes.exists(nodeId)))
      return { state: 'failed', reason: 'the directory of the node no longer exists' };
    const answers = await this.nodes.answers(nodeId);
    return answers ? { state: 'active' } : { state: 'pending', reason: 'the agent of the node does not respond' };
  }

  /** A node vanishes when its deletion has ended. All other resources vanish by the clock. */
  private isGone(record: ResourceRecord): boolean {
    return record.kind !== 'node' && hasVanished(record, Date.now());
  }
}

function withoutToken<K extends ResourceKind>(spec: ResourceSpecs[K]): RecordedSpec<K> {
  const entries = Object.entries(spec).filter(([key]) => key !== 'token');
  return Object.fromEntries(entries) as RecordedSpec<K>;
}

/** Failures of the disk or the operating system become failures of the provider. An abort stays an abort. */
function toCloudError(error: unknown, signal: AbortSignal | undefined): Error {
  if (error instanceof CloudError || (signal?.aborted && error === signal.reason)) return error as Error;
  const reason = error instanceof Error ? error.message : String(error);
  return new CloudError({ code: 'unavailable' }, `the local cloud failed: ${reason}`, { cause: error });
}
