import type { App, CallOptions, EventOptions, StreamEvent } from './call-options.js';
import { OperationFailedError, TimeoutError } from './errors.js';
import type { OperationEventView, OperationView } from './generated/main-types.js';

/** A stream is opened again when a step is quiet for so long, because a connection can break without a sign. */
const QUIET_MS = 60_000;
/** About a minute, for a server that starts again. */
const READ_RETRIES = 10;

export interface WaitOptions {
  /** Ends the wait. The operation goes on. */
  signal?: AbortSignal;
  /** Milliseconds for the whole wait. Default: no limit. */
  timeoutMs?: number;
  /** Receives each event, also those before the wait. */
  onEvent?: (event: OperationEventView) => void;
}

/** The work of a request that goes on after the answer. */
export interface OperationHandle {
  readonly id: number;
  /** The API that has the operation. */
  readonly app: App;
  /** @throws LandlordError */
  get(options?: CallOptions): Promise<OperationView>;
  /** All events of the operation, from the first one on, until it ends. @throws LandlordError */
  events(options?: EventOptions): AsyncIterable<StreamEvent<OperationEventView>>;
  /**
   * The operation after its end.
   * @throws OperationFailedError when the operation has failed or was cancelled
   * @throws TimeoutError after `timeoutMs`. The operation goes on
   */
  wait(options?: WaitOptions): Promise<OperationView>;
}

/** The requests of one operation. */
export interface OperationCalls {
  get: (options: CallOptions) => Promise<OperationView>;
  events: (options: EventOptions) => AsyncIterable<StreamEvent<OperationEventView>>;
}

const ENDED: readonly OperationView['status'][] = ['succeeded', 'failed', 'cancelled'];

export function operationHandle(app: App, id: number, calls: OperationCalls): OperationHandle {
  const events = (options: EventOptions = {}) => calls.events({ idleMs: QUIET_MS, ...options });
  return { id, app, get: (options = {}) => calls.get(options), events, wait };

  async function wait({ signal, timeoutMs, onEvent }: WaitOptions = {}): Promise<OperationView> {
    const late = timeoutMs === undefined ? [] : [AbortSignal.timeout(timeoutMs)];
    const ends = AbortSignal.any([...late, ...(signal ? [signal] : [])]);
    try {
      const operation = await ended(ends, onEvent);
      if (operation.status !== 'succeeded') throw new OperationFailedError(operation);
      return operation;
    } catch (error) {
      signal?.throwIfAborted();
      if (late[0]?.aborted)
        throw new TimeoutError(`Operation ${id} has not ended within ${timeoutMs} ms, and goes on.`);
      throw error;
    }
  }

  async function ended(signal: AbortSignal, onEvent: WaitOptions['onEvent']): Promise<OperationView> {
    let lastEventId: string | undefined;
    for (;;) {
      for await (const event of events({ signal, ...(lastEventId !== undefined && { lastEventId }) })) {
        lastEventId = event.id;
        onEvent?.(event.data);
      }
      const operation = await calls.get({ signal, retries: READ_RETRIES });
      if (ENDED.includes(operation.status)) return operation;
    }
  }
}
