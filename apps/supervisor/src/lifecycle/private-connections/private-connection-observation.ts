import type { Resource } from '@libs/cloud';
import type { PrivateConnectionKind, SeenConsumer, PrivateConnectionObservation } from '@libs/persistence/runtime';

/** The resource of a private connection, as its provider reports it. */
export type PrivateResource = { [K in PrivateConnectionKind]: Resource<K> }[PrivateConnectionKind];

/** The final status of a connection whose resource is removed, in the terms of the contract (C-22.9). */
export const GONE: Record<PrivateConnectionKind, string> = {
  vpc_peering: 'deleted',
  network_peering: 'deleted',
  endpoint_service: 'deleted',
  service_attachment: 'closed',
};

const WITHOUT_REASON = 'the provider gave no reason';

/** Converts the provider's report to the terms of the contract (C-22.10), without values that the provider does not report. */
export function observationOf(resource: PrivateResource): PrivateConnectionObservation {
  const attributes = Object.entries(resource.attributes).filter(([key]) => key !== 'consumers');
  const status = statusOf(resource);
  const reason = resource.reason ?? (status === 'failed' ? WITHOUT_REASON : null);
  return { status, reason, attributes: Object.fromEntries(attributes) };
}

/** Returns the consumers of the connection. Null: this kind has none. */
export function consumersOf(resource: PrivateResource): SeenConsumer[] | null {
  if (!('consumers' in resource.attributes)) return null;
  return resource.attributes.consumers.map(({ connection_id: connectionId, ...consumer }) => ({
    connectionId,
    ...consumer,
  }));
}

/**
 * Whether the resource has left its first state at the provider. A resource that waits for the other side has left it:
 * that wait may take days or never end. A peering of Google Cloud is complete on this side when it exists.
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
      // The contract has no status for an attachment that is being removed. It accepts no more connections.
      return resource.state === 'deleting' ? 'closed' : resource.state;
  }
}
