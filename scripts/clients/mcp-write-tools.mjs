import {
  takes,
  members,
  DEPLOYMENT,
  DIVISION,
  ENVIRONMENT,
  KEY,
  CONFIG_ID,
  MOST_USD,
  TEXT,
  ACCEPTED,
  RULE,
} from './mcp-parts.mjs';

/** The tools that change something (mcp-parts.mjs says how to read this list). */
export const WRITE_TOOLS = {
  create_starter: {
    input: {
      own: { ...DIVISION, ...KEY },
      required: ['idempotency_key'],
      from: [takes('deployments.createStarter', 'cloud region environment_name deployment_name')],
    },
    output: { ...ACCEPTED },
    calls: ['deployments.createStarter'],
  },
  create_deployment: {
    input: {
      own: { ...ENVIRONMENT, ...MOST_USD, ...KEY },
      required: ['max_monthly_usd', 'idempotency_key'],
      from: [
        takes(
          'deployments.createManaged',
          'name cloud region managed_tier tier cluster storage availability_mode description protected',
        ),
      ],
    },
    output: { ...ACCEPTED, monthly_total_usd: { type: 'number' } },
    calls: ['deployments.createManaged'],
  },
  upgrade_deployment: {
    input: {
      own: { ...DEPLOYMENT, ...MOST_USD, ...KEY },
      required: ['deployment', 'max_monthly_usd', 'idempotency_key'],
      from: [takes('deployments.upgrade', 'tier storage managed_tier')],
    },
    output: { ...ACCEPTED, monthly_total_usd: { type: 'number' } },
    calls: ['deployments.upgrade'],
  },
  add_access_rule: {
    input: {
      own: { ...DEPLOYMENT, ...KEY },
      required: ['deployment', 'idempotency_key'],
      from: [takes('accessRules.create', 'name cidr_blocks rules valid_to')],
    },
    output: { rule: members('accessRules.create', RULE) },
    calls: ['accessRules.create'],
  },
  rotate_credentials: {
    input: {
      own: { ...DEPLOYMENT, ...KEY },
      required: ['deployment', 'idempotency_key'],
      from: [takes('runtime.rotateCredentials', 'overlap_seconds')],
    },
    output: { ...ACCEPTED },
    calls: ['runtime.rotateCredentials'],
  },
  apply_config: {
    input: {
      own: { ...DEPLOYMENT, ...CONFIG_ID, ...KEY },
      required: ['deployment', 'config_id', 'idempotency_key'],
      from: [takes('configs.create', 'values')],
    },
    output: { ...ACCEPTED, config: members('configs.create', 'id name version') },
    calls: ['configs.create', 'configs.activate', 'configs.delete', 'tasks.create'],
  },
  create_backup: {
    input: {
      own: { ...DEPLOYMENT, ...KEY },
      required: ['deployment', 'idempotency_key'],
      from: [takes('backups.create', 'name expires_in_days')],
    },
    output: { backup_id: { type: 'integer' }, operation_id: { type: 'integer' } },
    calls: ['backups.create'],
  },
  restore_backup: {
    input: {
      own: { ...DEPLOYMENT, ...KEY },
      required: ['deployment', 'idempotency_key'],
      from: [takes('backups.restore', 'backup_id')],
    },
    output: { operation_id: { type: 'integer' } },
    calls: ['backups.restore'],
  },
  request_delete_code: {
    input: { own: DEPLOYMENT, required: ['deployment'] },
    output: { deployment_id: { type: 'integer' }, name: TEXT, protected: { type: 'boolean' }, next: TEXT },
    calls: ['deployments.update', 'protectionCodes.request', 'deployments.delete'],
  },
  delete_deployment: {
    input: {
      own: {
        ...DEPLOYMENT,
        code: { type: 'string', pattern: '^[A-Z2-9]{8}$', description: 'What a person has typed from the mail.' },
      },
      required: ['deployment', 'code'],
    },
    output: { ...ACCEPTED },
    calls: ['deployments.delete'],
  },
};
