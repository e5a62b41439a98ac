import type { Input, Supervisor } from '@landlord/sdk';
import { commandLine, quoted } from '../../../lib/command-line.js';

export const PROTOCOLS = ['tcp', 'http', 'websocket', 'udp'] as const;

export type Protocol = (typeof PROTOCOLS)[number];

/** What a person has written. */
export interface RuleDraft {
  name: string;
  /** CIDRs, with spaces, commas or line ends between them. */
  addresses: string;
  protocols: readonly Protocol[];
}

export const EMPTY: RuleDraft = { name: '', addresses: '', protocols: ['tcp', 'http', 'websocket'] };

export const cidrsIn = (addresses: string): string[] => addresses.split(/[\s,;]+/).filter((one) => one !== '');

/** The addresses with one more, once. */
export const withAddress = (addresses: string, cidr: string): string =>
  [...new Set([...cidrsIn(addresses), cidr])].join(', ');

/** The body of the request. */
export const ruleOf = (
  deployment_id: number,
  { name, addresses, protocols }: RuleDraft,
): Input<Supervisor.AccessRulesCreateData> => ({
  deployment_id,
  name: name.trim(),
  cidr_blocks: cidrsIn(addresses),
  rules: Object.fromEntries(PROTOCOLS.map((one) => [`broker_${one}`, protocols.includes(one)])),
});

/** The line of the command line that adds the same rule. */
export const lineOf = (deployment: number, { name, addresses, protocols }: RuleDraft): string =>
  commandLine({
    command: ['rules add', ...cidrsIn(addresses).map(quoted)].join(' '),
    options: { name: name.trim(), protocols: protocols.join(','), deployment },
  });

/** The protocols of a rule in words. */
export const openedBy = (rules: Supervisor.RuleFlagsView): string =>
  PROTOCOLS.filter((one) => rules[`broker_${one}`]).join(', ');
