import { CloudError } from '../cloud-error.js';
import type { ResourceKind, ResourceTags } from '../cloud-provider.js';
import { unless, type AwsClients } from './aws-clients.js';
import { NOTHING, type AwsMemory, type MemoryKey, type Part, type Remembered } from './aws-memory.js';

/** After this time AWS shows every resource that it has created to a search. */
const VISIBLE_AFTER_MS = 60_000;

/** How a part of a resource comes into being. */
export interface PartPlan {
  part: string;
  /** Searches by the tags. Null: AWS shows none. */
  find: () => Promise<string | null>;
  /** Creates the part with its tags in the same call, and returns its id. */
  create: () => Promise<string>;
  /** The error of AWS when the part exists already. Undefined: AWS would create another one. */
  duplicate?: string;
  /** The idempotency token in the creation: AWS answers a repeated creation with the first part. */
  token?: string;
}

/** One call of the driver for one resource, while no other call holds the resource. */
export class AwsWork {
  /** Parts without a remembered id that a search has shown. */
  private readonly resolved = new Set<string>();

  private constructor(
    readonly key: MemoryKey,
    readonly clients: AwsClients,
    private readonly memory: AwsMemory,
    private remembered: Remembered,
    private readonly signal: AbortSignal | undefined,
  ) {}

  static async begin(key: MemoryKey, clients: AwsClients, memory: AwsMemory, signal?: AbortSignal): Promise<AwsWork> {
    const known = (await memory.read(key.kind, [key.name])).get(key.name) ?? NOTHING;
    return new AwsWork(key, clients, memory, known, signal);
  }

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
    const known = this.remembered.parts.get(part);
    return known !== undefined && known.begunAgoMs < withinMs;
  }

  /** The ids of all parts whose names begin like this. */
  ids(prefix: string): string[] {
    return idsIn(this.remembered, prefix);
  }

  /** The ids of a part that may be left: the remembered one, and those that a search by the tags shows. */
  leftOf(part: string, tagged: readonly (string | undefined)[]): string[] {
    const id = this.id(part);
    const found = tagged.filter((one) => one !== undefined);
    if (found.length > 0) this.resolved.add(part);
    return [...new Set(id === null ? found : [id, ...found])];
  }

  /** Whether AWS may have created a part that no search shows yet. */
  get isUncertain(): boolean {
    return [...this.remembered.parts].some(([part, one]) => isUncertainPart(one) && !this.resolved.has(part));
  }

  /** The id of the part, which is created if it was never created. */
  async part(plan: PartPlan): Promise<string> {
    this.signal?.throwIfAborted();
    const known = this.remembered.parts.get(plan.part);
    if (known?.id) return known.id;
    if (plan.duplicate !== undefined) return this.uniquePart(plan, plan.duplicate);
    const found = known ? await this.begun(plan, known) : null;
    if (found !== null) return this.store(plan.part, found);
    if (plan.token !== undefined) await this.store(tokenNote(plan.part), plan.token);
    await this.memory.begin(this.key, plan.part);
    try {
      return await this.store(plan.part, await plan.create());
    } catch (error) {
      // Otherwise the answer was lost, and the part may exist.
      if (isRefusal(error)) await this.memory.end(this.key, plan.part, null);
      throw error;
    }
  }

  /** A part whose creation was begun. Null: another creation makes no second part. @throws CloudError `unavailable` while this is uncertain */
  private async begun({ part, find, token }: PartPlan, known: Part): Promise<string | null> {
    const found = await find();
    // A search can miss a resource that was just created, and a creation with another token would make another one.
    const isRepeated = token !== undefined && this.id(tokenNote(part)) === token;
    if (found === null && isUncertainPart(known) && !isRepeated) throw laterVisible(part);
    return found;
  }

  /** AWS refuses a second one, so the driver need not remember that it has begun. */
  private async uniquePart({ part, find, create }: PartPlan, duplicate: string): Promise<string> {
    const made = await unless([duplicate], create());
    if (made !== null) return this.store(part, made);
    const found = await find();
    if (found === null) throw laterVisible(part);
    return this.store(part, found);
  }

  /** The names of all parts that begin like this. */
  partsOf(prefix: string): string[] {
    return [...this.remembered.parts.keys()].filter((part) => part.startsWith(prefix));
  }

  /** Forgets a part that AWS no longer has. */
  async drop(part: string): Promise<void> {
    await this.memory.end(this.key, part, null);
    const parts = new Map(this.remembered.parts);
    parts.delete(part);
    this.remembered = { ...this.remembered, parts };
  }

  /**
   * Works on another resource of the same place while no other call holds it. A call holds the resource of a deployment before it
   * holds a shared one, never the other way round: so no two calls wait for each other.
   */
  beside<T>(key: MemoryKey, run: (work: AwsWork) => Promise<T>): Promise<T> {
    const { clients, memory, signal } = this;
    const begun = async () => run(await AwsWork.begin(key, clients, memory, signal));
    return memory.exclusively(key, null, begun, signal);
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
    const known = await this.memory.read(kind, names);
    return names.flatMap((name) => known.get(name)?.parts.get(kind)?.id ?? []);
  }

  /** Remembers a part that a repeated call does not create twice. */
  async note(part: string, id: string): Promise<void> {
    await this.store(part, id);
  }

  private async store(part: string, id: string): Promise<string> {
    await this.memory.end(this.key, part, id);
    const parts = new Map(this.remembered.parts).set(part, { id, begunAgoMs: 0 });
    this.remembered = { ...this.remembered, parts };
    return id;
  }
}

/** AWS has certainly not made the change. */
const isRefusal = (error: unknown): boolean => error instanceof CloudError && error.code !== 'unavailable';

const idsIn = ({ parts }: Remembered, prefix: string): string[] =>
  [...parts].flatMap(([part, { id }]) => (part.startsWith(prefix) && id !== null ? [id] : []));

const tokenNote = (part: string): string => `token of the ${part}`;

const laterVisible = (part: string): CloudError =>
  new CloudError({ code: 'unavailable' }, `AWS may have created the ${part}, and does not show it yet`);

const isUncertainPart = ({ id, begunAgoMs }: Part): boolean => id === null && begunAgoMs < VISIBLE_AFTER_MS;

/** Whether AWS may have created a part of the resource that no search shows yet. */
export const isUncertain = ({ parts }: Remembered): boolean => [...parts.values()].some(isUncertainPart);
