import { isLoopbackHost } from './loopback-host.js';

describe('A host that a listener uses', () => {
  it.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.1.2.3', '::1'])('is a loopback: %s', (host) => {
    expect(isLoopbackHost(host)).toBe(true);
  });

  it.each(['0.0.0.0', '::', '', '10.0.0.1', '128.0.0.1', 'localhost.example', 'host.example'])(
    'is no loopback: %s',
    (host) => {
      expect(isLoopbackHost(host)).toBe(false);
    },
  );
});
