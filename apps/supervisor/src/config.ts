import { OPERATOR_ACCOUNT_SETTINGS } from '@libs/domain/operator-accounts';
import { catalogProblems } from '@libs/catalog';
import { API_CONNECTION_SETTINGS, GATEWAY_CONNECTION_SETTINGS } from '@libs/domain/connection-settings';
import {
  certificateFileSetting,
  ConfigInvalid,
  givenSettings,
  parseSettings,
  portSetting,
  secondsSetting,
  settingProblems,
  settingValue,
  SHARED_SETTINGS,
  type SettingProblem,
} from '@libs/domain/settings';
import { listSetting } from '@libs/domain/list-settings';
import type { Listener } from '@libs/domain/starts';
import { z } from 'zod';
import { AWS_SETTINGS, awsProblems } from './aws-settings.js';
import { DNS_SETTINGS, dnsProblems } from './dns-settings.js';
import { GCP_SETTINGS, gcpProblems } from './gcp-settings.js';
import { LOCAL_SETTINGS } from './local-settings.js';

/** The clouds of the contract. */
const isRegions = (text: string): boolean => /^(\*|(aws|gcp)\/(\*|[a-z0-9-]{1,64}))$/.test(text);

/** Addresses that only this machine can reach. The gateway uses plain HTTP there only. */
const LOOPBACK = ['127.0.0.1', '::1', 'localhost'];
export const isLoopback = (host: string): boolean => LOOPBACK.includes(host);

/** Whether a process of this role runs the gateway. */
export const hasGateway = ({ LANDLORD_ROLE: role }: { LANDLORD_ROLE?: string | undefined }): boolean =>
  role !== 'api' && role !== 'worker';

const percentSetting = z.coerce.number().min(0).max(100);

/** The settings of the Supervisor. docs/configuration.md is generated from the descriptions. */
export const SUPERVISOR_SETTINGS = z.object({
  ...SHARED_SETTINGS,
  LANDLORD_ROLE: z
    .enum(['api', 'worker', 'gateway', 'all'])
    .default('all')
    .describe(
      'The part of the app that this process runs. `api` serves HTTP. `worker` runs background work. `gateway` serves node agents. `all` runs every part.',
    ),
  MAIN_API_PORT: portSetting.default(3000).describe('The port of the main API.'),
  SUPERVISOR_PORT: portSetting.default(4000).describe('The port of the Supervisor API.'),
  SUPERVISOR_HOST: z.string().default('127.0.0.1').describe('The address that the Supervisor API listens on.'),
  GATEWAY_PORT: portSetting.optional().describe('The port for node agents. Unset: `SUPERVISOR_PORT` + 1.'),
  GATEWAY_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('The address that the gateway listens on. The gateway uses plain HTTP on a loopback address only.'),
  ...API_CONNECTION_SETTINGS,
  ...GATEWAY_CONNECTION_SETTINGS,
  ...OPERATOR_ACCOUNT_SETTINGS,
  SUPERVISOR_CELL: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/, 'must have 1 to 40 of a-z, 0-9 and -')
    .default('local')
    .describe('The name of the cell that this Supervisor serves.'),
  SUPERVISOR_REGIONS: listSetting
    .refine((regions) => regions.every(isRegions), 'must be *, <cloud>/* or <cloud>/<region>, separated by commas')
    .default(['*'])
    .describe(
      'The regions that this Supervisor serves, separated by commas: `<cloud>/<region>`, `<cloud>/*` for a whole cloud, or `*` for every region. Example: `aws/us-east-1,gcp/*`.',
    ),
  SUPERVISOR_PUBLIC_URL: z
    .url()
    .optional()
    .describe(
      'The URL at which clients reach this Supervisor. The API shows it as `supervisor_url`. Unset: `http://127.0.0.1:` and `SUPERVISOR_PORT`.',
    ),
  AGENT_PUBLIC_URL: z
    .url()
    .optional()
    .describe('The URL at which node agents reach the gateway. Unset: `http://127.0.0.1:` and `GATEWAY_PORT`.'),
  AGENT_CA: certificateFileSetting
    .optional()
    .describe(
      'The file with the certificate of the authority that signed `TLS_CERT`, in PEM. Machines and local nodes trust this certificate. Set it if `TLS_CERT` ends with an intermediate certificate of a private authority. Unset: the last certificate in `TLS_CERT`.',
    ),
  ...AWS_SETTINGS,
  ...GCP_SETTINGS,
  ...DNS_SETTINGS,
  ...LOCAL_SETTINGS,
  NODE_UNREACHABLE_SECONDS: secondsSetting
    .default(120)
    .describe(
      'The number of seconds without a report until a node is `unreachable`. The deployment of that node is then `degraded`.',
    ),
  ALERT_HIGH_PERCENT: percentSetting
    .default(90)
    .describe(
      'The Supervisor sends an alert when CPU, memory or disk of a node is above this percentage in `ALERT_SAMPLES` reports.',
    ),
  ALERT_RESOLVED_PERCENT: percentSetting
    .default(80)
    .describe('An alert ends when the usage is below this percentage. It must not be above `ALERT_HIGH_PERCENT`.'),
  ALERT_SAMPLES: z.coerce
    .number()
    .int()
    .min(1)
    .max(1000)
    .default(3)
    .describe('The number of consecutive reports with high usage that cause an alert.'),
  OBJECT_STORE_URL: z
    .string()
    .regex(/^(file:\/\/\/|s3:\/\/[^/?]+)/, 'must look like file:///path or s3://bucket/prefix')
    .optional()
    .describe(
      'The store of backups and diagnostic snapshots: `file:///path` or `s3://bucket/prefix?region=…`. Add `&endpoint=https://…` for a store other than AWS. Credentials come from the usual AWS settings. Unset: `objects` in the data directory.',
    ),
});

type Parsed = z.output<typeof SUPERVISOR_SETTINGS>;

/** Settings of a Supervisor, read once at the start. */
export type SupervisorConfig = Parsed & {
  GATEWAY_PORT: number;
  SUPERVISOR_PUBLIC_URL: string;
  AGENT_PUBLIC_URL: string;
  /** The directories in which the system searches programs. */
  searchPath: string;
};

/** @throws ConfigInvalid naming every problem. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): SupervisorConfig {
  const problems = findProblems(environment);
  if (problems.length > 0) throw new ConfigInvalid(problems);
  const parsed = parseSettings(SUPERVISOR_SETTINGS, environment);
  const GATEWAY_PORT = parsed.GATEWAY_PORT ?? parsed.SUPERVISOR_PORT + 1;
  return {
    ...parsed,
    GATEWAY_PORT,
    SUPERVISOR_PUBLIC_URL: parsed.SUPERVISOR_PUBLIC_URL ?? `http://127.0.0.1:${parsed.SUPERVISOR_PORT}`,
    AGENT_PUBLIC_URL: parsed.AGENT_PUBLIC_URL ?? `http://127.0.0.1:${GATEWAY_PORT}`,
    searchPath: environment['PATH'] ?? '',
  };
}

/** Every problem of these settings. The launcher asks both apps before it starts one. */
export function findProblems(environment: NodeJS.ProcessEnv): SettingProblem[] {
  return [
    ...settingProblems(SUPERVISOR_SETTINGS, environment),
    ...contradictions(givenSettings(environment)),
    ...catalogProblems(environment['CATALOG_FILE']),
  ];
}

/** Outside of the schema, because zod skips its rules about several settings when one of them is malformed. */
function contradictions(settings: Record<string, string | undefined>): SettingProblem[] {
  const { ALERT_HIGH_PERCENT, ALERT_RESOLVED_PERCENT, GATEWAY_HOST } = SUPERVISOR_SETTINGS.shape;
  const problems: SettingProblem[] = [];
  const high = settingValue(ALERT_HIGH_PERCENT, settings['ALERT_HIGH_PERCENT']) ?? Number.NaN;
  const resolved = settingValue(ALERT_RESOLVED_PERCENT, settings['ALERT_RESOLVED_PERCENT']) ?? Number.NaN;
  if (resolved > high)
    problems.push({ name: 'ALERT_RESOLVED_PERCENT', expected: 'must not be above ALERT_HIGH_PERCENT' });
  const isExposed =
    !settings['TLS_CERT'] &&
    !isLoopback(settingValue(GATEWAY_HOST, settings['GATEWAY_HOST']) ?? '') &&
    hasGateway({ LANDLORD_ROLE: settings['LANDLORD_ROLE'] });
  const expected = `must be ${LOOPBACK.join(' or ')} without TLS_CERT and TLS_KEY`;
  if (isExposed) problems.push({ name: 'GATEWAY_HOST', expected });
  return [
    ...problems,
    ...unreachableGateway(settings),
    ...awsProblems(settings),
    ...gcpProblems(settings),
    ...dnsProblems(settings, baseDomainOf(settings)),
  ];
}

const baseDomainOf = (settings: Record<string, string | undefined>): string =>
  settingValue(SUPERVISOR_SETTINGS.shape.BASE_DOMAIN, settings['BASE_DOMAIN']) ?? '';

/** Agents on other machines send credentials to the gateway. */
function unreachableGateway(settings: Record<string, string | undefined>): SettingProblem[] {
  const remote = ['LANDLORD_PROVIDER_AWS', 'LANDLORD_PROVIDER_GCP'].find(
    (name) => (settings[name] ?? 'local') !== 'local',
  );
  if (remote === undefined) return [];
  const url = URL.parse(settings['AGENT_PUBLIC_URL'] ?? '');
  if (url?.protocol === 'https:' && !isLoopback(url.hostname.replace(/^\[|\]$/g, ''))) return [];
  const expected = `must be an https URL that other machines reach, because ${remote} is ${settings[remote]}`;
  return [{ name: 'AGENT_PUBLIC_URL', expected }];
}

export const apiListener = (config: SupervisorConfig): Listener => ({
  port: config.SUPERVISOR_PORT,
  host: config.SUPERVISOR_HOST,
  user: 'the Supervisor API',
  variable: 'SUPERVISOR_PORT',
  hostVariable: 'SUPERVISOR_HOST',
});

export const gatewayListener = (config: SupervisorConfig): Listener => ({
  port: config.GATEWAY_PORT,
  host: config.GATEWAY_HOST,
  user: 'the gateway of the node agents',
  variable: 'GATEWAY_PORT',
  hostVariable: 'GATEWAY_HOST',
});

/** Injection token of the settings. */
export const SUPERVISOR_CONFIG = Symbol('supervisor.config');
