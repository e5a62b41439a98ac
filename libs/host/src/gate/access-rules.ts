import { BlockList, isIPv4 } from 'node:net';
import type { BrokerProtocol, GateRule } from '@libs/domain';

interface CompiledRule {
  addresses: BlockList;
  protocols: ReadonlySet<BrokerProtocol>;
  validToMs: number;
}

/** Access rules compiled for lookups. Without a matching rule everything is denied. IPv6 peers are always denied. */
export class AccessRules {
  private readonly compiled: CompiledRule[];

  constructor(rules: readonly GateRule[]) {
    this.compiled = rules.map(compile);
  }

  allows(protocol: BrokerProtocol, peer: string | undefined, nowMs: number): boolean {
    const address = ipv4Of(peer);
    if (address === null) return false;
    return this.compiled.some(
      (rule) => nowMs < rule.validToMs && rule.protocols.has(protocol) && rule.addresses.check(address, 'ipv4'),
    );
  }

  /** Number of rules that have not expired. It changes exactly when time changes the allowed connections. */
  countValid(nowMs: number): number {
    return this.compiled.filter((rule) => nowMs < rule.validToMs).length;
  }
}

/** The plain form of an IPv4 peer, also when the listener saw it mapped into IPv6. Null for all other peers. */
export function ipv4Of(peer: string | undefined): string | null {
  if (peer === undefined) return null;
  const plain = peer.toLowerCase().startsWith('::ffff:') ? peer.slice('::ffff:'.length) : peer;
  return isIPv4(plain) ? plain : null;
}

function compile(rule: GateRule): CompiledRule {
  const addresses = new BlockList();
  for (const cidr of rule.cidrs) addCidr(addresses, cidr);
  return { addresses, protocols: new Set(rule.protocols), validToMs: endOf(rule.valid_to) };
}

/** An unreadable range allows nothing: the gate fails closed. The other ranges still work. */
function addCidr(addresses: BlockList, cidr: string): void {
  const [network = '', bits = '32'] = cidr.split('/');
  const prefix = Number(bits);
  if (!isIPv4(network) || !/^\d{1,2}$/.test(bits) || prefix > 32) return;
  addresses.addSubnet(network, prefix, 'ipv4');
}

/** An unreadable end counts as expired. */
function endOf(validTo: string | null): number {
  if (validTo === null) return Number.POSITIVE_INFINITY;
  const end = Date.parse(validTo);
  return Number.isNaN(end) ? Number.NEGATIVE_INFINITY : end;
}
