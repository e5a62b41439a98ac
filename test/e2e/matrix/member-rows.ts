import { createHmac, randomBytes } from 'node:crypto';
import { given } from '@libs/testing';
import type { Row } from './row.js';
import type { SignedIn, World } from './world.js';

const T = '/tenants/:tenant_id';
const CODE = 'ABCDEFGH';

const member = async (world: World) => ({ member_id: await world.member() });
const request = async (world: World) => ({ join_request_id: await world.joinRequest() });
const invitation = async (world: World) => ({ invitation_id: await world.invitation() });
const toMe = async (world: World, who: SignedIn | null) => ({ invitation_id: await world.invitation(who?.userId) });

async function ownTenant({ cloud }: World, who: SignedIn | null) {
  const { body } = await cloud.main(null).post('/tenants', { name: 'brief' }, who?.headers);
  return { tenant_id: body.id as number };
}

/** A protection code whose plain text the test has. */
async function withCode({ cloud }: World, { tenant_id: id }: Record<string, number | string>): Promise<string> {
  const salt = randomBytes(16);
  const hash = createHmac('sha256', salt).update(`delete_tenant\0${id}\0${CODE}`).digest();
  await cloud.rows(
    `insert into protection_codes (action_type, resource_id, tenant_id, salt, code_hash, expires_at)
     values ('delete_tenant', $1, $1, $2, $3, now() + interval '10 minutes')`,
    [id, salt, hash],
  );
  return `?code=${CODE}`;
}

/** A protection code for one member, whose plain text the test has. */
async function withTransferCode({ cloud }: World, ids: Record<string, number | string>): Promise<string> {
  const salt = randomBytes(16);
  const subject = ['transfer_tenant', ids['tenant_id'], ids['heir'], CODE].join('\0');
  await cloud.rows(
    `insert into protection_codes (action_type, resource_id, tenant_id, salt, code_hash, expires_at)
     values ('transfer_tenant', $1, $1, $2, $3, now() + interval '10 minutes')
     on conflict (action_type, resource_id) do update
       set salt = excluded.salt, code_hash = excluded.code_hash, attempts = 0, used_at = null, expires_at = excluded.expires_at`,
    [ids['tenant_id'], salt, createHmac('sha256', salt).update(subject).digest()],
  );
  return `?code=${CODE}`;
}

/** A tenant of another owner that is offered to the user, who is a member of it. */
async function offered({ cloud }: World, who: SignedIn | null) {
  const { tenantId } = await given.tenant(cloud);
  await given.membership(cloud, who?.userId ?? 0, { tenantId, roles: ['viewer'] });
  const [row] = await cloud.rows<{ id: string }>(
    `insert into ownership_transfers (tenant_id, from_user_id, to_user_id, expires_at)
     select id, owner_id, $2, now() + interval '1 day' from tenants where id = $1 returning id`,
    [tenantId, who?.userId],
  );
  return { ownership_transfer_id: Number(row?.id) };
}

/** Routes of tenants by session, of members, of invitations and of join requests. */
export const MEMBER_ROWS: Record<string, Row> = {
  'main-api: GET /tenants': { status: 200 },
  'main-api: POST /tenants': { status: 201, as: 'user', body: (world) => ({ name: world.name() }) },
  [`main-api: DELETE ${T}`]: { status: 204, as: 'user', path: ownTenant, query: withCode },
  [`main-api: DELETE ${T}/membership`]: {
    status: 204,
    as: 'user',
    path: async ({ cloud }, who) => {
      await given.membership(cloud, who?.userId ?? 0, {});
      return {};
    },
  },
  [`main-api: PUT ${T}/owner`]: {
    status: 204,
    as: 'owner',
    path: async (world) => ({ heir: await world.member() }),
    query: withTransferCode,
    body: (_, ids) => ({ member_id: ids['heir'] }),
  },
  'main-api: GET /account/ownership_transfers': { status: 200, as: 'user' },
  'main-api: GET /account/ownership_transfers/:ownership_transfer_id': { status: 200, as: 'user', path: offered },
  'main-api: PUT /account/ownership_transfers/:ownership_transfer_id/accept': {
    status: 204,
    as: 'user',
    path: offered,
  },
  'main-api: PUT /account/ownership_transfers/:ownership_transfer_id/reject': {
    status: 204,
    as: 'user',
    path: offered,
  },
  [`main-api: GET ${T}/members`]: { status: 200 },
  [`main-api: GET ${T}/members/permissions`]: { status: 200 },
  // A member of the whole tenant is not a member of a division.
  [`main-api: GET ${T}/members/:member_id`]: { status: 200, path: member, otherDivision: 404 },
  [`main-api: PUT ${T}/members/:member_id`]: {
    status: 204,
    path: member,
    body: () => ({ active: false }),
    otherDivision: 404,
  },
  [`main-api: DELETE ${T}/members/:member_id`]: { status: 204, path: member, otherDivision: 404 },
  [`main-api: GET ${T}/invitations`]: { status: 200 },
  [`main-api: POST ${T}/invitations`]: {
    status: 201,
    body: async (world) => ({ email: world.address(), roles: [await world.role()] }),
    otherDivision: 403,
  },
  [`main-api: GET ${T}/invitations/:invitation_id`]: { status: 200, path: invitation, otherDivision: 404 },
  [`main-api: DELETE ${T}/invitations/:invitation_id`]: { status: 204, path: invitation, otherDivision: 404 },
  'main-api: GET /account/invitations': { status: 200, as: 'user' },
  'main-api: GET /account/invitations/:invitation_id': { status: 200, as: 'user', path: toMe },
  'main-api: PUT /account/invitations/:invitation_id/accept': { status: 204, as: 'user', path: toMe },
  'main-api: PUT /account/invitations/:invitation_id/reject': { status: 204, as: 'user', path: toMe },
  [`main-api: GET ${T}/join_requests`]: { status: 200 },
  [`main-api: GET ${T}/join_requests/:join_request_id`]: { status: 200, path: request },
  [`main-api: PUT ${T}/join_requests/:join_request_id/approve`]: {
    status: 204,
    path: request,
    body: async (world) => ({ roles: [await world.role()] }),
    otherDivision: 403,
  },
  [`main-api: PUT ${T}/join_requests/:join_request_id/reject`]: { status: 204, path: request },
};
