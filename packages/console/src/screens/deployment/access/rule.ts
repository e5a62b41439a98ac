import type { Supervisor } from '@landlord/sdk';

const PROTOCOLS = ['tcp', 'http', 'websocket', 'udp'] as const;

/** The addresses with one more, once. An address stands on a line of its own. */
export const withAddress = (addresses: string, cidr: string): string =>
  [...new Set([...addresses.split(/[\s,]+/).filter((one) => one !== ''), cidr])].join('\n');

/** The protocols of a rule in words. */
export const openedBy = (rules: Supervisor.RuleFlagsView): string =>
  PROTOCOLS.filter((one) => rules[`broker_${one}`]).join(', ');
