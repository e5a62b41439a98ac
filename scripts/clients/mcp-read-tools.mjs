import {
  takes,
  members,
  listed,
  inItems,
  text,
  DEPLOYMENT,
  TEXT,
  OPTIONAL_TEXT,
  TEXTS,
  MISSING,
  PAGE,
  OPERATION,
  RULE,
} from './mcp-parts.mjs';

/** The tools that read (mcp-parts.mjs says how to read this list). */
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
