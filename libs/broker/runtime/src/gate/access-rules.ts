import { BlockList, isIPv4 } from 'node:net';
import type { BrokerProtocol, GateRule } from '@libs/domain';

interface CompiledRule {
  addresses: BlockList;
  protocols: ReadonlySet<BrokerProtocol>;
  validToMs: number;
}

/** Access rules compiled for lookups. Without a rule that allows it, everything is denied; IPv6 peers always are. */
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

  /** How many rules have not ended. It changes exactly when the passing of time changes what is allowed. */
  countValid(nowMs: number): number {
    return this.compiled.filter((rule) => nowMs < rule.validToMs).length;
  }
}

/** Plain form of an IPv4 peer, also when the listener saw it mapped into IPv6; null for anything else. */
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

/** A range that cannot be read allows nothing: the gate fails closed, and the other ranges go on working. */
function addCidr(addresses: BlockList, cidr: string): void {
  const [network = '', bits = '32'] = cidr.split('/');
  const prefix = Number(bits);
  if (!isIPv4(network) || !/^\d{1,2}$/.test(bits) || prefix > 32) return;
  addresses.addSubnet(network, prefix, 'ipv4');
}

/** An end that cannot be read has passed. */
function endOf(validTo: string | null): number {
  if (validTo === null) return Number.POSITIVE_INFINITY;
  const end = Date.parse(validTo);
  return Number.isNaN(end) ? Number.NEGATIVE_INFINITY : end;
}
