import { createHash } from 'node:crypto';
import type { EndpointServiceSpec, ServiceAttachmentSpec } from '../../resource-specs.js';
import type { ConsumerStatus, ServiceConsumer } from '../../resource-attributes.js';
import type { ResourceRecord } from '../records/resource-records.js';

export type ServiceKind = 'endpoint_service' | 'service_attachment';
export type ServiceRecord = ResourceRecord<ServiceKind>;

/**
 * Whether the caller may request a connection to the service: a principal by its ARN, or an account with any allowed principal.
 * Attachments accept all requests; callers that are not listed wait.
 */
export function mayAsk(record: ServiceRecord, caller: string): boolean {
  if (!isEndpointService(record)) return true;
  const { allowed_principals: principals } = record.spec;
  if (principals.length === 0 || principals.includes('*') || principals.includes(caller)) return true;
  const account = accountOf(caller);
  if (account === null) return principals.some((arn) => accountOf(arn) === caller);
  return principals.some((arn) => accountOf(arn) === account && arn.endsWith(':root'));
}

/** The initial status of a connection of this account or project. */
export function firstStatus(record: ServiceRecord, owner: string): ConsumerStatus {
  if (isEndpointService(record)) return record.spec.acceptance_required ? 'pending' : 'accepted';
  return isLetIn(record.spec as ServiceAttachmentSpec, owner) ? 'accepted' : 'pending';
}

/**
 * The connections after a change of the service. Like at Google Cloud, a waiting consumer that is now listed is accepted, and
 * accepted consumers stay. AWS changes none.
 */
export function consumersAfterChange(record: ServiceRecord): ServiceConsumer[] {
  const { consumers = [] } = record;
  if (isEndpointService(record)) return consumers;
  return consumers.map((consumer) =>
    consumer.status === 'pending' ? { ...consumer, status: firstStatus(record, consumer.owner) } : consumer,
  );
}

/** The visible consumers. Connections to a service in deletion are closed. */
export function seenConsumers({ consumers = [], deleting_at }: ServiceRecord): ServiceConsumer[] {
  return deleting_at === null ? consumers : consumers.map((consumer) => ({ ...consumer, status: 'closed' }));
}

/** Ids of a new connection, in the provider's format. At AWS the endpoint also has an id. */
export function connectionIds(kind: ServiceKind, seed: string): { connection_id: string; endpoint: string } {
  const digits = createHash('sha256').update(seed).digest('hex');
  if (kind === 'endpoint_service')
    return { connection_id: `vpce-con-${digits.slice(0, 17)}`, endpoint: `vpce-${digits.slice(17, 34)}` };
  return { connection_id: String(BigInt(`0x${digits.slice(0, 15)}`)), endpoint: `psc-${digits.slice(15, 23)}` };
}

/** The account of an ARN. Null for other texts. */
export const accountOf = (arn: string): string | null => /^arn:[a-z-]+:[a-z]+::(\d{12}):/.exec(arn)?.[1] ?? null;

export const isEndpointService = (
  record: ResourceRecord,
): record is ResourceRecord<'endpoint_service'> & { spec: EndpointServiceSpec } => record.kind === 'endpoint_service';

function isLetIn(spec: ServiceAttachmentSpec, owner: string): boolean {
  const { consumer_accept_lists: listed, connection_preference: preference } = spec;
  return listed.includes(owner) || (preference === 'accept_automatic' && listed.length === 0);
}
