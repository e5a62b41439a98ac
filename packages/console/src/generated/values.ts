// Made by `npm run clients` from the OpenAPI documents. Do not edit.

/** Every permission that a role can grant. */
export const PERMISSIONS = [
 "info:read",
 "info:manage",
 "member:read",
 "member:manage",
 "role:read",
 "role:manage",
 "api_key:read",
 "api_key:manage",
 "settings:read",
 "settings:manage",
 "subscription:read",
 "billing:read",
 "billing:manage",
 "audit:read",
 "division:read",
 "division:manage",
 "environment:read",
 "environment:manage",
 "notifications:read",
 "notifications:manage",
 "deployment:read",
 "deployment:manage",
 "deployment:credentials:read",
 "deployment:network:read",
 "deployment:network:manage",
 "deployment:access:read",
 "deployment:access:manage",
 "deployment:config:read",
 "deployment:config:manage",
 "deployment:task:manage",
 "deployment:connector:read",
 "deployment:connector:manage"
] as const;

/** The values by which lists can be filtered. */
export const FILTERS = {
 "availableConnectors.list": {
  "type": [
   "source",
   "sink"
  ]
 },
 "channels.list": {
  "channel": [
   "slack",
   "webhook",
   "email"
  ]
 },
 "cloudAccounts.list": {
  "cloud": [
   "aws",
   "gcp"
  ]
 },
 "deliveries.list": {
  "status": [
   "pending",
   "delivered",
   "failed",
   "suppressed"
  ]
 },
 "deployments.list": {
  "status": [
   "creating",
   "initializing",
   "creating_subnet",
   "securing_network",
   "deploying_nodes",
   "assigning_public_ip",
   "creating_load_balancer",
   "configuring_load_balancer",
   "configuring_dns",
   "configuring_certificates",
   "waiting_for_nodes",
   "bootstrapping_agent",
   "initialized",
   "upgrading",
   "restoring",
   "stopped",
   "degraded",
   "rolling_back",
   "failed",
   "deleting"
  ],
  "cloud": [
   "aws",
   "gcp"
  ],
  "tier": [
   "free",
   "small",
   "medium",
   "large",
   "xlarge",
   "2xlarge",
   "4xlarge",
   "8xlarge",
   "16xlarge"
  ]
 },
 "deployments.listAll": {
  "status": [
   "creating",
   "initializing",
   "creating_subnet",
   "securing_network",
   "deploying_nodes",
   "assigning_public_ip",
   "creating_load_balancer",
   "configuring_load_balancer",
   "configuring_dns",
   "configuring_certificates",
   "waiting_for_nodes",
   "bootstrapping_agent",
   "initialized",
   "upgrading",
   "restoring",
   "stopped",
   "degraded",
   "rolling_back",
   "failed",
   "deleting"
  ],
  "cloud": [
   "aws",
   "gcp"
  ],
  "tier": [
   "free",
   "small",
   "medium",
   "large",
   "xlarge",
   "2xlarge",
   "4xlarge",
   "8xlarge",
   "16xlarge"
  ]
 },
 "invitations.list": {
  "status": [
   "pending",
   "accepted",
   "rejected",
   "expired"
  ]
 },
 "invoices.list": {
  "status": [
   "draft",
   "pending",
   "paid",
   "failed",
   "cancelled"
  ]
 },
 "joinRequests.list": {
  "status": [
   "pending",
   "approved",
   "rejected"
  ]
 },
 "logs.list": {
  "runtime": [
   "broker",
   "connectors",
   "agent"
  ],
  "level": [
   "debug",
   "info",
   "warn",
   "error"
  ]
 },
 "logs.stream": {
  "runtime": [
   "broker",
   "connectors",
   "agent"
  ],
  "level": [
   "debug",
   "info",
   "warn",
   "error"
  ]
 },
 "operations.list": {
  "type": [
   "provision_deployment",
   "upgrade_deployment",
   "rotate_credentials",
   "rotate_certificates",
   "run_activity",
   "take_backup",
   "restore_backup",
   "move_node",
   "delete_backup",
   "run_connectors",
   "take_snapshot",
   "delete_snapshot",
   "create_private_connection",
   "delete_private_connection",
   "delete_deployment"
  ],
  "status": [
   "pending",
   "running",
   "succeeded",
   "failed",
   "cancelled"
  ]
 },
 "receivedInvitations.list": {
  "status": [
   "pending",
   "accepted",
   "rejected",
   "expired"
  ]
 },
 "roles.list": {
  "kind": [
   "system",
   "custom",
   "api_key"
  ]
 },
 "runtimeOperations.list": {
  "type": [
   "provision_deployment",
   "upgrade_deployment",
   "rotate_credentials",
   "rotate_certificates",
   "run_activity",
   "take_backup",
   "restore_backup",
   "move_node",
   "delete_backup",
   "run_connectors",
   "take_snapshot",
   "delete_snapshot",
   "create_private_connection",
   "delete_private_connection",
   "delete_deployment"
  ],
  "status": [
   "pending",
   "running",
   "succeeded",
   "failed",
   "cancelled"
  ]
 }
} as const;
