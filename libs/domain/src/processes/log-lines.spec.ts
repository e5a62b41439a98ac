import { jest } from '@jest/globals';
import { LogLines } from './log-lines.js';

const LIMITS = { alarmBytes: 1_000, allBytes: 3_000 };
const MINUTE_MS = 60_000;

const lineOf = (members: object): string =>
  `${JSON.stringify({ level: 40, time: new Date().toISOString(), ...members })}\n`;

describe('The log lines of a process', () => {
  let written: string[];
  let lines: LogLines;
  beforeEach(() => {
    jest.useFakeTimers();
    written = [];
    lines = new LogLines((line) => void written.push(line), { level: 40, app: 'main-api' }, LIMITS);
  });
  afterEach(() => jest.useRealTimers());

  const records = () => written.map((line) => JSON.parse(line) as Record<string, unknown>);
  const bytes = (): number => written.join('').length;

  it('tell an alarm at once, and its repeats once at the end of the minute', () => {
    for (let n = 0; n < 10_000; n += 1) {
      lines.add('alarm', lineOf({ msg: 'refused' }));
      jest.advanceTimersByTime(1);
    }
    expect(records()).toMatchObject([{ msg: 'refused' }]);

    jest.advanceTimersByTime(MINUTE_MS);
    expect(records()).toMatchObject([{ msg: 'refused' }, { msg: 'refused', repeated: 9_999 }]);
    expect(records()[1]?.['time']).not.toBe(records()[0]?.['time']);

    lines.add('alarm', lineOf({ msg: 'refused' }));
    expect(records()[2]).not.toHaveProperty('repeated');
  });

  it('are equal also with other stacks of the same error', () => {
    const err = { type: 'Error', message: 'the "pool" is full' };
    for (const stack of ['Error: the "pool"\n at one', 'Error: the "pool"\n at two'])
      lines.add('alarm', lineOf({ err: { ...err, stack }, msg: 'pass failed' }));
    lines.add('alarm', lineOf({ err: { ...err, message: 'away', stack: 'Error: away' }, msg: 'pass failed' }));

    expect(records().map((record) => (record['err'] as typeof err).message)).toEqual(['the "pool" is full', 'away']);
  });

  it('are told apart by every other member', () => {
    for (const operation of [1, 2, 1]) lines.add('alarm', lineOf({ operation, msg: 'failed' }));
    jest.advanceTimersByTime(MINUTE_MS);

    expect(records()).toMatchObject([{ operation: 1 }, { operation: 2 }, { operation: 1, repeated: 1 }]);
  });

  it('stay below the limit of alarms, and tell what is left out', () => {
    for (let n = 0; n < 5_000; n += 1) lines.add('alarm', lineOf({ n, msg: 'different' }));
    expect(bytes()).toBeLessThanOrEqual(LIMITS.alarmBytes);

    lines.add('plain', lineOf({ msg: 'request answered' }));
    expect(records().at(-1)).toMatchObject({ msg: 'request answered' });

    const before = written.length;
    jest.advanceTimersByTime(MINUTE_MS);
    expect(records().slice(before)).toMatchObject([{ level: 40, app: 'main-api', lines: 5_000 - before + 1 }]);
    expect(records().at(-1)?.['msg']).toContain('left out');
  });

  it('stay below the limit of all lines, but always tell why a process ends', () => {
    for (let n = 0; n < 5_000; n += 1) lines.add('plain', lineOf({ n, msg: 'request answered' }));
    expect(bytes()).toBeLessThanOrEqual(LIMITS.allBytes);

    lines.add('last', lineOf({ msg: 'ends' }));
    expect(records().at(-1)).toMatchObject({ msg: 'ends' });
  });

  it('are all written when they are few and different', () => {
    for (let minute = 0; minute < 5; minute += 1) {
      for (const n of [1, 2, 3]) lines.add('alarm', lineOf({ minute, n, msg: 'different' }));
      jest.advanceTimersByTime(MINUTE_MS);
    }

    expect(records()).toHaveLength(15);
    expect(records().filter((record) => 'repeated' in record)).toEqual([]);
  });
});
