import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { z } from 'zod';
import { DNS_DRIVERS } from './deployments/domain-name.js';
import { certificatesIn } from './machines/gateway-authority.js';
import { rangesSetting } from './starts/list-settings.js';
import { presentSettings, readOr } from './starts/setting-files.js';
import { StartRefused, startText } from './starts/start-refused.js';

/** One setting that cannot be used, and what is expected. Never contains the value, which may be a secret. */
export interface SettingProblem {
  name: string;
  expected: string;
}

/** The settings are invalid. Stops the start of the process and names every problem. */
export class ConfigInvalid extends StartRefused {
  override readonly name = 'ConfigInvalid';

  constructor(
    readonly problems: readonly SettingProblem[],
    options?: ErrorOptions,
  ) {
    const lines = problems.map(({ name, expected }) => `  ${name}: ${expected}`);
    super('settings_invalid', startText('settings_invalid', { problems: lines.join('\n') }), options);
  }
}

/**
 * Reads settings from an environment. Empty values count as absent. `NAME_FILE` names a file that contains the value.
 * @throws ConfigInvalid naming every problem.
 */
export function parseSettings<T extends z.ZodType>(schema: T, environment: NodeJS.ProcessEnv): z.output<T> {
  const { parsed, problems } = parse(schema, environment);
  if (parsed === undefined) throw new ConfigInvalid(problems);
  return parsed as z.output<T>;
}

/** The value of one setting, or its default when the text is absent or empty. Undefined for a malformed text. */
export function settingValue<T extends z.ZodType>(schema: T, text: string | undefined): z.output<T> | undefined {
  return schema.safeParse(text || undefined).data;
}

/** Every problem of the settings of a process, also of the TLS files that they name. Empty for usable settings. */
export function settingProblems(schema: z.ZodType, environment: NodeJS.ProcessEnv): SettingProblem[] {
  const { TLS_CERT, TLS_KEY } = givenSettings(environment);
  return [...parse(schema, environment).problems, ...tlsProblems(TLS_CERT, TLS_KEY)];
}

/** The texts of all settings that are present, also of those in the files that `NAME_FILE` names. */
export const givenSettings = (environment: NodeJS.ProcessEnv): Record<string, string | undefined> =>
  Object.fromEntries(presentSettings(environment).present);

function parse(schema: z.ZodType, environment: NodeJS.ProcessEnv): { parsed?: unknown; problems: SettingProblem[] } {
  const { present, unread } = presentSettings(environment);
  const shape: object = schema instanceof z.ZodObject ? schema.shape : {};
  // Variables of other programs may end with _FILE, too.
  for (const name of unread.keys()) if (!(name in shape)) unread.delete(name);
  const result = schema.safeParse(Object.fromEntries(present), { error: expectation });
  if (result.success) return { parsed: result.data, problems: [...unread].map(asFileProblem) };
  const problems = result.error.issues.map(({ path, message }) => ({ name: path.join('.'), expected: message }));
  // A file that cannot be read says more than the missing value.
  return { problems: [...problems.filter(({ name }) => !unread.has(name)), ...[...unread].map(asFileProblem)] };
}

const asFileProblem = ([target, expected]: [string, string]): SettingProblem => ({ name: `${target}_FILE`, expected });

/** What a setting must be. Messages of the schemas take precedence. */
const expectation: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is required';
      return issue.expected === 'int' ? 'must be a whole number' : `must be a ${issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`;
    case 'too_small':
      // The smallest whole number above an exclusive limit.
      return `must ${unitOf(issue)} at least ${issue.inclusive ? issue.minimum : Number(issue.minimum) + 1}${endOf(issue)}`;
    case 'too_big':
      return `must ${unitOf(issue)} at most ${issue.maximum}${endOf(issue)}`;
    case 'invalid_format':
      return issue.format === 'url' ? 'must be a URL, such as https://cloud.example.com' : undefined;
    default:
      return undefined;
  }
};

const unitOf = ({ origin }: { origin: string }): string => (origin === 'string' ? 'have' : 'be');
const endOf = ({ origin }: { origin: string }): string => (origin === 'string' ? ' characters' : '');

export const portSetting = z.coerce.number().int().min(1).max(65_535);
export const secondsSetting = z.coerce.number().int().positive();
/** `true` or `false`. */
export const flagSetting = z.enum(['true', 'false']).transform((text) => text === 'true');
/** A name or an IPv4 address, without a port. */
export const hostSetting = z
  .string()
  .regex(/^(?!-)[A-Za-z0-9.-]{1,253}$/, 'must be a name or an IPv4 address, such as cloud.example.com');

/** A readable file with a certificate. */
export const certificateFileSetting = z
  .string()
  .refine(
    (file) => certificatesIn(readOr(file, () => undefined) ?? '').length > 0,
    'must be a readable file with a certificate in PEM',
  );

/** `off` for no limit. */
export const rateSetting = z.union(
  [z.literal('off').transform(() => null), z.coerce.number().int().min(1).max(1_000_000)],
  { error: 'must be off, or a whole number from 1 to 1000000' },
);

/** `id:base64 of 32 bytes`, one or several, separated by commas. */
export const SECRET_KEYS = /^\s*[\w-]+:[A-Za-z0-9+/]{43}=\s*(,\s*[\w-]+:[A-Za-z0-9+/]{43}=\s*)*$/;

/** Settings that both apps share. docs/configuration.md is generated from the descriptions. */
export const SHARED_SETTINGS = {
  DATABASE_URL: z
    .string()
    .refine(
      (text) => URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol),
      'must look like postgres://user:password@host:5432/landlord',
    )
    .describe(
      'The PostgreSQL database: `postgres://user:password@host:5432/landlord`. `npm start` without this setting starts the embedded PostgreSQL.',
    ),
  QUEUE_URL: z
    .string()
    .refine(
      (text) => text === 'off' || (URL.canParse(text) && /^rediss?:$/.test(new URL(text).protocol)),
      'must look like redis://host:6379, or be off',
    )
    .optional()
    .describe(
      'The queue: `redis://host:6379`, or `off`. With `off`, workers look for work in the database. Unset: the queue is in PostgreSQL.',
    ),
  LANDLORD_SECRET_KEYS: z
    .string()
    .regex(SECRET_KEYS, 'must be <id>:<base64 of 32 bytes>, separated by commas')
    .describe(
      'The keys that encrypt secrets in the database, as `id:base64 of 32 bytes`, separated by commas. The first key encrypts. All keys decrypt. `npm start` creates a key at the first start.',
    ),
  LANDLORD_DATA_DIR: z
    .string()
    .default('.landlord')
    .describe('The directory of the database, the logs, the nodes, the secret keys and `bootstrap.json`.'),
  LANDLORD_PUBLIC_URL: z
    .url()
    .optional()
    .describe('The URL at which clients reach the main API. Unset: `http://localhost:` and `MAIN_API_PORT`.'),
  CATALOG_FILE: z
    .string()
    .optional()
    .describe(
      'A JSON file with your own catalog: clouds, regions, tiers, plans and prices. Unset: the built-in catalog.',
    ),
  TRUSTED_PROXIES: rangesSetting
    .default([])
    .describe(
      'The addresses or CIDR ranges of trusted proxies, separated by commas. Landlord uses `x-forwarded-for` from these addresses only.',
    ),
  BASE_DOMAIN: z
    .string()
    .default('landlord.local')
    .describe('The domain of deployments. A deployment has the name `<code>.<region>.<cloud>.<base domain>`.'),
  LANDLORD_DNS: z
    .enum(DNS_DRIVERS)
    .default('local')
    .describe(
      'Who publishes the names of new deployments. `local`: Landlord shows the names and only records them; you publish them yourself, for example with a wildcard record. `rfc2136`: the Supervisor updates the zone on your DNS server. `route53`: the Supervisor changes a hosted zone at AWS. `none`: new deployments have no name, and clients use the addresses. Set the same value for both apps. Names that are published keep their driver.',
    ),
  TLS_CERT: z
    .string()
    .optional()
    .describe(
      'The file of the TLS certificate. With `TLS_CERT` and `TLS_KEY`, every listener of the process uses TLS.',
    ),
  TLS_KEY: z.string().optional().describe('The file of the private key for `TLS_CERT`.'),
  SHUTDOWN_DRAIN_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .max(300)
    .default(0)
    .describe(
      'The number of seconds that a process serves requests after SIGTERM. In this time `/health/ready` returns 503, so that a load balancer stops sending requests.',
    ),
  ALLOW_PRIVATE_DESTINATIONS: flagSetting
    .default(false)
    .describe(
      '`true` lets connectors and notification channels send to private addresses and by plain HTTP. Metadata addresses of clouds stay forbidden. A node reads this setting when the node starts.',
    ),
  METRICS_TOKEN: z
    .string()
    .min(16)
    .optional()
    .describe('The bearer token for `/metrics`. Unset: only clients on the same machine can read `/metrics`.'),
  RATE_LIMIT: rateSetting
    .default(600)
    .describe(
      'The maximum number of requests of one key in one minute, over all processes of both apps. `off` means no limit.',
    ),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('The lowest level of log lines that a process writes.'),
};

/** Certificate and key of the listeners, in the form that node:https needs. */
export interface TlsFiles {
  cert: Buffer;
  key: Buffer;
}

/**
 * Reads the files that TLS_CERT and TLS_KEY name. Undefined when neither is set.
 * @throws ConfigInvalid when one is missing, cannot be read, or is no certificate or key
 */
export function readTls({
  TLS_CERT,
  TLS_KEY,
}: {
  TLS_CERT?: string | undefined;
  TLS_KEY?: string | undefined;
}): TlsFiles | undefined {
  const problems = tlsProblems(TLS_CERT, TLS_KEY);
  if (problems.length > 0) throw new ConfigInvalid(problems);
  if (TLS_CERT === undefined || TLS_KEY === undefined) return undefined;
  return { cert: readFileSync(TLS_CERT), key: readFileSync(TLS_KEY) };
}

function tlsProblems(cert: string | undefined, key: string | undefined): SettingProblem[] {
  if (cert === undefined && key === undefined) return [];
  if (cert === undefined || key === undefined)
    return [{ name: cert === undefined ? 'TLS_CERT' : 'TLS_KEY', expected: 'TLS_CERT and TLS_KEY go together' }];
  const problems: SettingProblem[] = [];
  const read = (name: string, file: string): string =>
    readOr(file, (code) => problems.push({ name, expected: `${file} cannot be read (${code})` })) ?? '';
  const files = { cert: read('TLS_CERT', cert), key: read('TLS_KEY', key) };
  if (problems.length > 0) return problems;
  try {
    createSecureContext(files);
    return [];
  } catch {
    return [{ name: 'TLS_CERT', expected: `${cert} and ${key} are not a certificate in PEM and its private key` }];
  }
}
