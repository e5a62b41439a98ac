import { defaultGateway } from './default-gateway.js';

const HEAD = 'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n';
const NETWORK = 'eth0\t000011AC\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0\n';

describe('The gateway of the default route', () => {
  it.each([
    ['of a container', `${HEAD}eth0\t00000000\t010011AC\t0003\t0\t0\t0\t00000000\t0\t0\t0\n${NETWORK}`, '172.17.0.1'],
    [
      'after other routes',
      `${HEAD}${NETWORK}eth0\t00000000\tFE01A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0\n`,
      '192.168.1.254',
    ],
    ['missing: a route to one network', `${HEAD}${NETWORK}`, null],
    [
      'missing: a default route without a gateway',
      `${HEAD}eth0\t00000000\t00000000\t0001\t0\t0\t0\t00000000\t0\t0\t0\n`,
      null,
    ],
    ['missing: no network', HEAD, null],
    ['missing: another system', '', null],
  ])('%s', (_, table, gateway) => {
    expect(defaultGateway(table)).toBe(gateway);
  });
});
