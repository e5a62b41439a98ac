import { setTimeout as delay } from 'node:timers/promises';
import { databasePause } from '@libs/domain/processes';
import type { BackendFactory } from 'bullmq';

/** What PostgreSQL's backend of BullMQ and its connection keep. */
export interface KeptReadiness {
  readyPromise?: Promise<unknown> | undefined;
  waitUntilReady(): Promise<unknown>;
}

type Backend = ReturnType<BackendFactory>;

/** A worker whose request for a job is refused asks again at once, unless the refusal is ECONNREFUSED. With this it pauses first. */
export const lasting =
  (factory: BackendFactory): BackendFactory =>
  (...given) => {
    const backend = factory(...given);
    restAfterFailures(backend);
    return backend;
  };

/**
 * BullMQ keeps the result of the first connection, also a failure: a database that had no free connection for one second at the start
 * would leave a queue that never works. With this the next caller connects again.
 */
export function forgetFailure(readiness: KeptReadiness): void {
  const connect = readiness.waitUntilReady.bind(readiness);
  readiness.waitUntilReady = async () => {
    const ready = connect();
    const { readyPromise } = readiness;
    try {
      return await ready;
    } catch (error) {
      // Another caller may have connected again during this one.
      if (readiness.readyPromise === readyPromise) readiness.readyPromise = undefined;
      throw error;
    }
  };
}

/** Refused requests of a worker are answered after a growing pause. The end of the worker ends the pause. */
function restAfterFailures(backend: Backend): void {
  const pause = databasePause();
  const closing = new AbortController();
  replace(backend, ['moveToActive', 'waitForJob'], async (request) => {
    try {
      const answer = await request();
      pause.reset();
      return answer;
    } catch (error) {
      await delay(pause.next(), undefined, { signal: closing.signal }).catch(() => undefined);
      throw error;
    }
  });
  replace(backend, ['disconnectBlocking', 'close', 'disconnect'], (end) => {
    closing.abort();
    return end();
  });
}

type Method = 'moveToActive' | 'waitForJob' | 'disconnectBlocking' | 'close' | 'disconnect';

function replace(
  backend: Backend,
  methods: readonly Method[],
  around: (call: () => Promise<unknown>) => unknown,
): void {
  const own = backend as unknown as Record<Method, (...given: unknown[]) => Promise<unknown>>;
  for (const method of methods) {
    const original = own[method].bind(backend);
    own[method] = async (...given) => around(() => original(...given));
  }
}
