import { CloudError } from '../cloud-error.js';
import type { ResourceKind, ResourceTags } from '../cloud-provider.js';
import type { DriverMemory, MemoryKey, Part, Remembered } from './driver-memory.js';

/** After this time a cloud shows every resource that it has created to a search. */
const VISIBLE_AFTER_MS = 60_000;

/** One call of a driver for one resource, while no other call holds the resource. `C`: the access to the place. */
export class DriverWork<C> {
  /** Parts without a remembered id that a search has shown. */
  private readonly resolved = new Set<string>();

  constructor(
    readonly key: MemoryKey,
    readonly clients: C,
    protected readonly memory: DriverMemory,
    protected remembered: Remembered,
    protected readonly signal: AbortSignal | undefined,
  ) {}

  get isDeleting(): boolean {
    return this.remembered.isDeleting;
  }

  /** The owner that the call of `ensure` named. @throws TypeError in the work of a deletion, which has none */
  get tags(): ResourceTags {
    const { tags } = this.remembered;
    if (tags === null) throw new TypeError(`the ${this.key.kind} ${this.key.name} has no owner`);
    return tags;
  }

  id(part: string): string | null {
    return this.remembered.parts.get(part)?.id ?? null;
  }

  /** Whether the part was noted within this time. */
  isRecent(part: string, withinMs: number): boolean {
    const remembered = this.remembered.parts.get(part);
    return remembered !== undefined && remembered.begunAgoMs < withinMs;
  }

  /** The ids of all parts whose names begin like this. */
  ids(prefix: string): string[] {
    return idsIn(this.remembered, prefix);
  }

  /** The ids of a part that may be left: the remembered one, and those that a search shows. */
  leftOf(part: string, tagged: readonly (string | undefined)[]): string[] {
    const id = this.id(part);
    const resources = tagged.filter((one) => one !== undefined);
    if (resources.length > 0) this.resolved.add(part);
    return [...new Set(id === null ? resources : [id, ...resources])];
  }

  /** Whether the cloud may have created a part that no search shows yet. */
  get isUncertain(): boolean {
    return [...this.remembered.parts].some(([part, one]) => isUncertainPart(one) && !this.resolved.has(part));
  }

  /** The names of all parts that begin like this. */
  partsOf(prefix: string): string[] {
    return [...this.remembered.parts.keys()].filter((part) => part.startsWith(prefix));
  }

  /** Forgets a part that the cloud no longer has. */
  async drop(part: string): Promise<void> {
    await this.memory.end(this.key, part, null);
    const parts = new Map(this.remembered.parts);
    parts.delete(part);
    this.remembered = { ...this.remembered, parts };
  }

  startDeletion(): Promise<void> {
    return this.memory.startDeletion(this.key);
  }

  forget(): Promise<void> {
    return this.memory.forget(this.key);
  }

  /** What is remembered of another resource of the same place. */
  async other(kind: ResourceKind, name: string): Promise<Remembered | null> {
    return (await this.memory.read(kind, [name])).get(name) ?? null;
  }

  /** @throws CloudError `unavailable` when the part does not exist yet */
  async idOfOther(kind: ResourceKind, name: string, part: string): Promise<string> {
    const id = (await this.other(kind, name))?.parts.get(part)?.id;
    if (id) return id;
    throw new CloudError({ code: 'unavailable' }, `the ${kind.replaceAll('_', ' ')} ${name} does not exist yet`);
  }

  /** @throws CloudError `unavailable` when no such part exists yet */
  async idsOfOther(kind: ResourceKind, name: string, prefix: string): Promise<string[]> {
    const other = await this.other(kind, name);
    const ids = other === null ? [] : idsIn(other, prefix);
    if (ids.length > 0) return ids;
    throw new CloudError({ code: 'unavailable' }, `the ${kind.replaceAll('_', ' ')} ${name} is not complete yet`);
  }

  /** The ids of the main parts of other resources, in one question. Those that do not exist yet are missing. */
  async idsOfAll(kind: ResourceKind, names: readonly string[]): Promise<string[]> {
    const memories = await this.memory.read(kind, names);
    return names.flatMap((name) => memories.get(name)?.parts.get(kind)?.id ?? []);
  }

  /** Remembers a part that a repeated call does not create twice. */
  async note(part: string, id: string): Promise<void> {
    await this.store(part, id);
  }

  /** Records that the next call creates the part. */
  protected async beginPart(part: string): Promise<void> {
    await this.memory.begin(this.key, part);
    this.keep(part, null);
  }

  protected async store(part: string, id: string): Promise<string> {
    await this.memory.end(this.key, part, id);
    this.keep(part, id);
    return id;
  }

  private keep(part: string, id: string | null): void {
    const parts = new Map(this.remembered.parts).set(part, { id, begunAgoMs: 0 });
    this.remembered = { ...this.remembered, parts };
  }
}

const idsIn = ({ parts }: Remembered, prefix: string): string[] =>
  [...parts].flatMap(([part, { id }]) => (part.startsWith(prefix) && id !== null ? [id] : []));

/** Whether the cloud may have created a part that no search shows yet. */
export const isUncertainPart = ({ id, begunAgoMs }: Part): boolean => id === null && begunAgoMs < VISIBLE_AFTER_MS;

/** Whether the cloud may have created a part of the resource that no search shows yet. */
export const isUncertain = ({ parts }: Remembered): boolean => [...parts.values()].some(isUncertainPart);

/** The cloud has certainly not made the change. */
export const isRefusal = (error: unknown): boolean => error instanceof CloudError && error.code !== 'unavailable';
