import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** The settings are invalid. Stops the start of the process and names every problem. */
export class ConfigInvalid extends Error {}

/**
 * Reads settings from an environment. Empty values count as absent. `NAME_FILE` names a file that contains the value.
 * @throws ConfigInvalid naming every problem.
 */
export function parseSettings<T extends z.ZodType>(schema: T, environment: NodeJS.ProcessEnv): z.output<T> {
  const present = Object.entries(environment).filter(([, value]) => value !== undefined && value !== '');
  const fromFiles = present
    .filter(([name]) => name.endsWith('_FILE') && !present.some(([other]) => `${other}_FILE` === name))
    .map(([name, file]) => [name.slice(0, -'_FILE'.length), readOrUndefined(String(file))]);
  const parsed = schema.safeParse({ ...Object.fromEntries(fromFiles), ...Object.fromEntries(present) });
  if (!parsed.success) throw new ConfigInvalid(`The configuration is not usable:\n${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

function readOrUndefined(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}

export const portSetting = z.coerce.number().int().min(1).max(65_535);
export const secondsSetting = z.coerce.number().int().positive();
/** `true` or `false`. */
export const flagSetting = z.enum(['true', 'false']).transform((text) => text === 'true');
/** Comma-separated. */
export const listSetting = z.string().transform((text) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean),
);

/** Settings that both apps share. docs/configuration.md is generated from the descriptions. */
export const SHARED_SETTINGS = {
  DATABASE_URL: z
    .string()
    .min(1)
    .describe(
      'The PostgreSQL database: `postgres://user:password@host:5432/landlord`. `npm start` without this setting starts the embedded PostgreSQL.',
    ),
  QUEUE_URL: z
    .string()
    .optional()
    .describe(
      'The queue: `redis://host:6379`, or `off`. With `off`, workers look for work in the database. Unset: the queue is in PostgreSQL.',
    ),
  LANDLORD_SECRET_KEYS: z
    .string()
    .min(1)
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
  TRUSTED_PROXIES: listSetting
    .default([])
    .describe(
      'The addresses or CIDR ranges of trusted proxies, separated by commas. Landlord uses `x-forwarded-for` from these addresses only.',
    ),
  BASE_DOMAIN: z
    .string()
    .default('landlord.local')
    .describe('The domain of deployments. A deployment has the name `<code>.<region>.<cloud>.<base domain>`.'),
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
  RATE_LIMIT: z
    .union([z.literal('off').transform(() => null), z.coerce.number().int().min(1).max(1_000_000)])
    .default(600)
    .describe(
      'The maximum number of requests of one key in one minute, over all processes of both apps. `off` is no limit.',
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
 * @throws ConfigInvalid when one is missing or cannot be read
 */
export function readTls(settings: {
  TLS_CERT?: string | undefined;
  TLS_KEY?: string | undefined;
}): TlsFiles | undefined {
  const { TLS_CERT, TLS_KEY } = settings;
  if (TLS_CERT === undefined && TLS_KEY === undefined) return undefined;
  if (TLS_CERT === undefined || TLS_KEY === undefined) throw new ConfigInvalid('TLS_CERT and TLS_KEY go together');
  try {
    return { cert: readFileSync(TLS_CERT), key: readFileSync(TLS_KEY) };
  } catch (cause) {
    throw new ConfigInvalid(`TLS_CERT or TLS_KEY cannot be read: ${String(cause)}`, { cause });
  }
}
