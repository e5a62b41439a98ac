import type { Command } from 'commander';
import type { Verb, VerbArgument, VerbOption } from '../verb.js';

/** Values by the member of the request, where the API description has none. */
const SAMPLES: Readonly<Record<string, string>> = {
  ...{ tenant_id: '1', division_id: 'payments', environment_id: 'prod', deployment_id: 'orders' },
  ...{
    access_rule_id: 'office',
    api_key_id: 'ci',
    role_id: 'viewer',
    member_id: 'ann@example.com',
    channel_id: 'alerts',
  },
  ...{
    backup_id: 'before',
    cloud_account_id: 'main-account',
    connector_instance_id: 'orders-sink',
    snapshot_id: 'slow',
  },
  ...{ billing_report_id: '2026-11', invoice_id: '2026-11-0001', invitation_id: 'ann@example.com' },
  ...{
    join_request_id: 'ann@example.com',
    name: 'example',
    email: 'ann@example.com',
    roles: 'viewer',
    members: 'ann@example.com',
  },
  ...{ cidr_blocks: '203.0.113.0/24', expiry_at: '90d', config_name: 'broker', version: '2', runtime: 'broker' },
  ...{ region: 'us-east-1', key: 'http', 'storage.size': '100', tier: 'small', types: 'deployment_created' },
};
const OF_KINDS = { text: 'text', number: '1', flag: 'true', texts: 'text', numbers: '1', json: '{}' };

/** A whole command of the verb: with each argument, and with the options that a request needs. */
export function exampleOf(group: string, verb: Verb): string {
  const options = verb.options.filter(({ required }) => required).map((one) => `--${one.name} ${quoted(valueOf(one))}`);
  const place = verb.levels.includes('deployment_id') ? [`-d ${SAMPLES['deployment_id']}`] : [];
  const waits = verb.waits ? ['--wait'] : [];
  const words = verb.arguments.map((one) => quoted(sampleOf(one) ?? '1'));
  return ['landlord', group, verb.name, ...words, ...options, ...place, ...waits].join(' ');
}

const sampleOf = ({ member, example }: Pick<VerbArgument, 'member' | 'example'>): string | undefined =>
  example ?? SAMPLES[member];
const valueOf = (option: VerbOption): string => option.choices?.[0] ?? sampleOf(option) ?? OF_KINDS[option.kind];

/** One word of a shell. */
const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** Shows the examples behind the options. */
export const withExamples = (command: Command, examples: readonly string[]): Command =>
  examples.length === 0
    ? command
    : command.addHelpText('after', ['', 'Examples:', ...examples.map((one) => `  $ ${one}`)].join('\n'));
