import { createHash, randomBytes } from 'node:crypto';
import { hashPassword } from '@libs/domain';
import { given } from '@libs/testing';
import type { Row } from './row.js';
import type { SignedIn, World } from './world.js';

const PASSWORD = 'a long enough phrase';

/** Signs up with a new domain by default. Returns the token of the mail, because no mail is delivered here. */
async function signedUp(world: World, domain = `${world.name()}.example`) {
  const email = `${world.name()}@${domain}`;
  await world.cloud.main(null).post('/account/sign_up', { email, password: PASSWORD, name: 'Ann' });
  const [user] = await world.cloud.rows<{ id: number }>('select id::int as id from users where email = $1', [email]);
  const id = user?.id ?? 0;
  return { id, email, domain, token: await known(world, id, 'verify') };
}

/** Creates a token for the user whose plain text the test has. */
async function known(world: World, userId: number, purpose: 'verify' | 'reset'): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await world.cloud.rows('delete from email_tokens where user_id = $1', [userId]);
  await world.cloud.rows(
    `insert into email_tokens (user_id, purpose, token_hash, expires_at) values ($1, $2, $3, now() + interval '1 hour')`,
    [userId, purpose, createHash('sha256').update(token).digest()],
  );
  return token;
}

/** A domain whose tenant has the join policy `open`. */
async function openDomain(world: World): Promise<string> {
  const { domain, token } = await signedUp(world);
  await world.cloud.main(null).post('/account/verify', { token, password: PASSWORD });
  await world.cloud.rows(`update tenants set join_policy = 'open' where email_domain = $1`, [domain]);
  return domain;
}

async function withPassword(world: World, who: SignedIn | null): Promise<object> {
  const hash = await hashPassword(PASSWORD);
  await world.cloud.rows('update users set password_hash = $2 where id = $1', [who?.userId, hash]);
  return { password: PASSWORD, new_password: 'quite another phrase' };
}

/** The link of a start. */
async function firstSignIn(world: World): Promise<object> {
  const token = randomBytes(32).toString('base64url');
  await world.cloud.rows(
    `insert into email_tokens (user_id, purpose, token_hash, expires_at)
     select owner_id, 'first_sign_in', $1, now() + interval '15 minutes' from tenants where id = $2`,
    [createHash('sha256').update(token).digest(), world.cloud.installation.tenant_id],
  );
  return { token };
}

/** Routes of the own account. */
export const ACCOUNT_ROWS: Record<string, Row> = {
  'main-api: POST /account/first_sign_in': { status: 200, body: firstSignIn },
  'main-api: POST /account/sign_up': {
    status: 201,
    body: (world) => ({ email: `${world.name()}@people.example`, password: PASSWORD, name: 'Ann' }),
  },
  'main-api: POST /account/verify': {
    status: 200,
    body: async (world) => ({ token: (await signedUp(world)).token, password: PASSWORD }),
  },
  'main-api: POST /account/verification': {
    status: 204,
    as: 'user',
    body: async (world, _, who) => {
      await world.cloud.rows('update users set email_verified_at = null where id = $1', [who?.userId]);
      return {};
    },
  },
  'main-api: POST /account/sign_in': {
    status: 200,
    body: async (world) => ({ email: (await signedUp(world)).email, password: PASSWORD }),
  },
  'main-api: DELETE /account/sign_out': { status: 204, as: 'user' },
  'main-api: GET /account/sessions': { status: 200, as: 'user' },
  'main-api: DELETE /account/sessions': { status: 204, as: 'user' },
  'main-api: DELETE /account/sessions/:session_id': {
    status: 204,
    as: 'user',
    path: async ({ cloud }, who) => ({ session_id: (await given.session(cloud, who?.userId ?? 0)).id }),
  },
  'main-api: GET /account': { status: 200, as: 'user' },
  'main-api: PUT /account/settings': { status: 204, as: 'user', body: (world) => ({ name: world.name() }) },
  'main-api: PUT /account/password': { status: 204, as: 'user', body: (world, _, who) => withPassword(world, who) },
  'main-api: POST /account/password_reset': {
    status: 204,
    body: async (world) => ({ email: (await signedUp(world)).email }),
  },
  'main-api: PUT /account/password_reset': {
    status: 204,
    body: async (world) => {
      const { id } = await signedUp(world, await openDomain(world));
      return { token: await known(world, id, 'reset'), password: 'quite another phrase' };
    },
  },
};
