import { resolve } from 'node:path';
import {
  ConfigInvalid,
  flagSetting,
  hostSetting,
  SECRET_KEYS,
  SHARED_SETTINGS,
  settingProblems,
  settingValue,
  type SettingProblem,
} from '@libs/domain/settings';
import type { Listener } from '@libs/domain/starts';
import { z } from 'zod';

/** Relative to the working directory. */
export const DEFAULT_DATA_DIR = '.landlord';

/** The configuration of the launcher, and the settings that it passes to the apps. */
export interface LauncherConfig {
  /** Absolute path. */
  dataDir: string;
  /** URL of an external PostgreSQL. Null for the embedded one. */
  databaseUrl: string | null;
  mainApi: AppAddress;
  /** The address that the main API listens on. */
  mainApiHost: string;
  /** Whether the main API listens in a container, and its port is published only on a loopback address of the host. */
  isOnLoopbackOfHost: boolean;
  /** The words that run the command line, if the file in the data directory is not the way. */
  command: string | null;
  supervisor: AppAddress;
  gatewayPort: number;
  /** The given keys, the encrypting key first. Null to read them from a file. */
  secretKeys: string | null;
  /** Absolute path of the key file. Null for the file in the data directory. */
  secretKeysFile: string | null;
  bootstrapApiKey: string | null;
  /** An operator's own catalog; null for the built-in one. */
  catalogFile: string | null;
  /** redis://…, `off`, or null for a queue in PostgreSQL. */
  queueUrl: string | null;
  /** First and last port of local nodes. */
  localPorts: [number, number];
  /** The listeners of both apps. */
  listeners: Listener[];
  /** The address that local nodes listen on. */
  nodeAddress: string;
  /** Whether the listeners of the apps use TLS. */
  isTls: boolean;
  /** Hours that the accounts of a month stay open after its end. */
  billingClosesAfterHours: number;
  /** The environment of the launcher without the secrets, which the apps get as files. */
  inherited: Record<string, string>;
}

export interface AppAddress {
  port: number;
  /** The URL for people and programs, without a trailing slash. */
  url: string;
}

/** Variables that only the launcher uses, or writes to a file. They are never in the environment of an app. */
const KEPT_BACK = ['LANDLORD_SECRET_KEYS', 'LANDLORD_SECRET_KEYS_FILE', 'BOOTSTRAP_API_KEY', 'DATABASE_URL'];

const port = (fallback?: number) =>
  (fallback === undefined ? z.string() : z.string().default(String(fallback)))
    .refine((text) => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535, 'must be 1 to 65535')
    .transform(Number);
const address = (protocols: RegExp, example: string) =>
  z
    .string()
    .refine((text) => URL.canParse(text) && protocols.test(new URL(text).protocol), `must look like ${example}`)
    .optional();

/** The settings of the launcher. For names that an app also reads, docs/configuration.md uses the app's description. */
export const LAUNCHER_SETTINGS = z
  .object({
    LANDLORD_DATA_DIR: z.string().default(DEFAULT_DATA_DIR),
    DATABASE_URL: address(/^postgres(ql)?:$/, 'postgres://user:password@host:5432/landlord'),
    MAIN_API_PORT: port(3000),
    SUPERVISOR_PORT: port(4000),
    GATEWAY_PORT: port().optional(),
    LANDLORD_HOST: hostSetting
      .optional()
      .describe(
        'The name or the IPv4 address at which clients reach this machine. It stands in `LANDLORD_PUBLIC_URL`, `SUPERVISOR_PUBLIC_URL` and `LOCAL_PUBLIC_ADDRESS`, unless they are set. It opens no listener to the network.',
      ),
    LANDLORD_COMMAND: z
      .string()
      .optional()
      .describe(
        'The words before a command of the command line, which a start shows. The image sets them. Unset: the file `bin/landlord` in the data directory.',
      ),
    MAIN_API_ON_LOOPBACK_OF_HOST: flagSetting.default(false),
    LANDLORD_PUBLIC_URL: address(/^https?:$/, 'https://cloud.example.com'),
    SUPERVISOR_PUBLIC_URL: address(/^https?:$/, 'https://cell.example.com'),
    LANDLORD_SECRET_KEYS: z
      .string()
      .regex(SECRET_KEYS, 'must be <id>:<base64 of 32 bytes>, separated by commas')
      .optional(),
    LANDLORD_SECRET_KEYS_FILE: z
      .string()
      .optional()
      .describe(
        'The file of the secret keys. Unset: `secret-keys` in the data directory. Set this or `LANDLORD_SECRET_KEYS`.',
      ),
    BOOTSTRAP_API_KEY: z
      .string()
      .regex(/^ld_[0-9A-Za-z]+_[0-9A-Za-z]+_[0-9A-Za-z]+$/, 'must be a well-formed key, ld_<id>_<secret>_<checksum>')
      .optional()
      .describe(
        'The first API key, for an installation whose key must be known in advance. Only the first start reads it. Unset: a random key.',
      ),
    CATALOG_FILE: z.string().optional(),
    QUEUE_URL: SHARED_SETTINGS.QUEUE_URL,
    LOCAL_PORT_RANGE: z
      .string()
      .default('20000-29999')
      .refine((text) => /^\d{2,5}-\d{2,5}$/.test(text), 'must look like 20000-29999')
      .transform((text) => text.split('-').map(Number) as [number, number])
      .refine(
        ([first, last]) => first >= 1024 && first < last && last <= 65_535,
        'must be within 1024 and 65535, with the lower port first',
      ),
    TLS_CERT: z.string().optional(),
    BILLING_CLOSES_AFTER_HOURS: z.coerce.number().int().min(3).max(240).default(24),
    LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).optional(),
  })
  .transform((values) => ({ ...values, GATEWAY_PORT: values.GATEWAY_PORT ?? values.SUPERVISOR_PORT + 1 }));

/** Reads the environment. Throws ConfigInvalid that lists all problems. */
export function readConfig(environment: Record<string, string | undefined> = process.env): LauncherConfig {
  const problems = launcherProblems(environment);
  if (problems.length > 0) throw new ConfigInvalid(problems);
  // Compose and shells pass an unset variable as an empty one.
  const settings = Object.fromEntries(Object.entries(environment).filter(([, value]) => value)) as Record<
    string,
    string
  >;
  const values = LAUNCHER_SETTINGS.parse(settings);
  const isTls = values.TLS_CERT !== undefined;
  const inherited = { ...publicAddresses(values, isTls), ...settings };
  return {
    dataDir: resolve(values.LANDLORD_DATA_DIR),
    databaseUrl: values.DATABASE_URL ?? null,
    mainApi: appAddress(values.MAIN_API_PORT, inherited['LANDLORD_PUBLIC_URL'], isTls),
    mainApiHost: settings['MAIN_API_HOST'] ?? '127.0.0.1',
    isOnLoopbackOfHost: values.MAIN_API_ON_LOOPBACK_OF_HOST,
    command: values.LANDLORD_COMMAND ?? null,
    supervisor: appAddress(values.SUPERVISOR_PORT, inherited['SUPERVISOR_PUBLIC_URL'], isTls),
    gatewayPort: values.GATEWAY_PORT,
    secretKeys: values.LANDLORD_SECRET_KEYS ?? null,
    secretKeysFile: values.LANDLORD_SECRET_KEYS_FILE ? resolve(values.LANDLORD_SECRET_KEYS_FILE) : null,
    bootstrapApiKey: values.BOOTSTRAP_API_KEY ?? null,
    catalogFile: values.CATALOG_FILE ?? null,
    queueUrl: values.QUEUE_URL ?? null,
    localPorts: values.LOCAL_PORT_RANGE,
    listeners: [
      listener(values.MAIN_API_PORT, settings['MAIN_API_HOST'], 'the main API', 'MAIN_API'),
      listener(values.SUPERVISOR_PORT, settings['SUPERVISOR_HOST'], 'the Supervisor API', 'SUPERVISOR'),
      listener(values.GATEWAY_PORT, settings['GATEWAY_HOST'], 'the gateway of the node agents', 'GATEWAY'),
    ],
    nodeAddress: settings['LOCAL_BIND_ADDRESS'] ?? '127.0.0.1',
    isTls,
    billingClosesAfterHours: values.BILLING_CLOSES_AFTER_HOURS,
    inherited: Object.fromEntries(Object.entries(inherited).filter(([name]) => !KEPT_BACK.includes(name))),
  };
}

/** The environment of the process, for diagnosis. */
export const givenEnvironment = (): NodeJS.ProcessEnv => process.env;

type Addresses = Pick<z.output<typeof LAUNCHER_SETTINGS>, 'LANDLORD_HOST' | 'MAIN_API_PORT' | 'SUPERVISOR_PORT'>;

/** The settings that follow from the host, for the launcher and the apps. */
function publicAddresses({ LANDLORD_HOST, ...ports }: Addresses, isTls: boolean): Record<string, string> {
  if (LANDLORD_HOST === undefined) return {};
  const at = `${isTls ? 'https' : 'http'}://${LANDLORD_HOST}`;
  return {
    LANDLORD_PUBLIC_URL: `${at}:${ports.MAIN_API_PORT}`,
    SUPERVISOR_PUBLIC_URL: `${at}:${ports.SUPERVISOR_PORT}`,
    LOCAL_PUBLIC_ADDRESS: LANDLORD_HOST,
  };
}

function listener(port: number, host: string | undefined, user: string, prefix: string): Listener {
  return { port, host: host ?? '127.0.0.1', user, variable: `${prefix}_PORT`, hostVariable: `${prefix}_HOST` };
}

function appAddress(number: number, publicUrl: string | undefined, isTls: boolean): AppAddress {
  const localUrl = `${isTls ? 'https' : 'http'}://localhost:${number}`;
  return { port: number, url: (publicUrl ?? localUrl).replace(/\/+$/, '') };
}

/** Every problem of the settings that the launcher itself reads. */
export function launcherProblems(environment: Record<string, string | undefined>): SettingProblem[] {
  const { LANDLORD_SECRET_KEYS_FILE: keyFile, ...others } = environment;
  // The launcher reads no NAME_FILE. The key file is missing until the first start creates it.
  const names = Object.keys(LAUNCHER_SETTINGS.in.shape);
  const launcherSettings = Object.fromEntries(Object.entries(others).filter(([name]) => names.includes(name)));
  return [
    ...settingProblems(LAUNCHER_SETTINGS, { ...launcherSettings, TLS_CERT: undefined }),
    ...together({ ...launcherSettings, keyFile }),
  ];
}

/** Contradictions between settings. Settings that are malformed are reported elsewhere. */
function together(settings: Record<string, string | undefined>): SettingProblem[] {
  const ports = portsOf(settings);
  const range = settingValue(LAUNCHER_SETTINGS.in.shape.LOCAL_PORT_RANGE, settings['LOCAL_PORT_RANGE']);
  const problems = [...equalPorts(settings, ports), ...(range === undefined ? [] : portsOfNodes(range, ports))];
  if (settings['LANDLORD_SECRET_KEYS'] && settings['keyFile']) {
    const expected = 'is set together with LANDLORD_SECRET_KEYS_FILE; set only one';
    problems.push({ name: 'LANDLORD_SECRET_KEYS', expected });
  }
  return problems;
}

type Ports = Record<'MAIN_API_PORT' | 'SUPERVISOR_PORT' | 'GATEWAY_PORT', number>;

/** A malformed port is NaN, which equals no other port. */
function portsOf(settings: Record<string, string | undefined>): Ports {
  const { shape } = LAUNCHER_SETTINGS.in;
  const portOf = (name: keyof Ports): number => settingValue(shape[name], settings[name]) ?? Number.NaN;
  const SUPERVISOR_PORT = portOf('SUPERVISOR_PORT');
  const GATEWAY_PORT = settings['GATEWAY_PORT'] ? portOf('GATEWAY_PORT') : SUPERVISOR_PORT + 1;
  return { MAIN_API_PORT: portOf('MAIN_API_PORT'), SUPERVISOR_PORT, GATEWAY_PORT };
}

function equalPorts(settings: Record<string, string | undefined>, ports: Ports): SettingProblem[] {
  const { MAIN_API_PORT: main, SUPERVISOR_PORT: supervisor, GATEWAY_PORT: gateway } = ports;
  const problems: [boolean, string, string][] = [
    [
      !settings['GATEWAY_PORT'] && gateway > 65_535,
      'GATEWAY_PORT',
      'must be 1 to 65535 (default: SUPERVISOR_PORT + 1)',
    ],
    [supervisor === main, 'SUPERVISOR_PORT', 'is the same as MAIN_API_PORT'],
    [gateway === main, 'GATEWAY_PORT', 'is the same as MAIN_API_PORT'],
    [gateway === supervisor, 'GATEWAY_PORT', 'is the same as SUPERVISOR_PORT'],
  ];
  return problems.filter(([applies]) => applies).map(([, name, expected]) => ({ name, expected }));
}

/** A node must not take the port of an app. */
function portsOfNodes([first, last]: [number, number], ports: Ports): SettingProblem[] {
  return Object.entries(ports)
    .filter(([, port]) => port >= first && port <= last)
    .map(([name, port]) => ({ name: 'LOCAL_PORT_RANGE', expected: `must not contain the port of ${name} (${port})` }));
}
