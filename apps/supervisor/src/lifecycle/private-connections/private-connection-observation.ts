import type { Resource } from '@libs/cloud';
import type { PrivateConnectionKind, SeenConsumer, PrivateConnectionObservation } from '@libs/persistence/runtime';

/** A private connection as its provider sees it. */
export type PrivateResource = { [K in PrivateConnectionKind]: Resource<K> }[PrivateConnectionKind];

/** The last word on a record whose resource is gone, in the contract's words (C-22.9). */
export const GONE: Record<PrivateConnectionKind, string> = {
  vpc_peering: 'deleted',
  network_peering: 'deleted',
  endpoint_service: 'deleted',
  service_attachment: 'closed',
};

const WITHOUT_REASON = 'the provider does not say why';

/** What the provider tells, in the contract's words (C-22.10); nothing that it did not tell. */
export function observationOf(resource: PrivateResource): PrivateConnectionObservation {
  const attributes = Object.entries(resource.attributes).filter(([key]) => key !== 'consumers');
  const status = statusOf(resource);
  const reason = resource.reason ?? (status === 'failed' ? WITHOUT_REASON : null);
  return { status, reason, attributes: Object.fromEntries(attributes) };
}

/** Who uses it; null for what nobody can. */
export function consumersOf(resource: PrivateResource): SeenConsumer[] | null {
  if (!('consumers' in resource.attributes)) return null;
  return resource.attributes.consumers.map(({ connection_id: connectionId, ...consumer }) => ({
    connectionId,
    ...consumer,
  }));
}

/**
 * Whether the provider has left its first state. What waits for the other side has: that may take days, or never come. Half a
 * peering of Google Cloud is whole as soon as it is there.
 */
export function isSettled(resource: PrivateResource): boolean {
  if (resource.kind === 'network_peering') return true;
  if (resource.kind === 'vpc_peering') return resource.attributes.status !== 'initiating_request';
  return resource.state !== 'pending';
}

function statusOf(resource: PrivateResource): string {
  if (resource.kind === 'vpc_peering') return resource.attributes.status;
  if (resource.state === 'failed') return 'failed';
  switch (resource.kind) {
    case 'network_peering':
      return resource.attributes.status;
    case 'endpoint_service':
      return resource.state === 'active' ? 'available' : resource.state;
    case 'service_attachment':
      // The contract has no word for one on its way out: it takes no connection any more.
      return resource.state === 'deleting' ? 'closed' : resource.state;
  }
}
