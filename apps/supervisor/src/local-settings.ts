import { flagSetting, hostSetting } from '@libs/domain/settings';
import { z } from 'zod';

const portRange = z
  .string()
  .regex(/^\d{2,5}-\d{2,5}$/, 'must look like 20000-29999')
  .transform((text) => text.split('-').map(Number) as [number, number])
  .refine(
    ([first, last]) => first >= 1024 && first < last && last <= 65_535,
    'must be within 1024 and 65535, with the lower port first',
  );

/** The settings of nodes on this machine, and of their brokers. */
export const LOCAL_SETTINGS = {
  LOCAL_PORT_RANGE: portRange
    .default([20_000, 29_999])
    .describe(
      'The first and the last port for nodes that share an address, from 1024 to 65535. Example: `20000-29999`. Nodes with their own address use the first five ports.',
    ),
  LOCAL_BIND_ADDRESS: z.string().default('127.0.0.1').describe('The address that local nodes listen on.'),
  LOCAL_PUBLIC_ADDRESS: hostSetting
    .optional()
    .describe(
      'The name or the address at which clients reach local nodes, if it is not the one that they listen on: in a container with published ports. Unset: `LOCAL_BIND_ADDRESS`.',
    ),
  LOCAL_BROKER: z
    .enum(['auto', 'nats', 'iggy', 'embedded'])
    .default('auto')
    .describe(
      'The broker of new local deployments. `auto` uses nats for clusters if a `nats-server` program exists, iggy for single nodes if an `iggy-server` program exists, otherwise embedded. With `iggy`, clusters cannot be ordered. Existing deployments keep their broker.',
    ),
  NATS_SERVER_BIN: z
    .string()
    .optional()
    .describe('The path of `nats-server`. Unset: Landlord looks in the data directory and in `PATH`.'),
  IGGY_SERVER_BIN: z
    .string()
    .optional()
    .describe(
      'The path of `iggy-server` of Apache Iggy. Unset: Landlord looks in the data directory, where `npm run broker:iggy` puts it, and in `PATH`.',
    ),
  IGGY_CONNECTORS_BIN: z
    .string()
    .optional()
    .describe('The path of `iggy-connectors`. Its plugins are in the same folder. Unset: beside `iggy-server`.'),
  IGGY_UNPROVEN_RELEASES: flagSetting
    .default(false)
    .describe(
      'Whether Landlord may use a release of Apache Iggy that it has no proofs for: another line than 0.8, or a pre-release.',
    ),
};
