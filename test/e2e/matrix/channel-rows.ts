import type { PathIds, Row } from './row.js';
import type { World } from './world.js';

const PATHS = { tenant: '/tenants/:tenant_id', division: '/tenants/:tenant_id/divisions/:division_id' } as const;
/** Every path of channels exists twice. */
export type ChannelOwner = keyof typeof PATHS;

/** The first tenant, or its first division. */
export const ownerUrl = ({ cloud }: World, owner: ChannelOwner): string => cloud[owner];
const aChannel = (world: World) => ({ channel: 'email', name: world.name(), destination: world.address() });

/** A new channel of the owner. */
export async function channelOf(world: World, owner: ChannelOwner): Promise<number> {
  const kind = { channel: 'webhook', name: world.name(), destination: 'https://hooks.example.com/in' };
  const { status, body } = await world.cloud.main().post(`${ownerUrl(world, owner)}/channels`, kind);
  if (status !== 201) throw new TypeError(`the world could not be made: ${JSON.stringify(body)}`);
  return body.id as number;
}

async function subscriptionOf(world: World, owner: ChannelOwner): Promise<PathIds> {
  const channel_id = await channelOf(world, owner);
  const path = `${ownerUrl(world, owner)}/channels/${channel_id}/subscriptions`;
  const { body } = await world.cloud.main().post(path, { message_types: ['division_created'] });
  return { channel_id, subscription_id: body.id };
}

/** A test that nobody delivers: workers rest. */
async function deliveryOf(world: World, owner: ChannelOwner): Promise<PathIds> {
  const channel_id = await channelOf(world, owner);
  const path = `${ownerUrl(world, owner)}/channels/${channel_id}`;
  await world.cloud.main().post(`${path}/test`);
  const { body } = await world.cloud.main().get(`${path}/deliveries`);
  return { channel_id, delivery_id: body.items[0].id };
}

const rowsOf = (owner: ChannelOwner): Record<string, Row> => {
  const C = `${PATHS[owner]}/channels`;
  const path = async (world: World) => ({ channel_id: await channelOf(world, owner) });
  const types = () => ({ message_types: ['division_created'] });
  return {
    [`main-api: GET ${C}`]: { status: 200 },
    [`main-api: POST ${C}`]: { status: 201, body: aChannel },
    [`main-api: GET ${C}/:channel_id`]: { status: 200, path },
    [`main-api: PUT ${C}/:channel_id`]: { status: 204, path, body: (world) => ({ name: world.name() }) },
    [`main-api: DELETE ${C}/:channel_id`]: { status: 204, path },
    [`main-api: POST ${C}/:channel_id/test`]: { status: 204, path },
    [`main-api: POST ${C}/:channel_id/rotate`]: { status: 200, path, body: () => ({}) },
    [`main-api: GET ${C}/:channel_id/subscriptions`]: { status: 200, path },
    [`main-api: POST ${C}/:channel_id/subscriptions`]: { status: 201, path, body: types },
    [`main-api: PUT ${C}/:channel_id/subscriptions`]: {
      status: 204,
      path,
      body: () => ({ subscriptions: [types()] }),
    },
    [`main-api: GET ${C}/:channel_id/subscriptions/:subscription_id`]: {
      status: 200,
      path: (world) => subscriptionOf(world, owner),
    },
    [`main-api: DELETE ${C}/:channel_id/subscriptions/:subscription_id`]: {
      status: 204,
      path: (world) => subscriptionOf(world, owner),
    },
    [`main-api: GET ${C}/:channel_id/notifications`]: { status: 200, path },
    [`main-api: GET ${C}/:channel_id/deliveries`]: { status: 200, path },
    [`main-api: GET ${C}/:channel_id/deliveries/:delivery_id`]: {
      status: 200,
      path: (world) => deliveryOf(world, owner),
    },
    [`main-api: POST ${C}/:channel_id/deliveries/:delivery_id/redeliver`]: {
      status: 204,
      path: (world) => deliveryOf(world, owner),
    },
  };
};

/** Routes of notification channels, of both owners. */
export const CHANNEL_ROWS: Record<string, Row> = { ...rowsOf('tenant'), ...rowsOf('division') };
