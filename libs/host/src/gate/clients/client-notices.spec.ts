import { ClientNotices } from './client-notices.js';

const REFUSED = 'connection refused by the access rules';

describe('The line of a connection that no access rule allows', () => {
  const linesOf = (address: string | null, gateway: string | null): unknown[] => {
    const lines: unknown[] = [];
    new ClientNotices({ warn: (...line) => lines.push(line) }, () => gateway).connection(address);
    return lines;
  };

  it('says what rules by address see behind NAT, if the client has the address of the gateway of the network', () => {
    expect(linesOf('172.17.0.1', '172.17.0.1')).toEqual([
      [REFUSED, { address: '172.17.0.1', hint: expect.stringContaining('behind NAT') }],
    ]);
  });

  it.each([
    ['192.0.2.1', '172.17.0.1'],
    ['192.0.2.1', null],
    [null, null],
  ])('has no such hint for %s with the gateway %s', (address, gateway) => {
    expect(linesOf(address, gateway)).toEqual([[REFUSED, { address }]]);
  });
});
