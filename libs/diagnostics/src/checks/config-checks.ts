import { countText, momentText, secondsText } from '../quantity.js';
import type { ReportConfig, ReportRule, SnapshotData } from '../snapshot-data.js';
import { bad, eachNode, ok, unknown, warn, type Check } from './check.js';

const SOON_SECONDS = 7 * 86_400;
const OLD_SECONDS = 365 * 86_400;
const EVERYBODY = ['0.0.0.0/0', '::/0'];
/** Networks larger than this are probably larger than intended. */
const WIDE_BITS = { v4: 8, v6: 32 };

const primary = ({ configs }: SnapshotData): ReportConfig | undefined => configs.find(({ is_primary: is }) => is);
const age = (since: string, { snapshot }: SnapshotData): number =>
  (Date.parse(snapshot.built_at) - Date.parse(since)) / 1000;
const living = (data: SnapshotData): ReportRule[] =>
  data.access_rules.filter(({ valid_to: end }) => end === null || age(end, data) < 0);

/** Checks that nodes have applied the wanted state, and which networks have access. */
export const CONFIG_CHECKS: readonly Check[] = [
  {
    id: 'generation_applied',
    group: 'Configuration',
    name: 'Nodes have applied their newest document',
    advice: 'A node that lags is unreachable, or refuses the document: its last error and its log say why.',
    look: eachNode((node) => {
      const { wanted_generation: wanted, observed_generation: observed } = node;
      if (wanted === null) return unknown('has no document yet');
      // A snapshot itself publishes a document, so the newest one may not be applied yet.
      if (observed >= wanted - 1) return ok(`generation ${observed}`);
      return warn(`has generation ${observed}, wanted is ${wanted}`);
    }, 'All nodes have the newest document, or the one before.'),
  },
  {
    id: 'config_applied',
    group: 'Configuration',
    name: 'Nodes run by the active configuration',
    advice: 'Apply it: POST …/tasks, or the activity reconfigure.',
    look: eachNode((node, data) => {
      const active = primary(data);
      if (!node.told) return null;
      if (!active) return unknown('there is no active configuration');
      const { version, id } = node.told.config;
      return id === active.id ? ok(`version ${version}`) : warn(`runs version ${version}, active is ${active.version}`);
    }, 'All nodes run by the active configuration.'),
  },
  {
    id: 'config_release',
    group: 'Configuration',
    name: 'The active configuration was made for the broker that runs',
    advice: 'Save the configuration again: it is checked against the release that runs, and activate it.',
    look: (data) => {
      const active = primary(data);
      const versions = [...new Set(data.nodes.map(({ version }) => version))];
      if (!active) return unknown('There is no active configuration.');
      const seen = `It was saved for ${active.runtime_version}; the nodes run ${versions.join(', ')}.`;
      return versions.every((version) => version === active.runtime_version) ? ok(seen) : warn(seen);
    },
  },
  {
    id: 'credentials_applied',
    group: 'Configuration',
    name: 'Nodes have the same client credentials',
    advice: 'A rotation is going on, or was given up half-way: see the operations.',
    look: ({ nodes }) => {
      const versions = [...new Set(nodes.flatMap(({ told }) => told?.document.credentials_version ?? []))];
      if (versions.length === 0) return unknown('No node tells of them.');
      return versions.length === 1 ? ok('All nodes have the same.') : warn('Some nodes have others.');
    },
  },
  {
    id: 'credentials_age',
    group: 'Access',
    name: 'Client credentials are younger than a year',
    advice: 'Rotate them: POST …/credentials/rotate.',
    look: (data) => {
      const since = data.deployment.credentials_since;
      if (since === null) return unknown('Nobody knows when they were made.');
      const seconds = age(since, data);
      const seen = `They are ${secondsText(Math.max(0, seconds))} old.`;
      return seconds > OLD_SECONDS ? warn(seen) : ok(seen);
    },
  },
  {
    id: 'open_to_world',
    group: 'Access',
    name: 'No access rule lets everybody in',
    advice: 'Name the networks of your clients instead of 0.0.0.0/0 or ::/0.',
    look: (data) => {
      const open = living(data).filter(({ cidr_blocks: blocks }) => blocks.some((one) => EVERYBODY.includes(one)));
      return open.length === 0 ? ok('None does.') : warn(`These do: ${open.map(({ name }) => name).join(', ')}.`);
    },
  },
  {
    id: 'wide_networks',
    group: 'Access',
    name: 'No access rule names a network of millions',
    advice: 'Name the networks of your clients more narrowly.',
    look: (data) => {
      const wide = living(data).filter(({ cidr_blocks: blocks }) => blocks.some(isWide));
      return wide.length === 0 ? ok('None does.') : warn(`These do: ${wide.map(({ name }) => name).join(', ')}.`);
    },
  },
  {
    id: 'expiring_rules',
    group: 'Access',
    name: 'No access rule ends within a week',
    advice: 'Clients that it lets in are cut off then: add a rule that lasts, if they are to stay.',
    look: (data) => {
      const soon = living(data).filter(({ valid_to: end }) => end !== null && age(end, data) > -SOON_SECONDS);
      const names = soon.map(({ name, valid_to: end }) => `${name} (${momentText(end ?? '')})`);
      return soon.length === 0 ? ok('None does.') : warn(`These do: ${names.join(', ')}.`);
    },
  },
  {
    id: 'anybody_let_in',
    group: 'Access',
    name: 'Somebody is let in',
    advice: 'Add an access rule: without one no client gets in.',
    look: (data) => {
      const count = living(data).length;
      return count === 0 ? warn('No rule lets anybody in.') : ok(`${countText(count, 'rule')} in force.`);
    },
  },
  {
    id: 'gate_applied',
    group: 'Access',
    name: 'Gates enforce the access rules in force',
    advice: 'The gate of the node lags: see whether the node reaches the gateway, and its log.',
    look: eachNode((node, data) => {
      if (!node.told) return null;
      const wanted = new Set(data.access_rules.map(({ id }) => id));
      const has = node.told.gate.rules.map(({ id }) => id);
      const extra = has.filter((id) => !wanted.has(id));
      if (extra.length > 0) return bad(`${countText(extra.length, 'rule')} too many`);
      return has.length < wanted.size ? warn(`lacks ${countText(wanted.size - has.length, 'rule')}`) : ok('the same');
    }, 'All gates have exactly the rules that there are.'),
  },
];

const isWide = (cidr: string): boolean => {
  const bits = Number(cidr.split('/')[1] ?? Number.NaN);
  return bits > 0 && bits < (cidr.includes(':') ? WIDE_BITS.v6 : WIDE_BITS.v4);
};
