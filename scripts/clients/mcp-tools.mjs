/**
 * What each tool of `landlord mcp` takes and returns, as members of requests and answers of the API. A member that is not named here never
 * reaches a model. The descriptions of the tools are beside their code in packages/cli/src/mcp.
 */
const names = (text) => text.split(' ');
/** Members of a request, as input. */
const takes = (operation, text) => ({ operation, members: names(text) });
/** Members of an answer, or of the member of an answer that the path names. `items.id` is a member of a member, or of each item. */
const members = (operation, text, more = {}) => ({ operation, members: names(text), ...more });
const listed = (operation, text, path) => members(operation, text, { isList: true, ...(path && { path }) });
const inItems = (text) =>
  names(text)
    .map((name) => `items.${name}`)
    .join(' ');

const text = (description) => ({ type: 'string', description });
const DEPLOYMENT = { deployment: text('Id, name or code.') };
const DIVISION = { division: text('Id or name. Default: the only one.') };
const ENVIRONMENT = { environment: text('Id or name. Default: the only one.') };
const KEY = {
  idempotency_key: {
    ...{ type: 'string', minLength: 8, maxLength: 200 },
    description: 'New for each change; the same to repeat a call.',
  },
};
const CONFIG_ID = { config_id: { type: 'integer', description: 'The id of "active" in the answer of "config".' } };
const MOST_USD = {
  max_monthly_usd: {
    type: 'number',
    minimum: 0,
    description: 'Refuses a higher price per month.',
  },
};

const TEXT = { type: 'string' };
const OPTIONAL_TEXT = { type: ['string', 'null'] };
const TEXTS = { type: 'array', items: TEXT };
const ACCEPTED = { deployment_id: { type: 'integer' }, operation_id: { type: 'integer' } };
/** Parts of an answer that could not be read, such as those of a Supervisor that does not answer. */
const MISSING = { missing: TEXTS };

const PAGE = 'total_results total_pages';
const OPERATION = 'id type status deployment_id progress reason incident created_at finished_at';
const RULE = 'id name cidr_blocks rules valid_to';

export const READ_TOOLS = {
  whoami: {
    output: {
      server: TEXT,
      tenant: members('tenants.getStructure', 'id name'),
      key: members('apiKeys.getContext', 'id name role_name division_id division_name expiry_at'),
      rights_to_change: TEXTS,
      write_tools: TEXTS,
    },
  },
  tree: {
    output: {
      tenant: members(
        'tenants.getStructure',
        'id name divisions.id divisions.name divisions.environments.id divisions.environments.name divisions.environments.deployments',
      ),
    },
  },
  find_deployments: {
    input: { from: [takes('deployments.listAll', 'name status cloud region tier page results')] },
    output: {
      found: members(
        'deployments.listAll',
        `items.id items.name items.code items.division_id items.environment_id items.variant items.cloud items.region items.tier items.status items.status_reason items.operation_id ${PAGE}`,
      ),
    },
  },
  deployment: {
    input: { own: DEPLOYMENT, required: ['deployment'] },
    output: {
      deployment: members(
        'deployments.get',
        'id name code description division_id environment_id variant domain cloud region tier cluster managed_tier monthly_base storage availability_mode protected status status_reason operation_id pending_upgrade.tier pending_upgrade.operation_id nodes_count can_upgrade warnings created_at',
      ),
      nodes: listed(
        'runtime.get',
        'id name role status status_reason config_version runtimes.runtime runtimes.status runtimes.version',
        'nodes',
      ),
      backups: listed('backups.list', 'id name backup_type status size_bytes completed_at'),
      ...MISSING,
    },
  },
  connection: {
    input: { own: DEPLOYMENT, required: ['deployment'] },
    output: {
      nodes: listed('runtime.get', 'id name driver endpoints', 'nodes'),
      username: OPTIONAL_TEXT,
      access_rules: listed('accessRules.list', RULE),
      ...MISSING,
    },
  },
  why_unhealthy: {
    input: { own: DEPLOYMENT, required: ['deployment'] },
    output: {
      findings: TEXTS,
      deployment: members('deployments.get', 'id name status status_reason operation_id'),
      nodes: listed(
        'runtime.get',
        'id name status status_reason runtimes.runtime runtimes.status agent.last_heartbeat_at',
        'nodes',
      ),
      operations: members('operations.list', inItems(OPERATION)),
      logs: members('logs.list', 'items.at items.node_id items.runtime items.level items.message'),
      ...MISSING,
    },
  },
  operations: {
    input: { own: DEPLOYMENT, from: [takes('operations.list', 'type status page results')] },
    output: { found: members('operations.list', `${inItems(OPERATION)} ${PAGE}`) },
  },
  operation: {
    input: { from: [takes('operations.get', 'operation_id wait')] },
    output: { operation: members('operations.get', `${OPERATION} steps`) },
  },
  metrics: {
    input: {
      ...{ own: DEPLOYMENT, required: ['deployment'] },
      from: [takes('nodeMetrics.getSeries', 'node_id runtime from to step')],
      optional: ['node_id', 'runtime'],
    },
    output: {
      latest: listed('nodeMetrics.getLatest', 'node_id node runtime at reachable metrics'),
      series: listed('nodeMetrics.getSeries', 'at metrics', 'points'),
    },
  },
  logs: {
    input: {
      ...{ own: DEPLOYMENT, required: ['deployment'] },
      from: [takes('logs.list', 'runtime node level message from to page results')],
    },
    output: { found: members('logs.list', `items ${PAGE}`) },
  },
  config: {
    input: {
      ...{ own: DEPLOYMENT, required: ['deployment'] },
      from: [takes('configs.diff', 'version against')],
      optional: ['version'],
    },
    output: {
      active: members('configs.getPrimary', 'id name version runtime_version runtime_outdated restart_required values'),
      versions: listed('configs.list', 'id name version primary author_id created_at'),
      changes: listed('configs.diff', 'key from to secret restart_required', 'changes'),
      ...MISSING,
    },
  },
  audit: {
    input: {
      from: [takes('audit.list', 'from to author api_key user deployment types correlation_id page results')],
    },
    output: {
      found: members(
        'audit.list',
        `items.id items.type items.author items.api_key items.user items.deployment items.data items.correlation_id items.timestamp ${PAGE}`,
      ),
    },
  },
  catalog: {
    input: { from: [takes('catalog.listTiers', 'cloud region')], optional: ['cloud', 'region'] },
    output: {
      clouds: listed('catalog.listClouds', 'key name'),
      regions: listed('catalog.listRegions', 'key name available'),
      tiers: listed('catalog.listTiers', 'key available limit vcpus memory_gib clusters storages rate_limit'),
      storages: listed('catalog.listStorages', 'key description available clusters'),
    },
  },
  price_preview: {
    input: {
      own: { deployment: text('For an upgrade: id, name or code. Without it: a new deployment.') },
      from: [takes('deployments.preview', 'cloud region managed_tier tier storage availability_mode')],
      optional: ['cloud', 'region', 'tier'],
    },
    output: {
      price: members(
        'deployments.preview',
        'nodes monthly_base_usd monthly_total_usd breakdown warnings blocked_by.code blocked_by.detail orderable',
      ),
      difference: members('deployments.previewUpgrade', 'monthly_base_usd monthly_total_usd', { path: 'difference' }),
    },
  },
  usage: {
    input: { from: [takes('usage.list', 'from to page results')] },
    output: {
      found: members(
        'usage.list',
        `items.deployment items.compute_hours items.storage_gb_hours items.transfer_gb items.total_usd from to total_usd ${PAGE}`,
      ),
    },
  },
};

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
