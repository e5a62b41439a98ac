import { createHash } from 'node:crypto';
import type { ResourceKind } from '../cloud-provider.js';

/** What the ids of AWS begin with; 17 hexadecimal digits follow. */
const AWS_PREFIXES: Partial<Record<ResourceKind, string>> = { vpc_peering: 'pcx-', endpoint_service: 'vpce-svc-' };

/** Id of a resource, the same for the same kind and name; of doors of AWS spelled as AWS does, since people type them. */
export function localId(kind: ResourceKind, name: string): string {
  const digits = createHash('sha256').update(`${kind} ${name}`).digest('hex');
  const prefix = AWS_PREFIXES[kind];
  return prefix === undefined ? `local-${kind.replace('_', '-')}-${digits.slice(0, 12)}` : prefix + digits.slice(0, 17);
}

/** The account that the installation would have at AWS: 12 digits, the same for the same installation. */
export function localAccount(installation: string): string {
  const number = BigInt(`0x${createHash('sha256').update(installation).digest('hex').slice(0, 15)}`);
  return String(number % 10n ** 12n).padStart(12, '0');
}

/** The project that it would have at Google Cloud. */
export const LOCAL_PROJECT = 'landlord-local';
