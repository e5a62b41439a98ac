import { jest } from '@jest/globals';
import { stopClock } from '@libs/testing/basics';
import { cronFault, nextRun } from './schedule-times.js';

const AFTER = new Date('2026-11-23T10:20:30Z');
const HOUR = 3_600_000;
const cron = (text: string) => ({ cron: text, every_hours: null, keep: 1 });
const every = (hours: number) => ({ cron: null, every_hours: hours, keep: 1 });

afterEach(() => jest.useRealTimers());

describe('A cron expression', () => {
  it.each(['0 3 * * 0,7', '0  3 * * *', ' 0 3 * * * ', '0\t3 * * sun', '0 3 * * 5-7', '0 3 1,1 * *'])(
    'is taken as crontab takes it: %j',
    (text) => {
      expect(cronFault(text)).toBeNull();
      expect(nextRun({ cron: text, every_hours: null, keep: 1 }, 1, new Date()).getTime()).toBeGreaterThan(Date.now());
    },
  );

  it.each(['0 3 * * *', '30 */2 * * *', '15 4 1,15 * MON-FRI', '0 0 29 2 *', '59 23 31 12 *'])(
    '%s is usable',
    (text) => {
      expect(cronFault(text)).toBeNull();
    },
  );

  it.each([
    ['', 'five fields'],
    ['0 3 * *', 'five fields'],
    ['0 0 3 * * *', 'five fields'],
    ['@daily', 'five fields'],
    ['H 3 * * ?', 'five fields'],
    ['0 3 30 2 *', 'whose time comes'],
    ['61 3 * * *', 'such as 0 3 * * 1-5'],
    ['0 3 31 4 *', 'whose time comes'],
    ['x y z a b', 'such as 0 3 * * 1-5'],
    ['0,59 3 * * *', 'an hour'],
    ['*/30 * * * *', 'an hour'],
    ['* * * * *', 'an hour'],
  ])('%s is refused', (text, reason) => {
    expect(cronFault(text)).toContain(reason);
  });

  it.each(['02:59', '03:00', '03:30', '03:59', '04:00'])('has the same verdict at %s as at any other time', (time) => {
    stopClock(new Date(`2026-11-23T${time}:30Z`));

    expect(cronFault('0,59 3 * * *')).toContain('an hour');
    expect(cronFault('59 2,3 * * *')).toBeNull();
    expect(cronFault('0 3 * * *')).toBeNull();
  });
});

describe('The next backup of a schedule', () => {
  it('comes within a quarter of an hour after the time of the cron expression, in UTC', () => {
    for (const id of [1, 2, 3, 40]) {
      const next = nextRun(cron('0 3 * * *'), id, AFTER);

      const late = next.getTime() - Date.parse('2026-11-24T03:00:00Z');
      expect(late).toBeGreaterThanOrEqual(0);
      expect(late).toBeLessThan(HOUR / 4);
    }
  });

  it('follows the last backup by a whole period, also when the last one was late', () => {
    for (const terms of [cron('0 3 * * *'), every(24)]) {
      const first = nextRun(terms, 7, AFTER);
      const second = nextRun(terms, 7, new Date(first.getTime() + 5 * HOUR));

      expect(second.getTime() - first.getTime()).toBe(24 * HOUR);
    }
  });

  it('is after the given time, also when this is a time of the schedule', () => {
    const first = nextRun(every(6), 7, AFTER);

    expect(nextRun(every(6), 7, first).getTime() - first.getTime()).toBe(6 * HOUR);
  });

  it('is at different times for different deployments, and at the same time for each call', () => {
    const times = Array.from({ length: 50 }, (_, id) => nextRun(every(24), id, AFTER).getTime());

    expect(new Set(times).size).toBe(50);
    expect(times).toEqual(times.map((_, id) => nextRun(every(24), id, AFTER).getTime()));
  });
});
