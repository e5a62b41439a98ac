import { createClient, NotFoundError, UnauthenticatedError } from '@landlord/sdk';
import { CommandError } from '../exit.js';
import { exitCodeOf } from '../explain-error.js';
import type { Context } from './contexts.js';
import { readKey } from './keyring.js';
import { nodeFetch } from './node-fetch.js';

/**
 * Deletes the key of a context that `landlord login --browser` created. A key that has expired or is deleted is no error.
 * @throws CommandError when the installation does not delete the key
 */
export async function deleteOwnKey(name: string, context: Context): Promise<void> {
  const { url, tenant_id, api_key_id, ca_file } = context;
  if (api_key_id === undefined || tenant_id === undefined) return;
  try {
    const apiKey = context.api_key ?? (await readKey(name));
    const client = createClient({ url, apiKey, tenantId: tenant_id, fetch: nodeFetch(ca_file) });
    await client.apiKeys.delete({ api_key_id });
  } catch (error) {
    if (error instanceof UnauthenticatedError || error instanceof NotFoundError) return;
    throw new CommandError(
      `The key of the context ${name} was not deleted: ${(error as Error).message}`,
      exitCodeOf(error),
      'landlord logout --keep-key, and delete the key later',
    );
  }
}
