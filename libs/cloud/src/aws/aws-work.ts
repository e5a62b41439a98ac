import { CloudError } from '../cloud-error.js';
import { NOTHING, type DriverMemory, type MemoryKey, type Part } from '../driver/driver-memory.js';
import { DriverWork, isRefusal, isUncertainPart } from '../driver/driver-work.js';
import { unless, type AwsClients } from './aws-clients.js';

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

/** One call of the driver of AWS for one resource. */
export class AwsWork extends DriverWork<AwsClients> {
  static async begin(
    key: MemoryKey,
    clients: AwsClients,
    memory: DriverMemory,
    signal?: AbortSignal,
  ): Promise<AwsWork> {
    const remembered = (await memory.read(key.kind, [key.name])).get(key.name) ?? NOTHING;
    return new AwsWork(key, clients, memory, remembered, signal);
  }

  /** The id of the part, which is created if it was never created. */
  async part(plan: PartPlan): Promise<string> {
    this.signal?.throwIfAborted();
    const part = this.remembered.parts.get(plan.part);
    if (part?.id) return part.id;
    if (plan.duplicate !== undefined) return this.uniquePart(plan, plan.duplicate);
    const id = part ? await this.begun(plan, part) : null;
    if (id !== null) return this.store(plan.part, id);
    if (plan.token !== undefined) await this.store(tokenNote(plan.part), plan.token);
    await this.beginPart(plan.part);
    try {
      return await this.store(plan.part, await plan.create());
    } catch (error) {
      // Otherwise the answer was lost, and the part may exist.
      if (isRefusal(error)) await this.drop(plan.part);
      throw error;
    }
  }

  /** A part whose creation was begun. Null: another creation makes no second part. @throws CloudError `unavailable` while this is uncertain */
  private async begun({ part, find, token }: PartPlan, known: Part): Promise<string | null> {
    const id = await find();
    // A search can miss a resource that was just created, and a creation with another token would make another one.
    const isRepeated = token !== undefined && this.id(tokenNote(part)) === token;
    if (id === null && isUncertainPart(known) && !isRepeated) throw laterVisible(part);
    return id;
  }

  /** AWS refuses a second one, so the driver need not remember that it has begun. */
  private async uniquePart({ part, find, create }: PartPlan, duplicate: string): Promise<string> {
    const created = await unless([duplicate], create());
    if (created !== null) return this.store(part, created);
    const id = await find();
    if (id === null) throw laterVisible(part);
    return this.store(part, id);
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
}

const tokenNote = (part: string): string => `token of the ${part}`;

const laterVisible = (part: string): CloudError =>
  new CloudError({ code: 'unavailable' }, `AWS may have created the ${part}, and does not show it yet`);
