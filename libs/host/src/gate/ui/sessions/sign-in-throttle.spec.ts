import { SignInThrottle } from './sign-in-throttle.js';

const START = 1_000_000;
const MINUTE = 60_000;

describe('The wait after failed sign-ins', () => {
  it('starts with the fifth failure of an address, and doubles with each further one up to five minutes', () => {
    const throttle = new SignInThrottle();
    const waits: number[] = [];
    let now = START;
    for (let failure = 1; failure <= 15; failure += 1) {
      throttle.failed('a', now);
      waits.push(throttle.waitMs('a', now));
      now += throttle.waitMs('a', now);
    }

    expect(waits.slice(0, 8)).toEqual([0, 0, 0, 0, 1_000, 2_000, 4_000, 8_000]);
    expect(Math.max(...waits)).toBe(5 * MINUTE);
    expect(throttle.waitMs('a', now)).toBe(0);
  });

  it('concerns one address, until 25 failures of all addresses', () => {
    const throttle = new SignInThrottle();
    for (let failure = 0; failure < 24; failure += 1) throttle.failed(`address ${failure % 6}`, START);
    expect(throttle.waitMs('another', START)).toBe(0);

    throttle.failed('address 7', START);

    expect(throttle.waitMs('another', START)).toBe(1_000);
    for (let failure = 0; failure < 30; failure += 1) throttle.failed('address 8', START);
    expect(throttle.waitMs('another', START)).toBe(30_000);
  });

  it('ends with a success, and after 15 minutes without a failure', () => {
    const throttle = new SignInThrottle();
    for (let failure = 0; failure < 4; failure += 1) throttle.failed('a', START);
    throttle.succeeded('a');
    throttle.failed('a', START);
    expect(throttle.waitMs('a', START)).toBe(0);

    for (let failure = 0; failure < 9; failure += 1) throttle.failed('b', START);
    throttle.failed('b', START + 20 * MINUTE);
    expect(throttle.waitMs('b', START + 20 * MINUTE)).toBe(0);
  });

  it('stores at most 1,000 addresses', () => {
    const throttle = new SignInThrottle();
    for (let address = 0; address < 3_000; address += 1) throttle.failed(`address ${address}`, START);

    expect((Reflect.get(throttle, 'byAddress') as Map<string, unknown>).size).toBe(1_000);
  });
});
