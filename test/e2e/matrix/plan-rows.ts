import { given, type ApiAnswer, type ApiClient, type TestCloud } from '@libs/testing';
import { tomorrow } from './world.js';

/** A tenant of one plan. All limits except the tested one are raised. */
export interface Customer {
  cloud: TestCloud;
  api: ApiClient;
  /** Client of the Supervisor. */
  runtime: ApiClient;
  tenant: string;
  division: string;
  environment: string;
  /** Paths of the divisions, including the first one. */
  divisions: string[];
}

/** A limit that counts resources: the number in a new tenant, and a request that creates one more. */
export interface CountRow {
  has: number;
  /** Number of divisions that the tenant needs first. */
  divisions?: number;
  make: (customer: Customer, index: number) => Promise<ApiAnswer>;
}

/** A limit on the size of one resource: a request of this size. */
export interface SizeRow {
  divisions?: (size: number) => number;
  /** Distance to the next size above the limit; 1 by default. */
  above?: number;
  send: (customer: Customer, size: number) => Promise<ApiAnswer>;
}

const SHAPE = { cloud: 'aws', region: 'us-east-1', tier: 'small', managed_tier: 'standard' };

export const managed = ({ api, environment }: Customer, more: object): Promise<ApiAnswer> =>
  api.post(`${environment}/deployments/managed`, { ...SHAPE, cluster: 'cluster', ...more });

const deployments = new WeakMap<Customer, Promise<string | null>>();

/** A deployment of the tenant, the same for all calls. */
function theDeployment(customer: Customer): Promise<string | null> {
  const made =
    deployments.get(customer) ??
    managed(customer, { name: 'the-one' }).then(({ headers }) => headers.get('ld-deployment'));
  deployments.set(customer, made);
  return made;
}

const aChannel = (index: number): object => ({
  channel: 'email',
  name: `more-${index}`,
  destination: 'ops@people.example',
});

const channels = new WeakMap<Customer, Promise<string>>();

/** A channel of the tenant, the same for all calls. */
function theChannel(customer: Customer): Promise<string> {
  const { api, tenant } = customer;
  const made =
    channels.get(customer) ??
    api.post(`${tenant}/channels`, aChannel(0)).then(({ body }) => `${tenant}/channels/${body.id}`);
  channels.set(customer, made);
  return made;
}

const invite = ({ api, tenant }: Customer, index: number): Promise<ApiAnswer> =>
  api.post(`${tenant}/invitations`, { email: `guest-${index}@people.example` });

/** Returns the answer to the acceptance. */
async function inviteAndAccept({ cloud, api, tenant }: Customer, index: number): Promise<ApiAnswer> {
  const email = `member-${index}-${tenant.replaceAll('/', '-')}@people.example`;
  const guest = await given.person(cloud, { email });
  const { body } = await api.post(`${tenant}/invitations`, { email });
  return guest.put(`/account/invitations/${body.id}/accept`);
}

export const COUNTED: Record<string, CountRow> = {
  divisions_limit: {
    has: 1,
    make: ({ api, tenant }, index) => api.post(`${tenant}/divisions`, { name: `more-${index}` }),
  },
  environments_limit: {
    has: 1,
    divisions: 3,
    make: ({ api, divisions }, index) =>
      api.post(`${divisions[index % divisions.length]}/environments`, { name: `more-${index}` }),
  },
  environments_per_division_limit: {
    has: 1,
    make: ({ api, division }, index) => api.post(`${division}/environments`, { name: `more-${index}` }),
  },
  invitations_limit: { has: 0, make: invite },
  pending_invitations_limit: { has: 0, make: invite },
  // This limit applies when an invitation is accepted, not when it is sent.
  members_limit: { has: 1, make: inviteAndAccept },
  roles_limit: {
    has: 0,
    make: ({ api, tenant }, index) =>
      api.post(`${tenant}/roles`, { name: `more-${index}`, permissions: { tenant: ['info:read'] } }),
  },
  api_keys_limit: {
    has: 1,
    make: ({ api, tenant }, index) =>
      api.post(`${tenant}/api_keys`, {
        name: `more-${index}`,
        expiry_at: tomorrow(),
        permissions: { tenant: ['info:read'] },
      }),
  },
  cloud_accounts_limit: {
    has: 0,
    make: ({ api, tenant }, index) =>
      api.post(`${tenant}/cloud_accounts`, { cloud: 'gcp', name: `more-${index}`, account_id: 'my-project' }),
  },
  notification_channels_limit: {
    has: 0,
    make: ({ api, tenant, divisions }, index) =>
      api.post(`${[tenant, ...divisions][index % (divisions.length + 1)]}/channels`, aChannel(index)),
  },
  notification_subscriptions_limit: {
    has: 0,
    make: async (customer) =>
      customer.api.post(`${await theChannel(customer)}/subscriptions`, { message_types: ['division_created'] }),
  },
  deployment_access_rules_limit: {
    has: 0,
    make: async (customer, index) =>
      customer.runtime.post(`/deployments/${await theDeployment(customer)}/access_rules`, {
        name: `more-${index}`,
        cidr_blocks: ['10.0.0.0/8'],
        rules: { broker_tcp: true },
      }),
  },
  deployment_configs_limit: {
    has: 1,
    make: async (customer) =>
      customer.runtime.post(`/deployments/${await theDeployment(customer)}/configs/broker`, { values: {} }),
  },
  concurrent_deployments_limit: {
    has: 0,
    make: (customer, index) => managed(customer, { name: `more-${index}` }),
  },
};

export const SIZED: Record<string, SizeRow> = {
  api_key_allowed_ips_limit: {
    send: ({ api, tenant }, size) =>
      api.post(`${tenant}/api_keys`, {
        name: `of-${size}`,
        expiry_at: tomorrow(),
        permissions: { tenant: ['info:read'] },
        validate_ip: true,
        allowed_ips: Array.from({ length: size }, (_, index) => `10.0.0.${index}`),
      }),
  },
  divisions_per_role_limit: {
    divisions: (size) => size,
    send: ({ api, tenant, divisions }, size) => {
      const ids = divisions.slice(0, size).map((path) => path.split('/').at(-1));
      const granted = ids.map((id) => [id, { permissions: ['division:read'] }]);
      return api.post(`${tenant}/roles`, {
        name: `of-${size}`,
        permissions: { divisions: Object.fromEntries(granted) },
      });
    },
  },
  nodes_per_deployment_limit: {
    // Clusters have an odd number of nodes.
    above: 2,
    send: async (customer, size) =>
      managed(customer, { name: `of-${size}`, target_network_tput: await tputFor(customer, size) }),
  },
};

/** The lowest throughput for which the service chooses this many nodes. */
async function tputFor({ api, environment }: Customer, nodes: number): Promise<number> {
  let [low, high] = [1, 10_000_000];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const preview = await api.post(`${environment}/deployments/preview`, { ...SHAPE, target_network_tput: middle });
    if (preview.body.nodes >= nodes) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Requests that need a flag of the plan, and are valid otherwise. */
export const FLAGGED: Record<string, (customer: Customer) => Promise<ApiAnswer>> = {
  cluster_enabled: (customer) => managed(customer, { name: 'flagged' }),
  multi_az_enabled: (customer) =>
    managed(customer, { name: 'flagged', managed_tier: 'enterprise', availability_mode: 'multi_az' }),
  dedicated_enabled: (customer) => managed(customer, { name: 'flagged', dedicated: true }),
  customer_managed_keys_enabled: (customer) => managed(customer, { name: 'flagged', encrypted: true }),
  byoc_enabled: ({ api, environment }) =>
    api.post(`${environment}/deployments/byoc/setup`, { cloud: 'aws', region: 'us-east-1' }),
  advanced_notification_channels_enabled: ({ api, tenant }) =>
    api.post(`${tenant}/channels`, { ...aChannel(0), channel: 'slack', destination: 'https://hooks.example.com/in' }),
  audit_export_enabled: ({ api, tenant }) => api.get(`/audit${tenant}/export`),
};

/** Terms that need working nodes; the tests of these features cover them. */
export const ON_NODES = [
  ...['backup_enabled', 'deployment_backups_limit', 'backup_retention_days', 'backup_regions_limit'],
  ...['deployment_snapshots_limit', 'snapshot_retention_days'],
  ...['private_networking_enabled', 'private_connections_limit', 'private_endpoints_limit'],
  // test/e2e/configs/connectors.spec.ts activates them.
  'advanced_connectors_enabled',
];

/** Terms that hide data older than a number of days; the tests of these features cover them. */
export const HIDING = ['audit_retention_days'];
