import { createHash, randomBytes } from 'node:crypto';
import type { Row } from './row.js';
import type { World } from './world.js';

const REDIRECT = 'http://127.0.0.1:41234/';

/** The request of a command line that knows the verifier. */
const request = (world: World, verifier: string) => ({
  name: world.name(),
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  redirect_uri: REDIRECT,
  state: 'state',
});
const verifier = (): string => randomBytes(32).toString('base64url');

/** A valid code with its verifier. */
async function redeemable(world: World): Promise<object> {
  const code_verifier = verifier();
  const { body } = await world.cloud.main().post(`${world.cloud.tenant}/login_codes`, request(world, code_verifier));
  return { code: new URL(body.redirect_to).searchParams.get('code'), code_verifier, redirect_uri: REDIRECT };
}

/** Routes of the login by browser. */
export const LOGIN_CODE_ROWS: Record<string, Row> = {
  'main-api: POST /tenants/:tenant_id/login_codes': {
    status: 201,
    body: (world) => request(world, verifier()),
    // The new key is limited to the division of the caller.
    otherDivision: 201,
  },
  'main-api: POST /login_codes/redeem': { status: 200, body: redeemable },
};
