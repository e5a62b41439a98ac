import { createHash } from 'node:crypto';
import type { ResourceKind } from '../cloud-provider.js';

/** Prefixes of AWS ids. 17 hexadecimal digits follow. */
const AWS_PREFIXES: Partial<Record<ResourceKind, string>> = { vpc_peering: 'pcx-', endpoint_service: 'vpce-svc-' };

/**
 * The id of a resource, deterministic per kind and name. Ids of AWS connections have the format of AWS, because people type
 * them.
 */
export function localId(kind: ResourceKind, name: string): string {
  const digits = createHash('sha256').update(`${kind} ${name}`).digest('hex');
  const prefix = AWS_PREFIXES[kind];
  return prefix === undefined ? `local-${kind.replace('_', '-')}-${digits.slice(0, 12)}` : prefix + digits.slice(0, 17);
}

/** The AWS account of the installation: 12 digits, deterministic per installation. */
export function localAccount(installation: string): string {
  const number = BigInt(`0x${createHash('sha256').update(installation).digest('hex').slice(0, 15)}`);
  return String(number % 10n ** 12n).padStart(12, '0');
}

/** The Google Cloud project of the installation. */
export const LOCAL_PROJECT = 'landlord-local';
