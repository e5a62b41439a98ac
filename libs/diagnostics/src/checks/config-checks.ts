import { countText, momentText, secondsText } from '../quantity.js';
import type { ReportConfig, ReportRule, SnapshotData } from '../snapshot-data.js';
import { age, bad, eachNode, eachReport, inGroup, ok, unknown, warn, type Check } from './check.js';

const SOON_SECONDS = 7 * 86_400;
const OLD_SECONDS = 365 * 86_400;
const EVERYBODY = ['0.0.0.0/0', '::/0'];
/** Networks larger than this are probably larger than intended. */
const WIDE_BITS = { v4: 8, v6: 32 };

const primary = ({ configs }: SnapshotData): ReportConfig | undefined => configs.find(({ is_primary: is }) => is);
const living = (data: SnapshotData): ReportRule[] =>
  data.access_rules.filter(({ valid_to: end }) => end === null || age(end, data) < 0);

/** Checks that nodes have applied the wanted state, and which networks have access. */
export const CONFIG_CHECKS: readonly Check[] = [
  ...inGroup('Configuration', [
    {
      id: 'generation_applied',
      name: 'Nodes have applied their newest document',
      advice: 'Read the last error and the log of the node. The node is unreachable or refuses the document.',
      look: eachNode((node) => {
        const { wanted_generation: wanted, observed_generation: observed } = node;
        if (wanted === null) return unknown('has no document');
        // A snapshot itself publishes a document, so the newest one may not be applied yet.
        if (observed >= wanted - 1) return ok(`generation ${observed}`);
        return warn(`has applied generation ${observed}, the newest is ${wanted}`);
      }, 'All nodes have the newest document or the document before.'),
    },
    {
      id: 'config_applied',
      name: 'Nodes use the active configuration',
      advice: 'Apply the active configuration: POST …/tasks, or the activity reconfigure.',
      look: eachReport((report, data) => {
        const active = primary(data);
        if (!active) return unknown('the deployment has no active configuration');
        const { version, id } = report.config;
        return id === active.id
          ? ok(`version ${version}`)
          : warn(`uses version ${version}, version ${active.version} is active`);
      }, 'All nodes use the active configuration.'),
    },
    {
      id: 'config_release',
      name: 'The active configuration matches the version of the broker',
      advice: 'Save the configuration again, then activate it. Landlord checks it against the running version.',
      look: (data) => {
        const active = primary(data);
        const versions = [...new Set(data.nodes.map(({ version }) => version))];
        if (!active) return unknown('The deployment has no active configuration.');
        const seen = `The configuration was saved for ${active.runtime_version}. The nodes run ${versions.join(', ')}.`;
        return versions.every((version) => version === active.runtime_version) ? ok(seen) : warn(seen);
      },
    },
    {
      id: 'credentials_applied',
      name: 'Nodes have the same client credentials',
      advice: 'Check the operations. A rotation of credentials is running, or it stopped before its end.',
      look: ({ nodes }) => {
        const versions = [...new Set(nodes.flatMap(({ told }) => told?.document.credentials_version ?? []))];
        if (versions.length === 0) return unknown('No node reported the version of its credentials.');
        return versions.length === 1
          ? ok('All nodes have the same credentials.')
          : warn('The nodes have different credentials.');
      },
    },
  ]),
  ...inGroup('Access', [
    {
      id: 'credentials_age',
      name: 'Client credentials are younger than a year',
      advice: 'Rotate the credentials: POST …/credentials/rotate.',
      look: (data) => {
        const since = data.deployment.credentials_since;
        if (since === null) return unknown('Landlord has no creation time of the credentials.');
        const seconds = age(since, data);
        const seen = `The credentials are ${secondsText(Math.max(0, seconds))} old.`;
        return seconds > OLD_SECONDS ? warn(seen) : ok(seen);
      },
    },
    {
      id: 'open_to_world',
      name: 'No access rule allows all addresses',
      advice: 'Replace 0.0.0.0/0 and ::/0 with the networks of your clients.',
      look: (data) => {
        const open = living(data).filter(({ cidr_blocks: blocks }) => blocks.some((one) => EVERYBODY.includes(one)));
        return open.length === 0 ? ok('No rule does.') : warn(`Rules: ${open.map(({ name }) => name).join(', ')}.`);
      },
    },
    {
      id: 'wide_networks',
      name: 'No access rule allows a network of millions of addresses',
      advice: 'Allow only the networks of your clients.',
      look: (data) => {
        const wide = living(data).filter(({ cidr_blocks: blocks }) => blocks.some(isWide));
        return wide.length === 0 ? ok('No rule does.') : warn(`Rules: ${wide.map(({ name }) => name).join(', ')}.`);
      },
    },
    {
      id: 'expiring_rules',
      name: 'No access rule expires within a week',
      advice: 'Add a rule with a later end if clients still need access. Clients lose access when the rule expires.',
      look: (data) => {
        const soon = living(data).filter(({ valid_to: end }) => end !== null && age(end, data) > -SOON_SECONDS);
        const names = soon.map(({ name, valid_to: end }) => `${name} (${momentText(end ?? '')})`);
        return soon.length === 0 ? ok('No rule does.') : warn(`Rules: ${names.join(', ')}.`);
      },
    },
    {
      id: 'anybody_let_in',
      name: 'An access rule allows clients',
      advice: 'Add an access rule. Without an access rule no client can connect.',
      look: (data) => {
        const count = living(data).length;
        return count === 0
          ? warn('The deployment has no access rule in force.')
          : ok(`${countText(count, 'rule')} in force.`);
      },
    },
    {
      id: 'gate_applied',
      name: 'Gates enforce the access rules in force',
      advice:
        'The gate of the node has old rules. Check that the node reaches the gateway, and read the log of the node.',
      look: eachReport((report, data) => {
        const wanted = new Set(data.access_rules.map(({ id }) => id));
        const has = report.gate.rules.map(({ id }) => id);
        const extra = has.filter((id) => !wanted.has(id));
        if (extra.length > 0) return bad(`has ${countText(extra.length, 'extra rule')}`);
        return has.length < wanted.size
          ? warn(`lacks ${countText(wanted.size - has.length, 'rule')}`)
          : ok('has the same rules');
      }, 'All gates have exactly the access rules of the deployment.'),
    },
  ]),
];

const isWide = (cidr: string): boolean => {
  const bits = Number(cidr.split('/')[1] ?? Number.NaN);
  return bits > 0 && bits < (cidr.includes(':') ? WIDE_BITS.v6 : WIDE_BITS.v4);
};
