export const TENANT = 1;
export const USER = 2;
export const DIVISION = 3;
export const ENVIRONMENT = 4;
export const DEPLOYMENT = 6;
export const OPERATION = 7;
export const NODE = 8;
export const CHANNEL = 9;
export const CELL = 'local';
/** The id of the row in each other table. */
export const ROW = 5;
export const MACHINE = 10;
export const HOLDER = '8b1a9953-c461-4296-a827-abf8c47804d7';
export const EMAIL = 'reader@people.example';
export const HASH = Buffer.alloc(32);

const bytes = (length: number): string => `decode(repeat('00', ${length}), 'hex')`;

const PEOPLE = [
  `insert into tenants (id, name, owner_id, plan, email_domain) overriding system value
   values (${TENANT}, 'Orders', ${USER}, 'basic', 'orders.example')`,
  `insert into users (id, email, email_canonical, name, password_hash) overriding system value
   values (${USER}, '${EMAIL}', '${EMAIL}', 'Reader', 'x')`,
  `insert into divisions (id, tenant_id, name) overriding system value values (${DIVISION}, ${TENANT}, 'Division')`,
  `insert into environments (id, tenant_id, division_id, name) overriding system value
   values (${ENVIRONMENT}, ${TENANT}, ${DIVISION}, 'Environment')`,
  `insert into roles (id, tenant_id, name, kind, permissions) overriding system value
   values (${ROW}, ${TENANT}, 'Role', 'custom', '{}')`,
  `insert into members (tenant_id, user_id) values (${TENANT}, ${USER})`,
  `insert into member_roles (tenant_id, user_id, role_id) values (${TENANT}, ${USER}, ${ROW})`,
  `insert into api_keys (id, tenant_id, name, secret_hash, role_id, user_id, expiry_at) overriding system value
   values (${ROW}, ${TENANT}, 'Key', ${bytes(32)}, ${ROW}, ${USER}, now())`,
  `insert into invitations (id, tenant_id, email, email_canonical, status, inviter_id, expires_at)
   overriding system value values (${ROW}, ${TENANT}, '${EMAIL}', '${EMAIL}', 'pending', ${USER}, now() - interval '1 day')`,
  `insert into cancelled_invitations (invitation_id, tenant_id, cancelled_at)
   values (${ROW}, ${TENANT}, now() - interval '1 year')`,
  `insert into join_requests (id, tenant_id, user_id, status) overriding system value
   values (${ROW}, ${TENANT}, ${USER}, 'pending')`,
  `insert into ownership_transfers (id, tenant_id, from_user_id, to_user_id, expires_at) overriding system value
   values (${ROW}, ${TENANT}, ${USER}, ${USER}, now())`,
  `insert into email_tokens (id, user_id, purpose, token_hash, expires_at) overriding system value
   values (${ROW}, ${USER}, 'verify', ${bytes(32)}, now() + interval '1 hour')`,
  `insert into protection_codes (action_type, resource_id, tenant_id, salt, code_hash, expires_at)
   values ('delete', ${ROW}, ${TENANT}, ${bytes(16)}, ${bytes(32)}, now() - interval '1 year')`,
  `insert into sign_in_locks (subject, failures, since) values ('subject', 1, now())`,
];

const BILLING_AND_CHANNELS = [
  `insert into cloud_accounts (id, tenant_id, cloud, name, account_id) overriding system value
   values (${ROW}, ${TENANT}, 'aws', 'Account', '123')`,
  `insert into payment_methods (tenant_id, provider) values (${TENANT}, 'card')`,
  `insert into invoice_agreements (tenant_id, granted_by) values (${TENANT}, 'operator')`,
  `insert into billing_infos (tenant_id, company) values (${TENANT}, 'Orders Inc.')`,
  `insert into notification_channels (id, tenant_id, channel, name) overriding system value
   values (${CHANNEL}, ${TENANT}, 'slack', 'Channel')`,
  `insert into notification_subscriptions (id, tenant_id, channel_id, message_types) overriding system value
   values (${ROW}, ${TENANT}, ${CHANNEL}, '{x}')`,
  `insert into channel_confirmations (id, tenant_id, channel_id, address_hash, token_hash, expires_at)
   overriding system value values (${ROW}, ${TENANT}, ${CHANNEL}, ${bytes(32)}, ${bytes(32)}, now() + interval '1 hour')`,
];

const INSTALLATION = [
  `insert into installation (name, destruction_held_since) values ('test', now())`,
  `insert into incidents (id, kind, subject, detail) overriding system value
   values (${ROW}, 'unknown_resource', 'x', 'x'), (${ROW + 1}, 'restored_from_backup', 'x', 'x')`,
  `insert into agent_rollouts (id, cell, sha256) overriding system value values (${ROW}, '${CELL}', 'x')`,
  `insert into cells (cell, url, agent_url, regions, cloud_drivers, broker_driver, broker_version, version)
   values ('${CELL}', 'u', 'u', '{*}', '{}', 'embedded', '1', '1'),
          ('drained', 'u', 'u', '{*}', '{}', 'embedded', '1', '1')`,
  `update cells set drained_at = now(), seen_at = now() - interval '1 day' where cell = 'drained'`,
  `insert into cell_processes (id, cell, has_gateway, version) values ('x', 'drained', false, '1')`,
  `insert into nodes (id, deployment_id, ordinal, name, role, image_id, storage_type, storage_size, drained_at)
   overriding system value
   values (${NODE}, ${DEPLOYMENT}, 1, 'n', 'leader', 'i', 's', 1, null),
          (${NODE + 1}, ${DEPLOYMENT}, 2, 'n', 'leader', 'i', 's', 1, now())`,
];

const DEPLOYMENTS = [
  `insert into deployment_upgrades (id, deployment_id, operation_id, from_shape, to_shape, is_hardware)
   overriding system value values (${ROW}, ${DEPLOYMENT}, ${OPERATION}, '{}', '{}', false)`,
  `insert into connector_instances (id, deployment_id, type, plugin, plugin_version, key, name, config_id)
   overriding system value values (${ROW}, ${DEPLOYMENT}, 'sink', 'p', '1', 'key', 'n', 1)`,
  `insert into private_connections (id, deployment_id, cell, kind, name, spec, status) overriding system value
   values (${ROW}, ${DEPLOYMENT}, '${CELL}', 'vpc_peering', 'Peering', '{}', 'active')`,
  `insert into diagnostic_snapshots (id, tenant_id, division_id, environment_id, deployment_id, deployment_name, name,
     operation_id, redact_secrets, include_data, status, deleting_at, expires_at) overriding system value
   select n, ${TENANT}, ${DIVISION}, ${ENVIRONMENT}, ${DEPLOYMENT}, 'd', 'n', n + 2, true, true,
          case n when 5 then 'processing' else 'completed' end, case n when 7 then now() end, now() + interval '1 day'
     from generate_series(${ROW}, 7) n`,
  `insert into backup_schedules (deployment_id, every_hours, keep, next_at) values (${DEPLOYMENT}, 1, 1, now())`,
  `insert into activities (id, operation_id, tenant_id, division_id, environment_id, deployment_id, runtime, action, node_id)
   overriding system value
   values (${ROW}, ${OPERATION}, ${TENANT}, ${DIVISION}, ${ENVIRONMENT}, ${DEPLOYMENT}, 'broker', 'restart', ${NODE})`,
  `insert into node_requests (id, node_id, body) overriding system value values (${ROW}, ${NODE}, '{}')`,
  `insert into deployment_certificates (id, deployment_id, authority_id, serial, names, certificate, private_key, status,
     not_before, not_after) overriding system value
   values (${ROW}, ${DEPLOYMENT}, 1, 's', '{}', 'c', 'k', 'next', now(), now())`,
  `insert into machines (id, cell, region, zone, hostname, address, processor, cpus, memory_mib, disk_gib, credential_hash,
     agent_version) overriding system value
   values (${MACHINE}, '${CELL}', 'r', 'z', 'h', '10.0.0.1', 'x64', 1, 1, 1, ${bytes(32)}, '1')`,
  `insert into machine_nodes (name, node_id, deployment_id, machine_id, incarnation, broker, memory_mib, cpus, disk_gib, ports,
     is_dedicated, failed_moves, move_due_at)
   values ('node', ${NODE}, ${DEPLOYMENT}, ${MACHINE}, 1, 'embedded', 1, 1, 1, '{}', false, 1, now())`,
  `insert into aws_resources (kind, name, parts, held_by) values ('vpc', 'part', '{"a": null}', '${HOLDER}')`,
  `insert into machine_tokens (id, cell, region, zone, secret_hash, expires_at) overriding system value
   values (${ROW}, '${CELL}', 'r', 'z', ${bytes(32)}, now() + interval '1 day')`,
  `insert into machine_resources (kind, name, deployment_id, spec) values ('dns', 'name', ${DEPLOYMENT}, '{}')`,
  `insert into node_orders (id, node_id, operation_id, kind) overriding system value
   values (${ROW}, ${NODE}, ${OPERATION}, 'backup')`,
];

/**
 * One row of each table that code reads or writes through TypeORM, or one for each state. For the start of a
 * transaction, which then checks no foreign keys.
 */
export const ROWS = [
  'set local session_replication_role = replica',
  ...[...PEOPLE, ...BILLING_AND_CHANNELS, ...INSTALLATION, ...DEPLOYMENTS],
].join('; ');
