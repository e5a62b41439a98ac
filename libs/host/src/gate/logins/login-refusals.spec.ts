import { jest } from '@jest/globals';
import { LoginRefusals } from './login-refusals.js';

describe('the refused sign-ins of a node', () => {
  it('are counted for each address, newest last', () => {
    const refusals = new LoginRefusals();
    for (const address of ['10.0.0.1', '10.0.0.2', '10.0.0.1']) refusals.note(address);

    expect(refusals.total).toBe(3);
    expect(refusals.recent()).toEqual([
      { address: '10.0.0.2', count: 1, at: expect.any(Number) },
      { address: '10.0.0.1', count: 2, at: expect.any(Number) },
    ]);
  });

  it('are forgotten after an hour, but stay in the total', () => {
    jest.useFakeTimers({ now: 0 });
    const refusals = new LoginRefusals();
    refusals.note('10.0.0.1');
    jest.setSystemTime(1_800_000);
    refusals.note('10.0.0.2');
    jest.setSystemTime(3_600_000);

    expect(refusals.recent()).toEqual([{ address: '10.0.0.2', count: 1, at: 1_800_000 }]);
    expect(refusals.total).toBe(2);
    jest.useRealTimers();
  });

  it('of many addresses use bounded memory, and those of the node itself have no address', () => {
    const refusals = new LoginRefusals();
    refusals.note(null);
    for (let number = 0; number < 1_000; number += 1) refusals.note(`10.0.${number >> 8}.${number & 255}`);

    expect(refusals.total).toBe(1_001);
    expect(refusals.recent()).toHaveLength(20);
    expect(refusals.recent().at(-1)?.address).toBe('10.0.3.231');
  });
});
