const ORGANIZATION = 'libs/persistence/src/organization';
const ONE_TENANT = [`${ORGANIZATION}/one-tenant.spec.ts`];

/** The conditions that keep the rows of tenants apart, and secrets in the database. */
export const PERSISTENCE = [
  {
    name: 'lists the divisions of all tenants',
    file: `${ORGANIZATION}/divisions.repository.ts`,
    before: 'rows: `from divisions where tenant_id = $1 and deleted_at',
    after: 'rows: `from divisions where $1::bigint is not null and deleted_at',
    specs: ONE_TENANT,
  },
  {
    name: 'lists, counts and finds the roles of all tenants',
    file: `${ORGANIZATION}/people/roles.repository.ts`,
    before: 'const VISIBLE = `tenant_id = $1 and',
    after: 'const VISIBLE = `$1::bigint is not null and',
    specs: ONE_TENANT,
  },
  {
    name: 'lists, counts and finds the API keys of all tenants',
    file: `${ORGANIZATION}/people/api-keys.repository.ts`,
    before: 'where k.tenant_id = $1 and ($2::bigint is null',
    after: 'where $1::bigint is not null and ($2::bigint is null',
    specs: ONE_TENANT,
  },
  {
    name: 'lists, counts and finds the members of all tenants',
    file: `${ORGANIZATION}/people/members.repository.ts`,
    before: "const IN_SCOPE = 'm.tenant_id = $1 and",
    after: "const IN_SCOPE = '$1::bigint is not null and",
    specs: ONE_TENANT,
  },
  {
    name: 'finds a cloud account of another tenant',
    file: `${ORGANIZATION}/cloud-accounts.repository.ts`,
    before: 'from cloud_accounts a where tenant_id = $1 and id = $2`',
    after: 'from cloud_accounts a where $1::bigint is not null and id = $2`',
    specs: ONE_TENANT,
  },
  {
    name: 'does not make a member inactive',
    file: `${ORGANIZATION}/people/members.repository.ts`,
    before: 'update members set active = $3 where',
    after: 'update members set active = ($3::boolean is not null) where',
    specs: ONE_TENANT,
  },
  {
    name: 'opens a secret of another row',
    file: 'libs/persistence/src/secrets.ts',
    before: 'Buffer.from(`${location.table}\\0${location.column}\\0${location.row}`)',
    after: 'Buffer.from(`${location.table}\\0${location.column}`)',
    specs: ['libs/persistence/src/secrets.spec.ts'],
  },
];

/** Code outside the areas with generated mutants. */
export const ELSEWHERE = [
  {
    name: 'restores a backup with a wrong checksum',
    file: 'apps/supervisor/src/lifecycle/backups/verify-archive.ts',
    before: "hash.digest('hex') !== snapshot.sha256",
    after: "hash.digest('hex') === ''",
    specs: ['apps/supervisor/src/lifecycle/backups/restore-backup.workflow.spec.ts'],
  },
  {
    name: 'sends requests to private addresses',
    file: 'libs/outbound/src/address-policy.ts',
    before: "if (address.range() !== 'unicast') return false;",
    after: '',
    specs: ['libs/outbound/src/address-policy.spec.ts'],
  },
  {
    name: 'sends requests to a name with one good address',
    file: 'libs/outbound/src/destination.ts',
    before: 'addresses.every((address)',
    after: 'addresses.some((address)',
    specs: ['libs/outbound/src/destination.spec.ts'],
  },
  {
    name: 'keeps expired telemetry',
    file: 'apps/supervisor/src/telemetry/telemetry-cleanup-reconciler.ts',
    before: 'await this.keeping.dropExpired();',
    after: '[];',
    specs: ['apps/supervisor/src/telemetry/telemetry-cleanup-reconciler.spec.ts'],
  },
  {
    name: 'keeps expired notifications',
    file: 'apps/main-api/src/channels/delivery/notification-retention-job.ts',
    before: 'await this.deliveries.dropExpired();',
    after: '[];',
    specs: ['apps/main-api/src/channels/delivery/notification-retention-job.spec.ts'],
  },
  {
    name: 'shows the secrets of a configuration',
    file: 'libs/broker-config/src/config-values.ts',
    before: "isSecret && value !== '' && value !== null ? MASK : value",
    after: "isSecret && value === '' ? MASK : value",
    specs: ['libs/broker-config/src/config-values.spec.ts'],
  },
  {
    name: 'signs a webhook without its body',
    file: 'apps/main-api/src/channels/delivery/webhook-message.ts',
    before: '${messageId}.${timestamp}.${body}',
    after: '${messageId}.${timestamp}.',
    specs: ['apps/main-api/src/channels/delivery/webhook-message.spec.ts'],
  },
];
