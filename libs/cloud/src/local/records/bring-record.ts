import { isDeepStrictEqual } from 'node:util';
import { CloudError } from '../../cloud-error.js';
import type { ResourceKind } from '../../cloud-provider.js';
import type { ResourceRecord, ResourceRecords } from './resource-records.js';
import { consumersAfterChange, type ServiceRecord } from '../network/service-consumers.js';

type Asked<K extends ResourceKind> = Pick<ResourceRecord<K>, 'kind' | 'name' | 'spec' | 'tags' | 'settle_ms'>;

/** A peering always connects the same two networks. No cloud allows a change. */
const FIXED: readonly ResourceKind[] = ['vpc_peering', 'network_peering'];
const SERVICES: readonly ResourceKind[] = ['endpoint_service', 'service_attachment'];

/**
 * The record of a new resource.
 * @throws CloudError when it refers to a missing resource, like a real cloud
 */
export async function newRecord<K extends ResourceKind>(
  asked: Asked<K>,
  records: ResourceRecords,
): Promise<ResourceRecord<K>> {
  const { network = '', load_balancer: balancer = '' } = asked.spec as { network?: string; load_balancer?: string };
  const record: ResourceRecord<K> = { ...asked, created_at: Date.now(), deleting_at: null };
  if (FIXED.includes(asked.kind))
    return { ...record, network_cidr: (await standing(records, 'network', network)).spec.cidr };
  if (!SERVICES.includes(asked.kind)) return record;
  await standing(records, 'load_balancer', balancer);
  return { ...record, consumers: [] };
}

/** The record with its new specification. Returns the same object when nothing changes, or when no change is allowed. */
export function broughtTo<K extends ResourceKind>(held: ResourceRecord<K>, asked: Asked<K>): ResourceRecord<K> {
  if (held.deleting_at !== null) return held;
  const spec = FIXED.includes(asked.kind) ? held.spec : asked.spec;
  const next: ResourceRecord<K> = { ...held, spec, tags: asked.tags };
  if (isDeepStrictEqual(next, held)) return held;
  return SERVICES.includes(asked.kind) ? { ...next, consumers: consumersAfterChange(next as ServiceRecord) } : next;
}

async function standing<K extends ResourceKind>(
  records: ResourceRecords,
  kind: K,
  name: string,
): Promise<ResourceRecord<K>> {
  const found = await records.find(kind, name);
  if (found !== null && found.deleting_at === null) return found;
  throw new CloudError({ code: 'unavailable' }, `there is no ${kind} ${name}`);
}
