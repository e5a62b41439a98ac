import { AsyncLocalStorage } from 'node:async_hooks';
import type { ClassicLevel } from 'classic-level';

type Operation = { type: 'put'; key: string; value: Buffer } | { type: 'del'; key: string };
type Write = (...args: unknown[]) => Promise<void>;

/** Lets writes of a store succeed or fail together, also in a crash. The callers of the writes know nothing of it. */
export class WritesTogether {
  private readonly gathering = new AsyncLocalStorage<Operation[]>();

  constructor(private readonly store: ClassicLevel) {
    const writer = store as unknown as Record<'put' | 'del', Write>;
    const [put, del] = [writer.put.bind(store), writer.del.bind(store)];
    writer.put = (key, value, ...options) =>
      this.gather({ type: 'put', key: key as string, value: value as Buffer }) ?? put(key, value, ...options);
    writer.del = (key, ...options) => this.gather({ type: 'del', key: key as string }) ?? del(key, ...options);
  }

  /** Runs `work`, which may read, and then writes all that it has put and deleted. Its values are bytes. */
  async write(work: () => Promise<unknown>): Promise<void> {
    const operations: Operation[] = [];
    await this.gathering.run(operations, work);
    if (operations.length > 0) await this.store.batch<string, Buffer>(operations, { valueEncoding: 'buffer' });
  }

  private gather(operation: Operation): Promise<void> | undefined {
    const operations = this.gathering.getStore();
    if (!operations) return undefined;
    operations.push(operation);
    return Promise.resolve();
  }
}
