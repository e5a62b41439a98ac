import type { Row } from './row.js';
import type { World } from './world.js';

const deployment = async (world: World) => ({ deployment_id: await world.deployment() });
const servingDeployment = async (world: World) => ({ deployment_id: await world.servingDeployment() });
const plugin = { type: 'sink', key: 'stdout' };
const aConnector = async (world: World) => ({ ...(await deployment(world)), ...plugin });

const instance = async (world: World) => {
  const { deployment_id } = await servingDeployment(world);
  return { deployment_id, ...plugin, ...(await world.connector(deployment_id)) };
};
/** A second version that no operation applies. */
const config = async (world: World) => {
  const { deployment_id, ...named } = await instance(world);
  const { body } = await world.cloud
    .runtime()
    .post(`/deployments/${deployment_id}/configs/connector:sink:stdout`, { name: named.config_name, values: {} });
  return { deployment_id, ...named, config_id: body.id, version: body.version };
};

const P = '/tenants/:tenant_id/divisions/:division_id/environments/:environment_id/deployments';
const C = '/deployments/:deployment_id/configs/connector::type::key';
const I = '/deployments/:deployment_id/connectors/instances';

/** Routes of connectors and of their configurations. */
export const CONNECTOR_ROWS: Record<string, Row> = {
  [`main-api: GET ${P}/:deployment_id/connectors`]: { status: 200, path: deployment },
  [`main-api: POST ${P}/:deployment_id/connectors/activate`]: {
    status: 202,
    path: servingDeployment,
    body: () => ({ connector_type: 'sink', connector_key: 'stdout' }),
  },
  [`supervisor: GET ${I}`]: { status: 200, path: deployment },
  [`supervisor: DELETE ${I}/:connector_instance_id`]: { status: 204, path: instance },
  // No node runs in this world, so none answers.
  [`supervisor: GET ${I}/:connector_instance_id/dead_letters`]: { status: 503, path: instance },
  [`supervisor: POST ${I}/:connector_instance_id/dead_letters/replay`]: {
    status: 503,
    path: instance,
    body: () => ({}),
  },
  [`supervisor: DELETE ${I}/:connector_instance_id/dead_letters`]: { status: 503, path: instance },
  [`supervisor: GET ${C}/schema`]: { status: 200, path: aConnector },
  [`supervisor: GET ${C}/primary`]: { status: 200, path: instance },
  [`supervisor: GET ${C}/:config_name/versions`]: { status: 200, path: instance },
  [`supervisor: POST ${C}`]: {
    status: 201,
    path: instance,
    body: (_, { config_name }) => ({ name: config_name, values: {} }),
  },
  [`supervisor: POST ${C}/preview`]: {
    status: 200,
    path: instance,
    body: (_, { config_name }) => ({ name: config_name, values: {} }),
  },
  [`supervisor: PUT ${C}/:config_name/activate/:version`]: { status: 204, path: config },
  [`supervisor: DELETE ${C}/:config_id`]: { status: 204, path: config },
};
