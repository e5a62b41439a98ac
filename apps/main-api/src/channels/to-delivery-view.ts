import type { DeliveredEvent, Delivery, DeliveryItem } from '@libs/persistence/channels';
import type { DeliveryItemView, DeliveryView, NotificationView } from './dto/delivery.view.js';

export const toItemView = (delivery: DeliveryItem): DeliveryItemView => ({
  id: delivery.id,
  message_id: delivery.messageId,
  sequence: delivery.sequence,
  message_type: delivery.messageType,
  subject: delivery.subject,
  status: delivery.status,
  status_reason: delivery.statusReason,
  attempts: delivery.attempts,
  next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
  delivered_at: delivery.deliveredAt?.toISOString() ?? null,
  last_attempt: delivery.last,
  created_at: delivery.createdAt.toISOString(),
});

export const toView = (delivery: Delivery): DeliveryView => ({
  ...toItemView(delivery),
  content: delivery.content,
  log: delivery.log,
});

export const toNotificationView = (event: DeliveredEvent): NotificationView => ({
  id: event.id,
  tenant_id: event.tenantId,
  division_id: event.divisionId,
  environment_id: event.environmentId,
  deployment_id: event.deploymentId,
  message_type: event.messageType,
  content: `${event.subject}\n\n${event.content}`,
  created_at: event.createdAt.toISOString(),
});
