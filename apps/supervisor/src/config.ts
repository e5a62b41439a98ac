import { parseSettings, portSetting, secondsSetting, SHARED_SETTINGS, listSetting } from '@libs/domain/settings';
import { z } from 'zod';

const portRange = z
  .string()
  .regex(/^\d{2,5}-\d{2,5}$/, 'two ports: first-last')
  .transform((text) => text.split('-').map(Number) as [number, number])
  .refine(
    ([first, last]) => first >= 1024 && first < last && last <= 65_535,
    'from 1024 to 65535, the first below the last',
  );

const percentSetting = z.coerce.number().min(0).max(100);

const schema = z
  .object({
    ...SHARED_SETTINGS,
    LANDLORD_ROLE: z.enum(['api', 'worker', 'gateway', 'all']).default('all'),
    SUPERVISOR_PORT: portSetting.default(4000),
    SUPERVISOR_HOST: z.string().default('127.0.0.1'),
    GATEWAY_PORT: portSetting.optional(),
    GATEWAY_HOST: z.string().default('127.0.0.1'),
    SUPERVISOR_CELL: z
      .string()
      .regex(/^[a-z0-9-]{1,40}$/)
      .default('local'),
    SUPERVISOR_REGIONS: listSetting.default(['*']),
    SUPERVISOR_PUBLIC_URL: z.url().optional(),
    AGENT_PUBLIC_URL: z.url().optional(),
    LANDLORD_PROVIDER_AWS: z.enum(['local']).default('local'),
    LANDLORD_PROVIDER_GCP: z.enum(['local']).default('local'),
    LOCAL_PORT_RANGE: portRange.default([20_000, 29_999]),
    /** A node that was not heard of for so long is unreachable. */
    NODE_UNREACHABLE_SECONDS: secondsSetting.default(120),
    /** CPU, memory or disk of a node is high above this percentage for so many samples, and no longer below the other. */
    ALERT_HIGH_PERCENT: percentSetting.default(90),
    ALERT_RESOLVED_PERCENT: percentSetting.default(80),
    ALERT_SAMPLES: z.coerce.number().int().min(1).max(1000).default(3),
    /** `file:///path` or `s3://bucket/prefix?region=…&endpoint=…`; unset: `objects` in the data directory. */
    OBJECT_STORE_URL: z
      .string()
      .regex(/^(file:\/\/\/|s3:\/\/[^/?]+)/, 'file:///… or s3://bucket/prefix')
      .optional(),
    LOCAL_BIND_ADDRESS: z.string().default('127.0.0.1'),
    /** Broker of new deployments of the local cloud; `auto`: nats where there is one, else embedded. */
    LOCAL_BROKER: z.enum(['auto', 'nats', 'embedded']).default('auto'),
    /** nats-server, unless it lies in the data directory or on the path. */
    NATS_SERVER_BIN: z.string().optional(),
  })
  .refine(({ ALERT_HIGH_PERCENT: high, ALERT_RESOLVED_PERCENT: resolved }) => resolved <= high, {
    path: ['ALERT_RESOLVED_PERCENT'],
    message: 'must not be above ALERT_HIGH_PERCENT',
  });

type Parsed = z.output<typeof schema>;

/** Settings of a supervisor, read once at boot. */
export type SupervisorConfig = Parsed & {
  GATEWAY_PORT: number;
  SUPERVISOR_PUBLIC_URL: string;
  AGENT_PUBLIC_URL: string;
  /** Where the system looks for programs. */
  searchPath: string;
};

/** @throws ConfigInvalid naming every problem. */
export function readConfig(): SupervisorConfig {
  const parsed = parseSettings(schema, process.env);
  const GATEWAY_PORT = parsed.GATEWAY_PORT ?? parsed.SUPERVISOR_PORT + 1;
  return {
    ...parsed,
    GATEWAY_PORT,
    SUPERVISOR_PUBLIC_URL: parsed.SUPERVISOR_PUBLIC_URL ?? `http://127.0.0.1:${parsed.SUPERVISOR_PORT}`,
    AGENT_PUBLIC_URL: parsed.AGENT_PUBLIC_URL ?? `http://127.0.0.1:${GATEWAY_PORT}`,
    searchPath: process.env['PATH'] ?? '',
  };
}

/** Token of the settings. */
export const SUPERVISOR_CONFIG = Symbol('supervisor.config');

/** Release of this supervisor, as it announces itself. */
export const SUPERVISOR_VERSION = '0.1.0';
