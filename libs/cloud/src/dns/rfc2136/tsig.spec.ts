import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Recording } from '../../../test/dns-packets.fixture.js';
import { SCENARIO_KEYS } from '../../../test/dns-scenario.fixture.js';
import { decodeReply } from './dns-message.js';
import { checkSignature, TSIG_ERRORS } from './tsig.js';

const { at, exchanges } = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../../test/bind-packets.json'), 'utf8'),
) as Recording;
const KEY = { name: 'landlord', secret: Buffer.from(SCENARIO_KEYS.landlord, 'base64') };
const NOW = Math.floor(at / 1000);
const [FIRST, SECOND] = exchanges;

/** The signature is the last record of a request: 32 bytes, and six bytes after them. */
const macOf = (exchange = FIRST): Buffer => Buffer.from(exchange?.request ?? '', 'hex').subarray(-38, -6);

describe('The signature of an answer of BIND', () => {
  const check = ({ key = KEY, mac = macOf(), now = NOW, answer = FIRST?.answer ?? '' } = {}) => {
    const bytes = Buffer.from(answer, 'hex');
    return checkSignature(bytes, decodeReply(bytes), key, mac, now);
  };

  it('is valid for its request, its key and its time', () => {
    expect(check()).toEqual({ isVerified: true, error: 0, serverSeconds: null });
  });

  it.each([
    ['of another request', { mac: macOf(SECOND) }],
    ['with another secret', { key: { ...KEY, secret: Buffer.from(SCENARIO_KEYS.stranger, 'base64') } }],
    ['with the name of another key', { key: { ...KEY, name: 'other' } }],
    ['that is old', { now: NOW + 400 }],
    ['from the future', { now: NOW - 400 }],
  ])('is not valid for an answer %s', (_what, over) => {
    expect(check(over).isVerified).toBe(false);
  });

  it('names the clock of the server when the clocks differ', () => {
    const clocks = exchanges
      .map(({ request, answer }) => check({ answer, mac: macOf({ request, answer }), now: NOW - 3_600 }))
      .filter(({ error }) => error === TSIG_ERRORS.BADTIME);

    expect(clocks).toEqual([{ isVerified: true, error: TSIG_ERRORS.BADTIME, serverSeconds: expect.any(Number) }]);
    expect(Math.abs((clocks[0]?.serverSeconds ?? 0) - NOW)).toBeLessThan(60);
  });
});
