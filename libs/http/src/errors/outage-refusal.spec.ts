import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { OutcomeUnknown } from '@libs/domain';
import { outageRefusal } from './outage-refusal.js';
import { RefusalLog } from './refusal-log.js';
import { repeatOnce } from './repeat-once.js';

const errorOf = (code: string): Error => Object.assign(new Error('on 10.0.0.7'), { code });

describe('The refusal for an outage', () => {
  it.each([
    ['57P01', 'service_busy', 503, 1],
    ['57014', 'service_busy', 503, 1],
    ['53100', 'storage_full', 503, 5],
    ['ENOSPC', 'storage_full', 503, 5],
  ])('%s is %s', (code, refusal, status, seconds) => {
    const error = outageRefusal(errorOf(code));

    expect(error).toMatchObject({ code: refusal, status, isRetryable: true, retryAfterSeconds: seconds, members: {} });
    expect(error?.detail).not.toContain('10.0.0.7');
  });

  it('says when nobody knows whether the change was stored', () => {
    expect(outageRefusal(new OutcomeUnknown(errorOf('ECONNRESET')))).toMatchObject({
      code: 'service_busy',
      members: { outcome: 'unknown' },
      detail: expect.stringContaining('It is not known'),
    });
    expect(outageRefusal(new TypeError('a bug'))).toBeNull();
  });
});

describe('Work that may run twice', () => {
  const failing = (...codes: string[]) => {
    const state = { runs: 0 };
    const work = async (): Promise<string> => {
      const code = codes[state.runs];
      state.runs += 1;
      if (code !== undefined) throw errorOf(code);
      return 'done';
    };
    return { state, work };
  };

  it.each([['57P01'], ['ECONNREFUSED'], ['40001']])(
    'runs a second time after %s, and not a third time',
    async (code) => {
      const once = failing(code);
      const twice = failing(code, code);

      expect(await repeatOnce(once.work)).toBe('done');
      await expect(repeatOnce(twice.work)).rejects.toMatchObject({ code });
      expect([once.state.runs, twice.state.runs]).toEqual([2, 2]);
    },
  );

  it.each([['57014'], ['53100'], ['ENOSPC'], ['53300'], ['23505']])('runs once when %s ends it', async (code) => {
    const { state, work } = failing(code);

    await expect(repeatOnce(work)).rejects.toMatchObject({ code });
    expect(state.runs).toBe(1);
  });
});

describe('The log of refused requests', () => {
  it('has one warning a minute for each code, with the number of the others', () => {
    const logger = new Logger('test');
    const [warn, debug] = [jest.spyOn(logger, 'warn').mockReturnValue(), jest.spyOn(logger, 'debug').mockReturnValue()];
    let now = 0;
    const log = new RefusalLog(logger, () => now);

    for (let request = 0; request < 50; request += 1) log.tell('storage_full', {});
    log.tell('service_busy', {});
    now = 60_000;
    log.tell('storage_full', {});

    expect(warn.mock.calls.map(([fields]) => fields)).toEqual([
      { code: 'storage_full', alike: 0 },
      { code: 'service_busy', alike: 0 },
      { code: 'storage_full', alike: 49 },
    ]);
    expect(debug).toHaveBeenCalledTimes(49);
  });
});
