import { BlockList, isIP } from 'node:net';

const BITS: Record<number, number> = { 4: 32, 6: 128 };

/** The networks whose connections must begin with a header of the PROXY protocol. */
export class ProxiedRanges {
  private readonly ranges = new BlockList();

  /** Ignores an unreadable range: nobody there is believed, and the access rules apply to the addresses in the range. */
  constructor(cidrs: readonly string[]) {
    for (const cidr of cidrs) this.add(cidr);
  }

  /** Whether the address of a connection is in one of the networks, also where the listener saw it mapped into IPv6. */
  includes(peer = ''): boolean {
    const family = isIP(peer);
    return family !== 0 && this.ranges.check(peer, family === 4 ? 'ipv4' : 'ipv6');
  }

  private add(cidr: string): void {
    const [network = '', bits = ''] = cidr.split('/');
    const family = isIP(network);
    const prefix = Number(bits);
    if (family === 0 || !/^\d{1,3}$/.test(bits) || prefix > (BITS[family] ?? 0)) return;
    this.ranges.addSubnet(network, prefix, family === 4 ? 'ipv4' : 'ipv6');
  }
}
