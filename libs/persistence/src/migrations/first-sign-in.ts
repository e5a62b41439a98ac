import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';

const VALID_MINUTES = 15;
const TOKEN_BYTES = 32;

/**
 * Replaces the token with which the owner of the first tenant signs in once, without a password. Returns the new token, whose
 * hash alone is stored. Null when this owner has no verified address.
 */
export async function offerFirstSignIn(databaseUrl: string): Promise<string | null> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return inTransaction(databaseUrl, async (client) => {
    await client.query(FORGET);
    const { rowCount } = await client.query(OFFER, [createHash('sha256').update(token).digest()]);
    return rowCount === 1 ? token : null;
  });
}

/** Invalidates the token of an earlier start. */
export async function withdrawFirstSignIn(databaseUrl: string): Promise<void> {
  await inTransaction(databaseUrl, (client) => client.query(FORGET));
}

const FORGET = `delete from email_tokens where purpose = 'first_sign_in'`;
const OFFER = `
  insert into email_tokens (user_id, purpose, token_hash, expires_at)
  select u.id, 'first_sign_in', $1, now() + interval '${VALID_MINUTES} minutes'
    from (select owner_id from tenants order by id limit 1) t
    join users u on u.id = t.owner_id and u.email_verified_at is not null`;

async function inTransaction<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } finally {
    await client.end();
  }
}
