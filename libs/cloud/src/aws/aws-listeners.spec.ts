import { portListeners } from './aws-listeners.js';

const LISTENER = {
  port: 1883,
  target_port: 21883,
  protocol: 'tcp',
  targets: ['one', 'two'],
  health_check_port: 21883,
} as const;
const given = (...changes: object[]) => changes.map((change) => ({ ...LISTENER, targets: ['one', 'two'], ...change }));

describe('Listeners of a balancer of AWS', () => {
  it('are one for each port, also when both protocols use it', () => {
    const listeners = portListeners(given({}, { protocol: 'udp' }, { port: 4433, protocol: 'udp' }, { port: 8883 }));

    expect(listeners.map(({ port, protocol }) => [port, protocol])).toEqual([
      [1883, 'TCP_UDP'],
      [4433, 'UDP'],
      [8883, 'TCP'],
    ]);
  });

  it.each([{ target_port: 1 }, { targets: ['one'] }])('lead to one place for each port: %j', (change) => {
    expect(() => portListeners(given({}, { protocol: 'udp', ...change }))).toThrow(
      'port 1883 of a balancer of AWS leads to one port of the same nodes',
    );
  });
});
