import type { AuditType } from '@libs/domain';

/** Members of `data` in the contract (C-26.4). A member with `?` is optional, and no other members exist. */
export const CONTRACT_SHAPES: Partial<Record<AuditType, readonly string[]>> = {
  deployment_created: [
    ...['cloud', 'area', 'region', 'variant', 'tier', 'cluster_kind', 'public_ip', 'storage_type', 'storage_size'],
    ...['target_network_tput?', 'encrypted', 'protected', 'retention', 'code', 'name', 'domain?', 'nodes'],
  ],
  deployment_upgraded: [
    ...['from_tier', 'to_tier', 'from_storage', 'to_storage'],
    ...['from_managed_tier', 'to_managed_tier'],
  ],
  deployment_deleted: ['name', 'code', 'reason?'],
  deployment_secrets_rotated: ['overlap_seconds'],
  access_rule_added: ['cidrs', 'description?', 'rules'],
  access_rule_deleted: ['cidrs', 'description?', 'rules'],
  config_created: ['config_id', 'kind', 'name', 'version'],
  config_activated: ['config_id', 'kind', 'name', 'version'],
  config_deleted: ['config_id', 'kind', 'name', 'version'],
  backup_created: ['backup_id', 'name'],
  backup_restored: ['backup_id', 'name'],
  backup_deleted: ['backup_id', 'name'],
  connector_activated: ['connector_type', 'connector_key', 'instance_key', 'instance_id', 'version'],
  connector_deleted: ['connector_type', 'connector_key', 'instance_key', 'instance_id', 'version'],
  dead_letters_replayed: ['connector_type', 'connector_key', 'instance_key', 'instance_id', 'version', 'letters'],
  dead_letters_deleted: ['connector_type', 'connector_key', 'instance_key', 'instance_id', 'version', 'letters'],
  snapshot_created: ['snapshot_id', 'name'],
  snapshot_deleted: ['snapshot_id', 'name'],
  channel_created: ['channel', 'name'],
  channel_deleted: ['channel', 'name'],
  channel_tested: ['channel', 'name'],
  channel_disabled: ['channel', 'name'],
  member_invited: ['email', 'roles'],
  api_key_created: ['name', 'role_id', 'division_id?'],
  api_key_deleted: ['name', 'role_id', 'division_id?'],
};

/** The difference between the members of an entry and those of the contract; empty if there is none. */
export function strayMembers(type: AuditType, data: object): string[] {
  const shape = CONTRACT_SHAPES[type];
  if (!shape) return [];
  const wanted = shape.filter((name) => !name.endsWith('?')).filter((name) => !(name in data));
  const known = shape.map((name) => name.replace('?', ''));
  return [...wanted.map((name) => `${name} is missing`), ...Object.keys(data).filter((name) => !known.includes(name))];
}
