import { CloudError } from '../cloud-error.js';
import {
  RESOURCE_KINDS,
  type InventoryPage,
  type InventoryTags,
  type Place,
  type Resource,
  type ResourceKind,
  type ResourceRef,
  type ResourceTags,
} from '../cloud-provider.js';
import { requireValidSpec } from '../require-valid-spec.js';
import type { ResourceSpecs } from '../resource-specs.js';
import { LAST_SEEN, type DriverKind, type Observed } from './driver-kind.js';
import type { DriverMemory, MemoryKey, Remembered } from './driver-memory.js';
import { isUncertain, type DriverWork } from './driver-work.js';

const ACTIVE_POLL_AFTER_MS = 15_000;

export type DriverKinds<C, W> = { [K in ResourceKind]?: DriverKind<K, C, W> };

/**
 * The calls of the port for a cloud with a kind for each kind of resource, and a memory. See cloud-provider.ts for the promises, and
 * driver-memory.ts for how a resource exists only once. `C`: the access to a place. `W`: one call for one resource.
 */
export abstract class RememberingDriver<C, W extends DriverWork<C>> {
  protected abstract readonly kinds: DriverKinds<C, W>;

  /** @param cloudName for messages */
  protected constructor(
    private readonly cloudName: string,
    protected readonly installation: string,
    protected readonly memory: DriverMemory,
  ) {}

  protected abstract access(at: Place): Promise<C>;

  /** Begins a call for a resource that the caller holds. */
  protected abstract begin(key: MemoryKey, at: Place, signal: AbortSignal | undefined): Promise<W>;

  async ensure<K extends ResourceKind>(
    kind: K,
    { name, at }: ResourceRef,
    spec: ResourceSpecs[K],
    tags: ResourceTags,
    signal?: AbortSignal,
  ): Promise<Resource<K>> {
    signal?.throwIfAborted();
    const driverKind = this.kind(kind);
    requireValidSpec(kind, spec);
    const key = { kind, name };
    await this.exclusively(key, at, tags, signal, async (work) => {
      if (!work.isDeleting) await driverKind.build(work, spec);
    });
    const memories = await this.memory.read(kind, [name]);
    const observed = (await driverKind.look(await this.access(at), memories)).get(name);
    return observed ? this.resource(kind, observed) : this.notVisibleYet(key, tags, memories.get(name));
  }

  async describe<K extends ResourceKind>(
    kind: K,
    refs: readonly ResourceRef[],
    signal?: AbortSignal,
  ): Promise<Map<string, Resource<K>>> {
    signal?.throwIfAborted();
    const resources = new Map<string, Resource<K>>();
    const driverKind = this.kind(kind);
    for (const { at, names } of byPlace(refs)) {
      const memories = await this.memory.read(kind, names);
      const observed = await driverKind.look(await this.access(at), memories);
      for (const [name, one] of observed) {
        await this.keep({ kind, name }, one, memories.get(name));
        const removal = driverKind.leftBehind?.(one, memories.get(name));
        if (removal) await this.exclusively({ kind, name }, at, null, signal, removal);
        resources.set(name, this.resource(kind, one));
      }
      for (const [name, one] of memories) {
        if (!one.isDeleting || observed.has(name)) continue;
        // A creation whose answer was lost can still appear. Until then its deletion is not complete.
        if (one.tags && isUncertain(one)) resources.set(name, this.notVisibleYet({ kind, name }, one.tags, one));
        else if (driverKind.forgetsEnded) await this.destroy(kind, { name, at }, signal);
      }
    }
    return resources;
  }

  async destroy(kind: ResourceKind, { name, at }: ResourceRef, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const driverKind = this.kind(kind);
    await this.exclusively({ kind, name }, at, null, signal, async (work) => {
      if ((await driverKind.remove(work, this.installation)) && !work.isUncertain) await work.forget();
    });
  }

  /** Kind by kind, each with the pages of the cloud. `cursor`: the kind and its token, as JSON. */
  async inventory(at: Place, tags: InventoryTags, cursor: string | null, signal?: AbortSignal): Promise<InventoryPage> {
    signal?.throwIfAborted();
    const kinds = RESOURCE_KINDS.filter((kind) => this.kinds[kind]);
    const { kind, token } = cursor === null ? { kind: kinds[0], token: null } : (JSON.parse(cursor) as Cursor);
    if (kind === undefined) return { resources: [], next: null };
    const clients = await this.access(at);
    const { observed, parts = [], next } = await this.kind(kind).list(clients, tags, token);
    const nextKind = next === null ? kinds[kinds.indexOf(kind) + 1] : kind;
    return {
      resources: [...(await this.remembered(kind, observed)), ...(await this.withoutMain(kind, parts))].map((one) =>
        this.resource(kind, one),
      ),
      next: nextKind === undefined ? null : JSON.stringify({ kind: nextKind, token: next }),
    };
  }

  /** Without those that have ended and are forgotten. */
  private async remembered<K extends ResourceKind>(kind: K, observed: Observed<K>[]): Promise<Observed<K>[]> {
    const ended = observed.filter(({ state }) => state === 'failed').map(({ name }) => name);
    if (ended.length === 0) return observed;
    const memories = await this.memory.read(kind, ended);
    return observed.flatMap((one) => {
      if (one.state !== 'failed') return [one];
      const memory = memories.get(one.name);
      return memory === undefined ? [] : [memory.isDeleting ? { ...one, state: 'deleting' as const } : one];
    });
  }

  private async withoutMain<K extends ResourceKind>(kind: K, parts: Observed<K>[]): Promise<Observed<K>[]> {
    const memories = await this.memory.read(
      kind,
      parts.map(({ name }) => name),
    );
    const { forgetsEnded = false } = this.kind(kind);
    return parts.filter(({ name }) => {
      const one = memories.get(name);
      // In a deletion, the main part can be gone before the others, and is not shown then.
      return !one?.parts.get(kind)?.id || (forgetsEnded && one.isDeleting);
    });
  }

  private async keep<K extends ResourceKind>(key: MemoryKey, observed: Observed<K>, memory: Remembered | undefined) {
    const last = this.kind(key.kind as K).lastSeen?.(observed) ?? null;
    if (last !== null && memory?.parts.get(LAST_SEEN)?.id !== last) await this.memory.end(key, LAST_SEEN, last);
  }

  private kind<K extends ResourceKind>(kind: K): DriverKind<K, C, W> {
    const driverKind = this.kinds[kind];
    if (!driverKind) throw new CloudError({ code: 'invalid' }, `${this.cloudName} has no ${kind.replaceAll('_', ' ')}`);
    return driverKind;
  }

  private exclusively(
    key: MemoryKey,
    at: Place,
    tags: ResourceTags | null,
    signal: AbortSignal | undefined,
    work: (work: W) => Promise<void>,
  ): Promise<void> {
    const run = async () => work(await this.begin(key, at, signal));
    return this.memory.exclusively(key, tags, run, signal);
  }

  private resource<K extends ResourceKind>(kind: K, observed: Observed<K>): Resource<K> {
    const poll_after_ms = observed.state === 'active' ? ACTIVE_POLL_AFTER_MS : this.kind(kind).pollAfterMs;
    return { kind, ...observed, poll_after_ms };
  }

  /** A resource that the cloud does not show yet, or that is deleted. */
  private notVisibleYet<K extends ResourceKind>(
    { kind, name }: MemoryKey,
    tags: ResourceTags,
    memory: Remembered | undefined,
  ): Resource<K> {
    const id = memory?.parts.get(kind)?.id ?? '';
    return {
      ...{ kind: kind as K, name, id, tags },
      state: memory?.isDeleting ? 'deleting' : 'pending',
      poll_after_ms: this.kind(kind as K).pollAfterMs,
      attributes: this.kind(kind as K).notVisibleYet(),
    };
  }
}

interface Cursor {
  kind: ResourceKind;
  token: string | null;
}

function byPlace(refs: readonly ResourceRef[]): { at: Place; names: string[] }[] {
  const groups = new Map<string, { at: Place; names: string[] }>();
  for (const { at, name } of refs) {
    const key = JSON.stringify([at.cloud, at.region, at.account]);
    const group = groups.get(key) ?? { at, names: [] };
    group.names.push(name);
    groups.set(key, group);
  }
  return [...groups.values()];
}
