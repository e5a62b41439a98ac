import type { Request } from 'express';
import { isFromThisMachine, isMeantForThisMachine } from './from-this-machine.js';

const request = (remoteAddress: string | undefined, headers: Record<string, string> = {}): Request =>
  ({ headers: { host: '127.0.0.1:3000', ...headers }, socket: { remoteAddress } }) as unknown as Request;

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

  it.each(['localhost', 'LOCALHOST:3000', '127.0.0.1', '127.0.0.1:3000', '127.1.2.3', '[::1]', '[::1]:3000'])(
    'comes from this machine with the host %s',
    (host) => {
      expect(isFromThisMachine(request('127.0.0.1', { host }))).toBe(true);
    },
  );

  it.each([
    ...['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', 'evil.example:3000', '10.0.0.1', '0.0.0.0'],
    ...['', 'localhost@evil.example', 'localhost:3000:1', '[::1', '::1:80x', 'user:127.0.0.1', '[::2]'],
  ])('does not come from this machine with the host %j', (host) => {
    expect(isFromThisMachine(request('127.0.0.1', { host }))).toBe(false);
    expect(isMeantForThisMachine(request('127.0.0.1', { host }))).toBe(false);
  });

  it('can mean this machine from every address', () => {
    expect(isMeantForThisMachine(request('172.17.0.1'))).toBe(true);
    expect(isMeantForThisMachine(request('172.17.0.1', { via: 'a' }))).toBe(false);
  });
});
