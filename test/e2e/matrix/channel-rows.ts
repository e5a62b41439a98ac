import { randomBytes } from 'node:crypto';
import type { PathIds, Row } from './row.js';
import type { World } from './world.js';

const PATHS = { tenant: '/tenants/:tenant_id', division: '/tenants/:tenant_id/divisions/:division_id' } as const;
/** Every path of channels exists for both owners. */
export type ChannelOwner = keyof typeof PATHS;

/** The first tenant, or its first division. */
export const ownerUrl = ({ cloud }: World, owner: ChannelOwner): string => cloud[owner];
const aChannel = (world: World) => ({ channel: 'email', name: world.name(), destination: world.address() });

/** Creates a channel of the owner. */
export async function channelOf(world: World, owner: ChannelOwner): Promise<number> {
  const kind = { channel: 'webhook', name: world.name(), destination: 'https://hooks.example.com/in' };
  const { status, body } = await world.cloud.main().post(`${ownerUrl(world, owner)}/channels`, kind);
  if (status !== 201) throw new TypeError(`the world could not be made: ${JSON.stringify(body)}`);
  return body.id as number;
}

/** An e-mail channel without a confirmation; its tenant has sent no confirmation mail today. */
async function askedAnHourAgo(world: World, owner: ChannelOwner): Promise<PathIds> {
  const { body } = await world.cloud.main().post(`${ownerUrl(world, owner)}/channels`, aChannel(world));
  await world.cloud.rows('delete from channel_confirmations');
  return { channel_id: body.id };
}

/** A token of a mailed confirmation link, whose plain text the test has. */
async function confirmationOf(world: World): Promise<string> {
  const { body } = await world.cloud.main().post(`${world.cloud.tenant}/channels`, aChannel(world));
  const token = randomBytes(32).toString('base64url');
  await world.cloud.rows(
    `insert into channel_confirmations (tenant_id, channel_id, address_hash, token_hash, expires_at)
     values ($1, $2, sha256(convert_to($3, 'UTF8')), sha256($4::text::bytea), now() + interval '1 hour')`,
    [world.cloud.installation.tenant_id, body.id, body.destination, token],
  );
  return token;
}

/** The unsubscribe token in a mail to the confirmed address of a channel. */
async function leavingTokenOf(world: World): Promise<string> {
  const { body } = await world.cloud.main().post(`${world.cloud.tenant}/channels`, aChannel(world));
  const [row] = await world.cloud.rows<{ hash: Buffer }>(
    `update notification_channels set confirmed_address = sha256(convert_to($2, 'UTF8')) where id = $1
     returning confirmed_address as hash`,
    [body.id, body.destination],
  );
  const text = `${body.id}.${row?.hash.toString('hex')}`;
  const proof = await world.cloud.asSupervisor(async (_, secrets) => secrets.prove('leave_channel', text));
  return `${body.id}.${proof}`;
}

async function subscriptionOf(world: World, owner: ChannelOwner): Promise<PathIds> {
  const channel_id = await channelOf(world, owner);
  const path = `${ownerUrl(world, owner)}/channels/${channel_id}/subscriptions`;
  const { body } = await world.cloud.main().post(path, { message_types: ['division_created'] });
  return { channel_id, subscription_id: body.id };
}

/** The delivery of a test notification. It stays pending, because no worker runs. */
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
    [`main-api: POST ${C}/:channel_id/confirmation`]: { status: 204, path: (world) => askedAnHourAgo(world, owner) },
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
export const CHANNEL_ROWS: Record<string, Row> = {
  ...rowsOf('tenant'),
  ...rowsOf('division'),
  'main-api: POST /notifications/confirm': {
    status: 204,
    body: async (world) => ({ token: await confirmationOf(world) }),
  },
  'main-api: POST /notifications/unsubscribe': {
    status: 204,
    body: async (world) => ({ token: await leavingTokenOf(world) }),
  },
};
