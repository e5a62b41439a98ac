import { randomUUID } from 'node:crypto';
import { CloudError } from '../cloud-error.js';
import type { ResourceKind } from '../cloud-provider.js';
import { NOTHING, type DriverMemory, type MemoryKey, type Remembered } from '../driver/driver-memory.js';
import { DriverWork, isRefusal } from '../driver/driver-work.js';
import { ifThere, unlessInUse, type GcpApi } from './gcp-api.js';
import { baseName, collectionOf, scopeOf } from './gcp-names.js';
import { bodyOf, isPartOf, type GcpPart } from './gcp-part.js';
import { alreadyExists, cloudErrorOf, isInUse, operationFault, type GoogleFault } from './gcp-refusal.js';
import type { GcpResource, Operation } from './gcp-shapes.js';

const OPERATION = 'operation of the ';
const operationOf = (part: string): string => `${OPERATION}${part}`;
const requestOf = (part: string): string => `request of the ${part}`;
/** The number that Google has given to the part. */
export const numberOf = (part: string): string => `number of the ${part}`;
const deletionOf = (part: string): string => `deletion of ${part}`;

/** Whether an operation of the resource was still running at the last look. */
export const isRunning = ({ parts }: Remembered): boolean =>
  [...parts.keys()].some((part) => part.startsWith(OPERATION));

/**
 * One call of the driver of Google Cloud for one resource. Names are deterministic, so that Google refuses a second part. Every
 * mutation has a request id, and its operation is remembered until Google says how the operation has ended.
 */
export class GcpWork extends DriverWork<GcpApi> {
  static async begin(key: MemoryKey, api: GcpApi, memory: DriverMemory, signal?: AbortSignal): Promise<GcpWork> {
    const remembered = (await memory.read(key.kind, [key.name])).get(key.name) ?? NOTHING;
    return new GcpWork(key, api, memory, remembered, signal);
  }

  get api(): GcpApi {
    return this.clients;
  }

  /**
   * Creates the part if it was never created. True: the part exists, and its operation has ended.
   * @throws CloudError `invalid` when somebody else has the name
   */
  async bring(plan: GcpPart): Promise<boolean> {
    this.signal?.throwIfAborted();
    const { part, path } = plan;
    if (!(await this.settledCreation(part))) return false;
    if (this.id(part) !== null) return true;
    const body = await bodyOf(this.key, plan, plan.owner ?? this.tags);
    const request = this.id(requestOf(part)) ?? randomUUID();
    await this.note(requestOf(part), request);
    await this.beginPart(part);
    const operation = await this.insert(plan, body, request);
    await this.note(part, path);
    if (operation !== null) return this.began(part, path, operation);
    await this.drop(requestOf(part));
    return true;
  }

  /** Like `settled`, and forgets a part that its operation has not created. */
  async settledCreation(part: string): Promise<boolean> {
    const path = this.id(part);
    if (this.running(part) === null || path === null) return true;
    const end = await this.endOf(part).catch(async (error: unknown) => {
      if (this.running(part) === null) await this.forgetPart(part);
      throw error;
    });
    if (end === 'running') return false;
    // After an operation that Google has forgotten, only the resource shows how the operation has ended.
    if (end === 'unknown' && (await this.api.find(path)) === null) await this.forgetPart(part);
    return true;
  }

  /**
   * Makes a change to a part that exists. The caller has seen that the change is missing. True: the change has ended.
   * @param what Names the change in the memory
   */
  async change(what: string, path: string, send: (requestId: string) => Promise<Operation>): Promise<boolean> {
    this.signal?.throwIfAborted();
    const repeated = this.id(requestOf(what));
    const request = repeated ?? randomUUID();
    // After a lost answer, another request id would make the change a second time.
    if (repeated === null) await this.note(requestOf(what), request);
    const operation = await send(request).catch(async (error: unknown) => {
      if (isRefusal(error)) await this.drop(requestOf(what));
      throw error;
    });
    // The answer to a repetition can be about an earlier change of this name. The next call looks, and has another request id.
    return (await this.began(what, path, operation)) && repeated === null;
  }

  /**
   * Like `change`, for a creation that makes a part of another resource: until its answer, the part is uncertain.
   * @param id What the memory keeps of the part
   */
  async create(part: string, id: string, send: () => Promise<boolean>): Promise<boolean> {
    await this.beginPart(part);
    try {
      const isDone = await send();
      await this.note(part, id);
      return isDone;
    } catch (error) {
      if (isRefusal(error)) await this.forgetPart(part);
      throw error;
    }
  }

  /** Whether no operation for this part or change runs. @throws CloudError when the operation has failed */
  async settled(what: string): Promise<boolean> {
    return (await this.endOf(what)) !== 'running';
  }

  /**
   * Deletes the part. True: the part does not exist, and no deletion runs. False: the deletion runs, or another resource is in the way.
   * @param path where the part is, also when the memory does not have the part
   */
  async discard(part: string, path: string): Promise<boolean> {
    const deletion = deletionOf(part);
    if (this.running(deletion) !== null) {
      if (!(await unlessInUse(this.settled(deletion)))) return false;
      return this.forgetPart(part);
    }
    // A part that Google still creates cannot be deleted. How its creation ends does not matter any more.
    if (!(await this.hasSettled(part))) return false;
    if (this.id(part) === null && (await this.isOfOther(path))) return true;
    const requestId = randomUUID();
    const operation = await unlessInUse(
      ifThere(this.api.delete(path, { query: { requestId } })).then((one) => ({ one })),
    );
    if (operation === null) return false;
    // A creation whose answer was lost can still happen: the part stays uncertain for a while.
    if (operation.one === null) return this.id(part) === null ? true : this.forgetPart(part);
    return (await this.began(deletion, path, operation.one).catch(inUseIsLater)) && this.forgetPart(part);
  }

  /** Works on another resource of the same place. See DriverWork for the order of holds. */
  beside<T>(key: MemoryKey, run: (work: GcpWork) => Promise<T>): Promise<T> {
    const { clients, memory, signal } = this;
    const begun = async () => run(await GcpWork.begin(key, clients, memory, signal));
    return memory.exclusively(key, null, begun, signal);
  }

  /** The path of a part of another resource. @throws CloudError `unavailable` when the part is not complete yet */
  async pathOfOther(kind: ResourceKind, name: string, part: string): Promise<string> {
    const other = await this.other(kind, name);
    const path = other?.parts.get(part)?.id;
    const creation = other?.parts.get(operationOf(part));
    if (path && (creation === undefined || (creation.id !== null && (await this.hasSucceeded(creation.id)))))
      return path;
    throw new CloudError({ code: 'unavailable' }, `the ${kind.replaceAll('_', ' ')} ${name} does not exist yet`);
  }

  /**
   * Whether an operation of another resource has ended without a fault. Google may show a resource as ready before that, and
   * then its caller never works on it again, so its memory still has the operation. A forgotten operation ended long ago.
   */
  private async hasSucceeded(path: string): Promise<boolean> {
    const operation = await ifThere(this.api.get<Operation>(path));
    return operation === null || (operation.status === 'DONE' && operationFault(operation) === null);
  }

  /** How the operation has ended. `done` also without an operation. `unknown`: Google has forgotten the operation. */
  private async endOf(what: string): Promise<'running' | 'done' | 'unknown'> {
    const running = this.running(what);
    if (running === null) return 'done';
    const operation = await ifThere(this.api.get<Operation>(running));
    if (operation !== null && operation.status !== 'DONE') return 'running';
    for (const noted of [operationOf(what), requestOf(what)]) await this.drop(noted);
    const fault = operation && operationFault(operation);
    if (fault) throw this.failure(what, fault);
    return operation === null ? 'unknown' : 'done';
  }

  /** Whether no operation runs, however the last one has ended. */
  private async hasSettled(what: string): Promise<boolean> {
    return this.settled(what).catch((error: unknown) => {
      if (this.running(what) === null) return true;
      throw error;
    });
  }

  /** The path of the operation that runs. Null: none. */
  private running(what: string): string | null {
    return this.id(operationOf(what));
  }

  /** The operation of the creation. Null: the part exists already, and it is one of this resource. */
  private async insert({ part, path, asked }: GcpPart, body: object, requestId: string) {
    const query = { requestId };
    try {
      return await this.api.post(collectionOf(path), { query, body, ...(asked && { asked }) });
    } catch (error) {
      if (alreadyExists(error)) return this.requireOwn(path, part);
      // Otherwise the answer was lost, and the part may exist.
      if (isRefusal(error)) await this.forgetPart(part);
      throw error;
    }
  }

  private async requireOwn(path: string, part: string): Promise<null> {
    const resource = await this.api.find<GcpResource>(path);
    if (resource === null) throw new CloudError({ code: 'unavailable' }, `the ${part} is about to be deleted`);
    if (isPartOf(this.key, resource)) return null;
    await this.forgetPart(part);
    throw new CloudError(
      { code: 'invalid' },
      `the name ${baseName(path)} belongs to a resource that is not of Landlord`,
    );
  }

  /** Whether somebody else has made a resource with the name. */
  private async isOfOther(path: string): Promise<boolean> {
    const resource = await this.api.find<GcpResource>(path);
    return resource !== null && !isPartOf(this.key, resource);
  }

  /** Remembers the operation. True: it has already ended well. */
  private async began(what: string, path: string, operation: Operation): Promise<boolean> {
    const { name, status, targetId = '' } = operation;
    if (this.id(what) !== null && targetId !== '' && this.id(numberOf(what)) !== targetId)
      await this.note(numberOf(what), targetId);
    if (status !== 'DONE') {
      await this.note(operationOf(what), `${scopeOf(path)}/operations/${name}`);
      return false;
    }
    if (this.id(requestOf(what)) !== null) await this.drop(requestOf(what));
    const fault = operationFault(operation);
    if (!fault) return true;
    if (this.id(what) !== null) await this.forgetPart(what);
    throw this.failure(what, fault);
  }

  /** Forgets the part with everything about it, also a deletion. */
  async forgetPart(part: string): Promise<true> {
    for (const noted of [part, requestOf(part), operationOf(part), numberOf(part), operationOf(deletionOf(part))])
      if (this.remembered.parts.has(noted)) await this.drop(noted);
    return true;
  }

  private failure(what: string, fault: GoogleFault): CloudError {
    return cloudErrorOf(fault, { action: `operation (${what})`, ...this.api.place });
  }
}

const inUseIsLater = (error: unknown): false => {
  if (isInUse(error)) return false;
  throw error;
};
