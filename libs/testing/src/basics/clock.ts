import { jest } from '@jest/globals';

/** What goes on while the clock stands still: sockets, processes and other timers need it. */
const GOES_ON: Parameters<typeof jest.useFakeTimers>[0] = {
  doNotFake: [
    ...(['hrtime', 'performance', 'nextTick', 'queueMicrotask'] as const),
    ...(['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate'] as const),
  ],
};

/** Stops the clock at `now`, until `jest.setSystemTime()` or `jest.useRealTimers()`. Timers go on. */
export function stopClock(now: number | Date = Date.now()): void {
  jest.useFakeTimers({ ...GOES_ON, now });
}
