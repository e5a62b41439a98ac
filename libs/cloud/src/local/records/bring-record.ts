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
  request: Asked<K>,
  records: ResourceRecords,
): Promise<ResourceRecord<K>> {
  const { network = '', load_balancer: balancer = '' } = request.spec as { network?: string; load_balancer?: string };
  const record: ResourceRecord<K> = { ...request, created_at: Date.now(), deleting_at: null };
  if (FIXED.includes(request.kind))
    return { ...record, network_cidr: (await standing(records, 'network', network)).spec.cidr };
  if (!SERVICES.includes(request.kind)) return record;
  await standing(records, 'load_balancer', balancer);
  return { ...record, consumers: [] };
}

/** The record with its new specification. Returns the same object when nothing changes, or when no change is allowed. */
export function broughtTo<K extends ResourceKind>(record: ResourceRecord<K>, request: Asked<K>): ResourceRecord<K> {
  if (record.deleting_at !== null) return record;
  const spec = FIXED.includes(request.kind) ? record.spec : request.spec;
  const next: ResourceRecord<K> = { ...record, spec, tags: request.tags };
  if (isDeepStrictEqual(next, record)) return record;
  return SERVICES.includes(request.kind) ? { ...next, consumers: consumersAfterChange(next as ServiceRecord) } : next;
}

async function standing<K extends ResourceKind>(
  records: ResourceRecords,
  kind: K,
  name: string,
): Promise<ResourceRecord<K>> {
  const record = await records.find(kind, name);
  if (record !== null && record.deleting_at === null) return record;
  throw new CloudError({ code: 'unavailable' }, `there is no ${kind} ${name}`);
}
