export * from './cloud-features.js';
export { AWS_OPERATOR_PERMISSIONS, AWS_PERMISSIONS } from './byoc/aws-actions.js';
export * from './byoc/aws-policies.js';
export * from './byoc/gcp-instructions.js';
export { GCP_OPERATOR_PERMISSIONS } from './byoc/gcp-permissions.js';
export * from './cloud-error.js';
export type { CloudFinding } from './cloud-finding.js';
export * from './cloud-provider.js';
export * from './customer-account.js';
export * from './describe-one.js';
export * from './dns/dns-provider.js';
export type { NameTarget } from './dns/name-target.js';
export { LocalDns } from './dns/local-dns.js';
export { NoDns } from './dns/no-dns.js';
export { readDnsServer } from './dns/rfc2136/dns-server.js';
export { Rfc2136Dns, type Rfc2136Options } from './dns/rfc2136/rfc2136-dns.js';
export { Route53Dns, type Route53Options } from './dns/route53/route53-dns.js';
export { CloudDns, type CloudDnsOptions } from './dns/google/cloud-dns.js';
export { readTsigKey, type TsigKey } from './dns/rfc2136/tsig-key.js';
export * from './require-valid-spec.js';
export * from './resource-attributes.js';
export * from './resource-specs.js';
export { MISSING_PERMISSIONS_FILE } from './account-check.js';
export { LocalProvider, type LocalProviderOptions } from './local/local-provider.js';
export {
  LOCAL_CONNECTION_KINDS,
  LocalOtherSide,
  type Caller,
  type ConnectionMove,
  type LocalConnection,
  type LocalConnectionKind,
  type LocalConnectionSelector,
} from './local/network/other-side.js';
export { OtherSideRefused } from './local/network/other-side-refused.js';
export { SharedDriverMemory, type DriverMemory, type DriverRows } from './driver/driver-memory.js';
export { CALL_RATES, SharedCallPermits, type CallPermits, type CallSlots } from './driver/call-permits.js';
export { diagnoseAws, type AwsDiagnosisOptions } from './aws/accounts/aws-diagnosis.js';
export { AwsRoles, type AwsRole, type AwsRoleRows } from './aws/accounts/aws-roles.js';
export { DEFAULT_AWS_IMAGE, imageQuery } from './aws/accounts/aws-image.js';
export { AwsProvider } from './aws/aws-provider.js';
export { processorOf, type AwsNodeSettings } from './aws/nodes/node-settings.js';
export { GcpAccounts, type GcpServiceAccount, type GcpServiceAccountRows } from './gcp/accounts/gcp-accounts.js';
export { diagnoseGcp, type GcpDiagnosisOptions } from './gcp/accounts/gcp-diagnosis.js';
export { GcpAccountCheck } from './gcp/accounts/gcp-account-check.js';
export { OperatorTokens } from './gcp/accounts/operator-tokens.js';
export { GcpProvider, type GcpAccountVerdicts } from './gcp/gcp-provider.js';
export { DEFAULT_GCP_IMAGE, gcpProcessorOf, isGcpImage, type GcpNodeSettings } from './gcp/nodes/node-settings.js';
export type { ReservedMachine, ReservedMachines } from './driver/reserved-machines.js';
export * from './machines/machine-rows.js';
export { MachinesProvider } from './machines/machines-provider.js';
