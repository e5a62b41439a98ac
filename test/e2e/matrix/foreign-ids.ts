import { given, type ApiAnswer } from '@libs/testing';
import type { World } from './world.js';
import { channelOf, ownerUrl, type ChannelOwner } from './channel-rows.js';
import { headOf } from './routes.js';
import { tomorrow } from './world.js';

/** Resources of another organization, by the kind of their id. */
export interface Foreign {
  tenant: number;
  division: number;
  environment: number;
  deployment: number;
  role: number;
  apiKey: number;
  user: number;
  /** A node of this deployment. */
  node: number;
}

/** Sends a foreign id in one member. `answers` is the error code, or null for an empty list. */
export interface ForeignRow {
  send: (world: World, foreign: Foreign) => Promise<ApiAnswer>;
  answers: string | null;
}

/** Creates one resource of each kind in the other organization of the world. */
export async function foreignThings({ cloud, otherTenant }: World): Promise<Foreign> {
  const { tenantId: tenant, divisionId: division, environmentId: environment } = otherTenant;
  await given.invoiceAgreement(cloud, tenant);
  const as = cloud.main(await given.key(cloud, { tenantId: tenant }));
  const path = `/tenants/${tenant}`;
  const shape = { cloud: 'aws', region: 'us-east-1', tier: 'small', managed_tier: 'standard', cluster: 'cluster' };
  const deployments = `${path}/divisions/${division}/environments/${environment}/deployments`;
  const deployment = await as.post(`${deployments}/managed`, { name: 'theirs', ...shape });
  const permissions = { tenant: ['info:read'] };
  const role = await as.post(`${path}/roles`, { name: 'theirs', permissions });
  const apiKey = await as.post(`${path}/api_keys`, { name: 'theirs', expiry_at: tomorrow(), permissions });
  const user = apiKey.body.user_id;
  const id = Number(deployment.headers.get('ld-deployment'));
  const [node] = await cloud.rows<{ id: number }>('select id::int from nodes where deployment_id = $1', [id]);
  return {
    tenant,
    division,
    environment,
    deployment: id,
    role: role.body.id,
    apiKey: apiKey.body.id,
    user,
    node: node?.id ?? 0,
  };
}

const granting = (division: number): object => ({ divisions: { [division]: { permissions: ['division:read'] } } });

const auditBy = (name: string, kind: keyof Foreign, suffix = ''): ForeignRow => ({
  send: ({ cloud }, foreign) =>
    cloud.main().get(`/audit/tenants/${cloud.installation.tenant_id}${suffix}?${name}=${foreign[kind]}`),
  answers: null,
});

const AUDIT_KINDS = {
  user: 'user',
  author: 'user',
  api_key: 'apiKey',
  division: 'division',
  environment: 'environment',
  deployment: 'deployment',
} as const;

const keyWith = (of: (foreign: Foreign) => object, answers: string): ForeignRow => ({
  send: ({ cloud }, foreign) =>
    cloud.main().post(`${cloud.tenant}/api_keys`, { name: 'k', expiry_at: tomorrow(), ...of(foreign) }),
  answers,
});

const invitationWith = (of: (foreign: Foreign) => object, answers: string): ForeignRow => ({
  send: (world, foreign) =>
    world.cloud.main().post(`${world.cloud.tenant}/invitations`, { email: world.address(), ...of(foreign) }),
  answers,
});

const code = (
  action: string,
  of: (own: Record<string, number>, foreign: Foreign) => object,
  answers: string,
): ForeignRow => ({
  send: ({ cloud }, foreign) => {
    const { tenant_id, division_id, environment_id } = cloud.installation;
    const payload = of({ tenant_id, division_id, environment_id }, foreign);
    return cloud.main().put(`${cloud.tenant}/request_code`, { action: { action_type: action, payload } });
  },
  answers,
});

const roleChange = (of: (foreign: Foreign) => [string, object], answers: string): ForeignRow => ({
  send: async (world, foreign) => {
    const [suffix, body] = of(foreign);
    return world.cloud.main().put(`${world.cloud.tenant}/roles/${await world.role()}${suffix}`, body);
  },
  answers,
});

const check = (of: (own: number, foreign: Foreign) => string, answers: string): ForeignRow => ({
  send: ({ cloud }, foreign) => {
    const place = of(cloud.installation.division_id, foreign);
    return cloud.main().get(`${cloud.tenant}/permissions/check?permission=deployment:read&${place}`);
  },
  answers,
});

const SCOPES = {
  scope_tenant_ids: 'tenant',
  scope_division_ids: 'division',
  scope_environment_ids: 'environment',
  scope_deployment_ids: 'deployment',
} as const;

const subscription = (member: keyof typeof SCOPES, owner: ChannelOwner): ForeignRow => ({
  send: async (world, foreign) => {
    const path = `${ownerUrl(world, owner)}/channels/${await channelOf(world, owner)}/subscriptions`;
    const body = { message_types: ['division_updated'], [member]: [foreign[SCOPES[member]]] };
    return world.cloud.main().post(path, body);
  },
  answers: 'validation_failed',
});

/** A complete backup of the deployment, in the rows only. */
async function backupOf({ cloud }: World, deployment: number): Promise<number> {
  const [row] = await cloud.rows<{ id: number }>(
    `insert into backups (deployment_id, operation_id, name, backup_type, status, region, expires_at)
     select $1, coalesce(max(operation_id), 0) + 1000000, 'theirs', 'manual', 'completed', 'us-east-1', now() + interval '1 day'
       from backups returning id::int`,
    [deployment],
  );
  return row?.id ?? 0;
}

const restored = async (world: World, deployment: number, backup: number): Promise<ApiAnswer> =>
  world.cloud.main().post(`${world.cloud.environment}/deployments/managed`, {
    ...(await world.managed()),
    restore_from: { deployment_id: deployment, backup_id: backup },
  });

/** Every member of a body or query that contains ids, by app, operation and name. */
export const FOREIGN_IDS: Record<string, ForeignRow> = {
  ...Object.fromEntries(
    Object.entries(AUDIT_KINDS).flatMap(([name, kind]) => [
      [`main-api audit.list ${name}`, auditBy(name, kind)],
      [`main-api audit.export ${name}`, auditBy(name, kind, '/export')],
    ]),
  ),
  ...Object.fromEntries(
    (Object.keys(SCOPES) as (keyof typeof SCOPES)[]).flatMap((member) => [
      [`main-api subscriptions.create ${member}`, subscription(member, 'tenant')],
      [`main-api subscriptions.createInDivision ${member}`, subscription(member, 'division')],
    ]),
  ),
  'main-api apiKeys.create role_id': keyWith(({ role }) => ({ role_id: role }), 'role_not_found'),
  'main-api apiKeys.create division_id': keyWith(
    ({ division }) => ({ division_id: division, permissions: { tenant: ['info:read'] } }),
    'division_not_found',
  ),
  'main-api apiKeys.create permissions.divisions': keyWith(
    ({ division }) => ({ permissions: granting(division) }),
    'division_not_found',
  ),
  'main-api deployments.createStarter environment_id': {
    send: ({ cloud }, { environment }) =>
      cloud.main().post(`${cloud.division}/deployments/starter`, {
        cloud: 'aws',
        region: 'us-east-1',
        environment_id: environment,
      }),
    answers: 'environment_not_found',
  },
  'main-api deployments.createManaged restore_from.deployment_id': {
    send: async (world, { deployment }) => restored(world, deployment, await backupOf(world, deployment)),
    answers: 'deployment_not_found',
  },
  'main-api deployments.createManaged restore_from.backup_id': {
    send: async (world, { deployment }) => restored(world, await world.deployment(), await backupOf(world, deployment)),
    answers: 'backup_not_found',
  },
  'main-api operations.list deployment': {
    send: ({ cloud }, { deployment }) => cloud.main().get(`${cloud.tenant}/operations?deployment=${deployment}`),
    answers: null,
  },
  'supervisor runtimeOperations.list deployment': {
    send: ({ cloud }, { deployment }) => cloud.runtime().get(`${cloud.tenant}/operations?deployment=${deployment}`),
    answers: null,
  },
  'supervisor activities.request nodes': {
    send: async (world, { node }) => {
      const path = `/deployments/${await world.servingDeployment()}/activities/broker/restart`;
      return world.cloud.runtime().post(path, { nodes: [node] });
    },
    answers: 'validation_failed',
  },
  'supervisor backups.create node_id': {
    send: async (world, { node }) => {
      const path = `/deployments/${await world.servingDeployment()}/backups`;
      return world.cloud.runtime().post(path, { name: 'theirs', node_id: node });
    },
    answers: 'validation_failed',
  },
  'supervisor activities.list node': {
    send: async (world, { deployment }) => {
      const path = `/deployments/${await world.servingDeployment()}/activities`;
      expect((await world.cloud.runtime().post(`${path}/broker/restart`)).status).toBe(202);
      return world.cloud.runtime().get(`${path}?node=${await world.nodeOf(deployment)}`);
    },
    answers: null,
  },
  'supervisor snapshots.list node': {
    send: async (world, { node }) => {
      const path = `/deployments/${await world.deployment()}/snapshots`;
      await world.cloud.runtime().post(path, {});
      return world.cloud.runtime().get(`${path}?node=${node}`);
    },
    answers: null,
  },
  'supervisor logs.list node': {
    send: async (world, { deployment }) => {
      const node = await world.nodeOf(deployment);
      await world.cloud.rows(
        `insert into node_logs (deployment_id, node_id, at, runtime, level, message)
         values ($1, $2, now() - interval '1 second', 'broker', 'info', 'theirs')`,
        [deployment, node],
      );
      return world.cloud.runtime().get(`/deployments/${await world.deployment()}/logs?node=${node}`);
    },
    answers: null,
  },
  'supervisor logs.stream node': {
    send: async (world, { deployment }) => {
      const [own, node] = [await world.deployment(), await world.nodeOf(deployment)];
      return headOf(`${world.cloud.supervisor.url}/deployments/${own}/logs/stream?node=${node}`, world.cloud.key, {});
    },
    answers: null,
  },
  'main-api permissions.check division_id': check(
    (_, foreign) => `division_id=${foreign.division}`,
    'division_not_found',
  ),
  'main-api permissions.check environment_id': check(
    (own, foreign) => `division_id=${own}&environment_id=${foreign.environment}`,
    'environment_not_found',
  ),
  'main-api protectionCodes.request action.payload.tenant_id': code(
    'delete_tenant',
    (_, { tenant }) => ({ tenant_id: tenant }),
    'tenant_not_found',
  ),
  'main-api protectionCodes.request action.payload.division_id': code(
    'delete_division',
    ({ tenant_id }, { division }) => ({ tenant_id, division_id: division }),
    'division_not_found',
  ),
  'main-api protectionCodes.request action.payload.environment_id': code(
    'delete_environment',
    ({ tenant_id, division_id }, { environment }) => ({ tenant_id, division_id, environment_id: environment }),
    'environment_not_found',
  ),
  'main-api protectionCodes.request action.payload.deployment_id': code(
    'delete_deployment',
    (own, { deployment }) => ({ ...own, deployment_id: deployment }),
    'deployment_not_found',
  ),
  'main-api protectionCodes.request action.payload.member_id': {
    send: async (world, { user }) => {
      const payload = { tenant_id: world.cloud.installation.tenant_id, member_id: user };
      const { headers } = await world.signedIn('owner');
      const action = { action_type: 'transfer_tenant', payload };
      return world.cloud.main(null).put(`${world.cloud.tenant}/request_code`, { action }, headers);
    },
    answers: 'member_not_found',
  },
  'main-api ownershipTransfers.offer member_id': {
    send: async (world, { user }) => {
      const { headers } = await world.signedIn('owner');
      return world.cloud.main(null).put(`${world.cloud.tenant}/owner`, { member_id: user }, headers);
    },
    answers: 'member_not_found',
  },
  'main-api members.update roles': {
    send: async (world, { role }) =>
      world.cloud.main().put(`${world.cloud.tenant}/members/${await world.member()}`, { roles: [role] }),
    answers: 'role_not_found',
  },
  'main-api invitations.create division_id': invitationWith(
    ({ division }) => ({ division_id: division }),
    'division_not_found',
  ),
  'main-api invitations.create roles': invitationWith(({ role }) => ({ roles: [role] }), 'role_not_found'),
  'main-api joinRequests.approve roles': {
    send: async (world, { role }) =>
      world.cloud
        .main()
        .put(`${world.cloud.tenant}/join_requests/${await world.joinRequest()}/approve`, { roles: [role] }),
    answers: 'role_not_found',
  },
  'main-api roles.create permissions.divisions': {
    send: ({ cloud }, { division }) =>
      cloud.main().post(`${cloud.tenant}/roles`, { name: 'foreign', permissions: granting(division) }),
    answers: 'division_not_found',
  },
  'main-api roles.update permissions.divisions': roleChange(
    ({ division }) => ['', { permissions: granting(division) }],
    'division_not_found',
  ),
  'main-api roles.assign members': roleChange(
    ({ user }) => ['/members/assign', { members: [user] }],
    'member_not_found',
  ),
  'main-api roles.revoke members': roleChange(
    ({ user }) => ['/members/revoke', { members: [user] }],
    'member_not_found',
  ),
};

/** Members that look like ids, but do not name resources of an organization. */
export const NO_IDS = ['main-api audit.verify sequence', 'supervisor deadLetters.replay ids'];
