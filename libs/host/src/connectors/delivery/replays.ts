import type { ConnectorInstanceId } from '@libs/domain';
import type { SinkPlugin } from '../plugins/plugin.js';
import { Arrivals } from './arrivals.js';
import type { DeadLetter, DeadLetters } from './dead-letters.js';
import type { DeliveryRecord } from './delivery-record.js';
import { pause } from './pause.js';
import { RetryPace } from './retry-pace.js';

const AT_ONCE = 100;

/** The dependencies of replays. */
export interface ReplaySetup {
  instanceId: ConnectorInstanceId;
  letters: DeadLetters;
  record: DeliveryRecord;
  plugin: SinkPlugin;
  /** Runs one delivery at a time, in turn with the messages of the broker. */
  inTurn: (work: () => Promise<void>) => Promise<void>;
  onChange: () => void;
  onFailure: (error: unknown) => void;
}

/**
 * Delivers dead letters again, on request. A delivered letter leaves the store, a refused one stays with one more attempt. A
 * restart of the process forgets the request, never a letter.
 */
export class Replays {
  private readonly queue = new Arrivals<number>();

  constructor(private readonly setup: ReplaySetup) {}

  request(numbers: readonly number[]): void {
    for (const number of numbers) void this.queue.add(number);
  }

  /** Ends the waiting of `run`. */
  close(): void {
    this.queue.close();
  }

  async run(signal: AbortSignal): Promise<void> {
    const pace = new RetryPace();
    let numbers: number[] = [];
    while (!signal.aborted) {
      if (numbers.length === 0) await this.queue.some();
      numbers.push(...this.queue.take(AT_ONCE - numbers.length));
      // The queue is closed.
      if (numbers.length === 0) return;
      try {
        numbers = await this.deliver(numbers, signal);
        pace.reset();
      } catch (error) {
        this.setup.onFailure(error);
        await pause(pace.nextMs(), signal);
      }
    }
  }

  /** Returns the letters that are still due. */
  private async deliver(numbers: readonly number[], signal: AbortSignal): Promise<number[]> {
    const { instanceId, letters, plugin, inTurn } = this.setup;
    const found = await Promise.all(numbers.map(async (seq) => ({ seq, letter: await letters.find(instanceId, seq) })));
    const due = new Map<string, { seq: number; letter: DeadLetter }>();
    for (const { seq, letter } of found) if (letter) due.set(letter.message.id, { seq, letter });
    if (due.size === 0) return [];
    await inTurn(() =>
      plugin.deliver(
        [...due.values()].map(({ letter }) => letter.message),
        this.outcome(due),
        signal,
      ),
    );
    return [...due.values()].map(({ seq }) => seq);
  }

  private outcome(due: Map<string, { seq: number; letter: DeadLetter }>) {
    const { instanceId, letters, record, onChange } = this.setup;
    const end = (ids: readonly string[]): number[] =>
      ids.flatMap((id) => {
        const seq = due.get(id)?.seq;
        due.delete(id);
        return seq ?? [];
      });
    return {
      taken: async (messages: readonly { id: string }[]): Promise<void> => {
        const ids = messages.map(({ id }) => id);
        await record.add(ids);
        await letters.remove(instanceId, end(ids));
        onChange();
      },
      refused: async (refused: readonly { message: DeadLetter['message']; reason: string }[]): Promise<void> => {
        const again = refused.map(({ message, reason }) => {
          return { message, error: reason, attempts: (due.get(message.id)?.letter.attempts ?? 0) + 1 };
        });
        await letters.add(instanceId, again);
        end(again.map(({ message }) => message.id));
        onChange();
      },
    };
  }
}
