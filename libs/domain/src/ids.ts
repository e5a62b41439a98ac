/**
 * The id of one kind of thing. A plain number is accepted for every kind, because JSON, path segments and rows contain
 * plain numbers. The compiler refuses the id of one kind for another kind. The member `__id` never exists at run time.
 */
type IdOf<Kind extends string> = number & { readonly __id?: Kind | undefined };

export type AccessRuleId = IdOf<'access_rule'>;
export type ActivityId = IdOf<'activity'>;
export type ApiKeyId = IdOf<'api_key'>;
export type AuditEntryId = IdOf<'audit_entry'>;
export type BackupId = IdOf<'backup'>;
export type BillingReportId = IdOf<'billing_report'>;
export type CertificateAuthorityId = IdOf<'certificate_authority'>;
export type ChannelConfirmationId = IdOf<'channel_confirmation'>;
export type ChannelId = IdOf<'channel'>;
export type CloudAccountId = IdOf<'cloud_account'>;
export type ConfigId = IdOf<'config'>;
export type ConnectorInstanceId = IdOf<'connector_instance'>;
export type DeliveryId = IdOf<'delivery'>;
export type DeploymentCertificateId = IdOf<'deployment_certificate'>;
export type DeploymentId = IdOf<'deployment'>;
export type DeploymentUpgradeId = IdOf<'deployment_upgrade'>;
export type DiagnosticSnapshotId = IdOf<'diagnostic_snapshot'>;
export type DivisionId = IdOf<'division'>;
export type EmailTokenId = IdOf<'email_token'>;
export type EnvironmentId = IdOf<'environment'>;
export type EventId = IdOf<'event'>;
export type IncidentId = IdOf<'incident'>;
export type InvitationId = IdOf<'invitation'>;
export type InvoiceId = IdOf<'invoice'>;
export type JoinRequestId = IdOf<'join_request'>;
export type LogLineId = IdOf<'log_line'>;
export type MachineId = IdOf<'machine'>;
export type MachineTokenId = IdOf<'machine_token'>;
export type AgentRolloutId = IdOf<'agent_rollout'>;
export type MailId = IdOf<'mail'>;
export type MeteringIntervalId = IdOf<'metering_interval'>;
export type MeteringTransferId = IdOf<'metering_transfer'>;
export type NodeId = IdOf<'node'>;
export type NodeOrderId = IdOf<'node_order'>;
export type NodeRequestId = IdOf<'node_request'>;
export type OperationId = IdOf<'operation'>;
export type OperatorActionId = IdOf<'operator_action'>;
export type OwnershipTransferId = IdOf<'ownership_transfer'>;
export type PrivateConnectionConsumerId = IdOf<'private_connection_consumer'>;
export type PrivateConnectionId = IdOf<'private_connection'>;
export type RoleId = IdOf<'role'>;
export type SessionId = IdOf<'session'>;
export type SubscriptionId = IdOf<'subscription'>;
export type TaskId = IdOf<'task'>;
export type TenantId = IdOf<'tenant'>;
export type UserId = IdOf<'user'>;

/** Ids are 64-bit integers in the database and JSON numbers in the API: positive, and at most 2^53 − 1 (C-1.1). */
export const MAX_ID = Number.MAX_SAFE_INTEGER;

/** Returns the id in a path segment. Null: the segment is not a positive safe integer in canonical form. */
export function parseId(text: string): number | null {
  if (!/^[1-9]\d{0,15}$/.test(text)) return null;
  const id = Number(text);
  return id <= MAX_ID ? id : null;
}
