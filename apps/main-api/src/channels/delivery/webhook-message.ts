import { createHmac } from 'node:crypto';
import type { DueDelivery } from '@libs/persistence/channels';
import { keyOf } from '../signing-secret.js';

/** Returns the body of a delivery to a webhook (C-24.10). */
export const webhookBody = (delivery: DueDelivery): string =>
  JSON.stringify({
    id: delivery.messageId,
    sequence: delivery.sequence,
    type: delivery.messageType,
    created_at: delivery.eventAt.toISOString(),
    tenant_id: delivery.tenantId,
    division_id: delivery.divisionId,
    environment_id: delivery.environmentId,
    deployment_id: delivery.deploymentId,
    subject: delivery.subject,
    body: delivery.content,
    data: delivery.data,
  });

/**
 * Returns the headers that authenticate the sender (Standard Webhooks), with one signature for each secret. Uses
 * node:crypto, because the package of the scheme hashes in JavaScript. The tests verify the deliveries with that
 * package.
 */
export function signatureHeaders(
  messageId: string,
  body: string,
  secrets: readonly string[],
  now: number,
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', keyOf(secret));
    return `v1,${hmac.update(`${messageId}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': messageId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
