import type { Request } from 'express';
import { isFromThisMachine } from './from-this-machine.js';

const request = (remoteAddress: string | undefined, headers: Record<string, string> = {}): Request =>
  ({ headers, socket: { remoteAddress } }) as unknown as Request;

describe('A request', () => {
  it.each(['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1'])('comes from this machine from %s', (address) => {
    expect(isFromThisMachine(request(address))).toBe(true);
  });

  it.each(['10.0.0.1', '128.0.0.1', '::2', '::ffff:10.0.0.1', '', undefined])(
    'comes from another machine, or an unknown one, from %s',
    (address) => {
      expect(isFromThisMachine(request(address))).toBe(false);
    },
  );

  it.each(['forwarded', 'via', 'x-real-ip', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'])(
    'does not come from this machine with the header %s, also when it is empty',
    (name) => {
      expect(isFromThisMachine(request('127.0.0.1', { [name]: '127.0.0.1' }))).toBe(false);
      expect(isFromThisMachine(request('127.0.0.1', { [name]: '' }))).toBe(false);
    },
  );
});
