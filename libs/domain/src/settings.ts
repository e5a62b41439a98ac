import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** The environment is not usable; stops the boot and names every problem at once. */
export class ConfigInvalid extends Error {}

/**
 * Reads settings from an environment. Empty values count as absent; `NAME_FILE` names a file that holds the value.
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

/** Settings that both apps share. */
export const SHARED_SETTINGS = {
  DATABASE_URL: z.string().min(1),
  /** redis://… for Redis, `off` for no queue; unset: the queue lives in PostgreSQL. */
  QUEUE_URL: z.string().optional(),
  LANDLORD_SECRET_KEYS: z.string().min(1),
  LANDLORD_DATA_DIR: z.string().default('.landlord'),
  LANDLORD_PUBLIC_URL: z.url().optional(),
  CATALOG_FILE: z.string().optional(),
  TRUSTED_PROXIES: listSetting.default([]),
  BASE_DOMAIN: z.string().default('landlord.local'),
  /** Files; with both, every listener of the process speaks TLS. */
  TLS_CERT: z.string().optional(),
  TLS_KEY: z.string().optional(),
  /** How long a process that is told to stop goes on serving while readiness answers 503; for a load balancer. */
  SHUTDOWN_DRAIN_SECONDS: z.coerce.number().int().min(0).max(300).default(0),
  /** Whether what customers name may be sent to addresses that are not on the internet, and by http. */
  ALLOW_PRIVATE_DESTINATIONS: flagSetting.default(false),
  /** What scrapers of /metrics show as a bearer token; without it only this machine may scrape. */
  METRICS_TOKEN: z.string().min(16).optional(),
  /** Requests a minute of one key over all processes, or `off`. */
  RATE_LIMIT: z
    .union([z.literal('off').transform(() => null), z.coerce.number().int().min(1).max(1_000_000)])
    .default(600),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
};

/** Certificate and key of the listeners, as node:https takes them. */
export interface TlsFiles {
  cert: Buffer;
  key: Buffer;
}

/**
 * Reads the files that TLS_CERT and TLS_KEY name; undefined when neither is set.
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
