import { ACCOUNT_ROWS } from './account-rows.js';
import { BACKUP_ROWS } from './backup-rows.js';
import { BILLING_ROWS } from './billing-rows.js';
import { CHANNEL_ROWS } from './channel-rows.js';
import { CERTIFICATE_ROWS } from './certificate-rows.js';
import { CONNECTOR_ROWS } from './connector-rows.js';
import { CONSOLE_ROWS } from './console-rows.js';
import { LOGIN_CODE_ROWS } from './login-code-rows.js';
import { MEMBER_ROWS } from './member-rows.js';
import { NETWORK_ROWS } from './network-rows.js';
import type { PathIds, Row } from './row.js';
import { SNAPSHOT_ROWS } from './snapshot-rows.js';
import type { World } from './world.js';

const nothing = async (): Promise<PathIds> => ({});
const division = async (world: World) => ({ division_id: await world.division() });
const environment = async (world: World) => ({ environment_id: await world.environment() });
const deployment = async (world: World) => ({ deployment_id: await world.deployment() });
const servingDeployment = async (world: World) => ({ deployment_id: await world.servingDeployment() });
const operation = async (world: World) => ({ operation_id: await world.operation() });
const accessRule = async (world: World) => {
  const { deployment_id } = await deployment(world);
  const { body } = await world.cloud.runtime().post(`/deployments/${deployment_id}/access_rules`, world.accessRule());
  return { deployment_id, access_rule_id: body.id };
};
const anActivity = async (world: World) => ({
  ...(await servingDeployment(world)),
  runtime: 'broker',
  action: 'restart',
});
const config = async (world: World) => {
  const { deployment_id } = await deployment(world);
  const { body } = await world.cloud.runtime().post(`/deployments/${deployment_id}/configs/broker`, world.config());
  return { deployment_id, config_id: body.id, config_name: body.name, version: body.version };
};
const node = async (world: World) => {
  const { deployment_id } = await deployment(world);
  return { deployment_id, node_id: await world.nodeOf(deployment_id), runtime: 'broker' };
};
const role = async (world: World) => ({ role_id: await world.role() });
const apiKey = async (world: World) => ({ api_key_id: await world.apiKey() });
const account = async (world: World) => ({ cloud_account_id: await world.cloudAccount() });
const aCloud = async () => ({ cloud: 'aws' });
const aRegion = async () => ({ cloud: 'aws', region: 'us-east-1' });

const T = '/tenants/:tenant_id';
const D = `${T}/divisions/:division_id`;
const E = `${D}/environments/:environment_id`;
const P = `${E}/deployments`;

const PUBLIC: Record<string, Row> = {
  'main-api: GET /errors': { status: 200 },
  'main-api: GET /health/live': { status: 200 },
  'main-api: GET /health/ready': { status: 200 },
  'main-api: GET /metrics': { status: 200 },
  'main-api: GET /pages/verify': { status: 302, query: '?token=x' },
  'main-api: GET /pages/reset': { status: 302, query: '?token=x' },
  'main-api: GET /pages/forgot': { status: 302 },
  'main-api: GET /pages/sign_in': { status: 302 },
  'main-api: GET /pages/sign_up': { status: 302 },
  'main-api: GET /pages/command_line': { status: 302 },
  'main-api: GET /pages/invitation': { status: 302, query: '?id=1' },
  'main-api: GET /pages/join_request': { status: 302, query: '?tenant_id=1&id=1' },
  'main-api: GET /pages/ownership_transfer': { status: 302, query: '?tenant_id=1&id=1' },
  'main-api: GET /pages/channel': { status: 302, query: '?token=x' },
  'main-api: GET /pages/unsubscribe': { status: 302, query: '?token=x' },
  'main-api: GET /pages/home': { status: 302 },
  'supervisor: GET /health/live': { status: 200 },
  'supervisor: GET /health/ready': { status: 200 },
  'supervisor: GET /metrics': { status: 200 },
};

const ORGANIZATION: Record<string, Row> = {
  [`main-api: GET ${T}`]: { status: 200 },
  [`main-api: PUT ${T}`]: { status: 204, body: (world) => ({ description: world.name() }) },
  [`main-api: GET ${T}/limits`]: { status: 200 },
  [`main-api: GET ${T}/subscription`]: { status: 200 },
  [`main-api: GET ${T}/deployments`]: { status: 200 },
  [`main-api: GET ${T}/structure`]: { status: 200 },
  [`main-api: GET ${T}/summary`]: { status: 200 },
  [`main-api: GET ${T}/config`]: { status: 200 },
  [`main-api: PUT ${T}/config`]: {
    status: 204,
    body: async (world) => {
      const { body } = await world.cloud.main().get(`${world.cloud.tenant}/config`);
      return { ...body, join_policy: body.join_policy === 'open' ? 'invite_only' : 'open' };
    },
  },
  [`main-api: PUT ${T}/request_code`]: {
    status: 204,
    judges: 'environment:manage',
    otherDivision: 404,
    body: async (world) => {
      const { tenant_id, division_id } = world.cloud.installation;
      const payload = { tenant_id, division_id, environment_id: await world.environment() };
      return { action: { action_type: 'delete_environment', payload } };
    },
  },
  [`main-api: POST ${T}/divisions`]: { status: 201, body: (world) => ({ name: world.name() }) },
  [`main-api: GET ${T}/divisions`]: { status: 200 },
  [`main-api: GET ${D}`]: { status: 200, path: nothing },
  [`main-api: PUT ${D}`]: { status: 204, path: division, body: (world) => ({ name: world.name() }) },
  [`main-api: DELETE ${D}`]: { status: 204, path: division },
  [`main-api: POST ${D}/environments`]: { status: 201, body: (world) => ({ name: world.name() }) },
  [`main-api: GET ${D}/environments`]: { status: 200 },
  [`main-api: GET ${E}`]: { status: 200 },
  [`main-api: PUT ${E}`]: { status: 204, path: environment, body: (world) => ({ name: world.name() }) },
  [`main-api: DELETE ${E}`]: { status: 204, path: environment },
};

const DEPLOYMENTS: Record<string, Row> = {
  [`main-api: GET ${T}/clouds`]: { status: 200 },
  [`main-api: GET ${T}/clouds/:cloud/regions`]: { status: 200, path: aCloud },
  [`main-api: GET ${T}/clouds/:cloud/regions/:region/tiers`]: { status: 200, path: aRegion },
  [`main-api: GET ${T}/clouds/:cloud/regions/:region/storages`]: { status: 200, path: aRegion },
  [`main-api: POST ${D}/deployments/starter`]: {
    status: 202,
    body: async (world) => ({ cloud: 'aws', region: 'us-east-1', environment_id: await world.environment() }),
  },
  [`main-api: POST ${P}/preview`]: {
    status: 200,
    body: () => ({ cloud: 'aws', region: 'us-east-1', tier: 'small', managed_tier: 'standard' }),
  },
  [`main-api: POST ${P}/managed`]: { status: 202, body: (world) => world.managed() },
  [`main-api: POST ${P}/byoc/setup`]: { status: 200, body: () => ({ cloud: 'gcp', region: 'us-central1' }) },
  [`main-api: POST ${P}/byoc`]: { status: 202, body: (world) => world.byoc() },
  [`supervisor: POST ${E}/byoc/validate`]: {
    status: 200,
    body: async (world) => ({ cloud: 'aws', region: 'us-east-1', ...(await world.awsAccount()) }),
  },
  [`main-api: GET ${P}`]: { status: 200 },
  [`main-api: GET ${P}/:deployment_id`]: { status: 200, path: deployment },
  [`main-api: PUT ${P}/:deployment_id`]: {
    status: 200,
    path: deployment,
    body: (world) => ({ description: world.name() }),
  },
  [`main-api: PUT ${P}/:deployment_id/spend_limit`]: {
    status: 200,
    path: deployment,
    body: () => ({ spend_limit: 99.5 }),
  },
  [`main-api: PUT ${P}/:deployment_id/retention`]: {
    status: 200,
    path: deployment,
    body: () => ({ retention: { telemetry_days: 3 } }),
  },
  [`main-api: POST ${P}/:deployment_id/upgrade`]: {
    status: 202,
    path: servingDeployment,
    body: () => ({ tier: 'medium' }),
  },
  [`main-api: POST ${P}/:deployment_id/upgrade/preview`]: {
    status: 200,
    path: deployment,
    body: () => ({ tier: 'medium' }),
  },
  [`main-api: POST ${P}/:deployment_id/extend`]: {
    status: 409,
    path: deployment,
    body: () => ({ nodes: [{ count: 2 }] }),
  },
  [`main-api: DELETE ${P}/:deployment_id`]: { status: 202, path: deployment },
  [`main-api: GET ${T}/operations`]: { status: 200 },
  [`main-api: GET ${T}/operations/:operation_id`]: { status: 200, path: operation, otherDivision: 404 },
  [`main-api: GET ${T}/operations/:operation_id/events`]: { status: 200, path: operation, otherDivision: 404 },
  [`supervisor: GET ${T}/operations`]: { status: 200 },
  [`supervisor: GET ${T}/operations/:operation_id`]: { status: 200, path: operation, otherDivision: 404 },
  [`supervisor: GET ${T}/operations/:operation_id/events`]: { status: 200, path: operation, otherDivision: 404 },
  [`supervisor: GET ${T}/summary`]: { status: 200 },
  [`supervisor: GET ${D}/summary`]: { status: 200 },
  'supervisor: GET /deployments/:deployment_id': { status: 200, path: deployment },
  'supervisor: GET /deployments/:deployment_id/credentials': { status: 200, path: deployment },
  'supervisor: POST /deployments/:deployment_id/credentials/rotate': {
    status: 202,
    path: servingDeployment,
    body: () => ({ overlap_seconds: 60 }),
  },
  'supervisor: GET /deployments/:deployment_id/network/info': { status: 200, path: deployment },
  'supervisor: GET /deployments/:deployment_id/tasks': { status: 200, path: deployment },
  'supervisor: POST /deployments/:deployment_id/tasks': {
    status: 202,
    path: servingDeployment,
    body: () => ({ type: 'broker:reconfigure' }),
  },
  'supervisor: GET /deployments/:deployment_id/activities': { status: 200, path: deployment },
  'supervisor: POST /deployments/:deployment_id/activities/:runtime/:action': { status: 202, path: anActivity },
  'supervisor: GET /deployments/:deployment_id/access_rules': { status: 200, path: deployment },
  'supervisor: GET /deployments/:deployment_id/access_rules/caller': { status: 200, path: deployment },
  'supervisor: POST /deployments/:deployment_id/access_rules': {
    status: 201,
    path: deployment,
    body: (world) => world.accessRule(),
  },
  'supervisor: DELETE /deployments/:deployment_id/access_rules/:access_rule_id': { status: 204, path: accessRule },
};

const C = '/deployments/:deployment_id/configs/broker';

const CONFIGS: Record<string, Row> = {
  [`supervisor: GET ${C}/schema`]: { status: 200, path: deployment },
  [`supervisor: GET ${C}/primary`]: { status: 200, path: deployment },
  [`supervisor: GET ${C}`]: { status: 200, path: deployment },
  [`supervisor: GET ${C}/:config_id`]: { status: 200, path: config },
  [`supervisor: GET ${C}/:config_name/versions`]: { status: 200, path: config },
  [`supervisor: GET ${C}/:config_name/versions/:version`]: { status: 200, path: config },
  [`supervisor: GET ${C}/:config_name/versions/:version/diff`]: { status: 200, path: config },
  [`supervisor: POST ${C}`]: {
    status: 201,
    path: deployment,
    body: (world) => world.config(),
  },
  [`supervisor: POST ${C}/preview`]: { status: 200, path: deployment, body: (world) => world.config() },
  [`supervisor: PUT ${C}/:config_name/activate/:version`]: { status: 204, path: config },
  [`supervisor: DELETE ${C}/:config_id`]: { status: 204, path: config },
};

const TELEMETRY: Record<string, Row> = {
  'supervisor: GET /deployments/:deployment_id/metrics': { status: 200, path: deployment },
  'supervisor: GET /deployments/:deployment_id/metrics/prometheus': { status: 200, path: deployment },
  'supervisor: GET /deployments/:deployment_id/nodes/:node_id/metrics/:runtime': { status: 200, path: node },
  'supervisor: GET /deployments/:deployment_id/heartbeats': { status: 200, path: deployment },
  'supervisor: GET /deployments/:deployment_id/nodes/:node_id/heartbeats': { status: 200, path: node },
  'supervisor: GET /deployments/:deployment_id/logs': { status: 200, path: deployment },
  'supervisor: GET /deployments/:deployment_id/logs/stream': { status: 200, path: deployment },
};

const ACCESS: Record<string, Row> = {
  [`main-api: POST ${T}/api_keys`]: { status: 201, body: (world) => world.newKey(), otherDivision: 403 },
  [`main-api: GET ${T}/api_keys`]: { status: 200 },
  [`main-api: GET ${T}/api_keys/context`]: { status: 200 },
  [`main-api: GET ${T}/api_keys/:api_key_id`]: { status: 200, path: apiKey, otherDivision: 404 },
  [`main-api: PUT ${T}/api_keys/:api_key_id/security`]: {
    status: 204,
    path: apiKey,
    body: () => ({ validate_ip: true, allowed_ips: ['10.0.0.0/8'] }),
    otherDivision: 404,
  },
  [`main-api: POST ${T}/api_keys/:api_key_id/rotate`]: {
    status: 200,
    path: apiKey,
    body: () => ({}),
    otherDivision: 404,
  },
  [`main-api: DELETE ${T}/api_keys/:api_key_id`]: { status: 204, path: apiKey, otherDivision: 404 },
  [`main-api: POST ${T}/roles`]: {
    status: 201,
    body: (world) => ({ name: world.name(), permissions: { tenant: ['role:read'] } }),
    // A role has no scope: its holder could see more than its creator.
    otherDivision: 403,
  },
  [`main-api: GET ${T}/roles`]: { status: 200 },
  [`main-api: GET ${T}/roles/:role_id`]: { status: 200, path: role },
  // A scoped caller cannot change a role that reaches beyond its division.
  [`main-api: PUT ${T}/roles/:role_id`]: {
    status: 204,
    path: role,
    body: (world) => ({ name: world.name() }),
    otherDivision: 403,
  },
  [`main-api: DELETE ${T}/roles/:role_id`]: { status: 204, path: role, otherDivision: 403 },
  [`main-api: GET ${T}/roles/:role_id/members`]: { status: 200, path: role },
  [`main-api: PUT ${T}/roles/:role_id/members/assign`]: {
    status: 204,
    path: role,
    body: async (world) => ({ members: [await world.member()] }),
    otherDivision: 403,
  },
  [`main-api: PUT ${T}/roles/:role_id/members/revoke`]: {
    status: 204,
    path: role,
    body: async (world, { role_id }) => {
      const members = [await world.member()];
      await world.cloud.main().put(`${world.cloud.tenant}/roles/${role_id}/members/assign`, { members });
      return { members };
    },
    otherDivision: 404,
  },
  [`main-api: GET ${T}/permissions/check`]: { status: 200, query: '?permission=info:read' },
  [`main-api: POST ${T}/cloud_accounts`]: {
    status: 201,
    body: (world) => ({ cloud: 'gcp', name: world.name(), account_id: 'my-project' }),
  },
  [`main-api: GET ${T}/cloud_accounts`]: { status: 200 },
  [`main-api: GET ${T}/cloud_accounts/:cloud_account_id`]: { status: 200, path: account },
  [`main-api: PUT ${T}/cloud_accounts/:cloud_account_id`]: {
    status: 204,
    path: account,
    body: (world) => ({ name: world.name() }),
  },
  [`main-api: DELETE ${T}/cloud_accounts/:cloud_account_id`]: { status: 204, path: account },
};

const AUDIT: Record<string, Row> = {
  'main-api: GET /audit/types': { status: 200 },
  'main-api: GET /audit/tenants/:tenant_id': { status: 200 },
  // Seals belong to the whole tenant.
  'main-api: GET /audit/tenants/:tenant_id/verify': { status: 200, otherDivision: 403 },
  'main-api: GET /audit/tenants/:tenant_id/export': { status: 200 },
  'main-api: GET /notifications/types': { status: 200 },
};

/** Every route of both apps, by its title. A route without a row fails the matrix. */
export const ROWS: Record<string, Row> = {
  ...PUBLIC,
  ...ORGANIZATION,
  ...DEPLOYMENTS,
  ...CONFIGS,
  ...BACKUP_ROWS,
  ...CHANNEL_ROWS,
  ...CERTIFICATE_ROWS,
  ...CONNECTOR_ROWS,
  ...SNAPSHOT_ROWS,
  ...ACCESS,
  ...AUDIT,
  ...TELEMETRY,
  ...BILLING_ROWS,
  ...NETWORK_ROWS,
  ...ACCOUNT_ROWS,
  ...LOGIN_CODE_ROWS,
  ...CONSOLE_ROWS,
  ...MEMBER_ROWS,
};
