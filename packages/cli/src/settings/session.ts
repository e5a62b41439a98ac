import { createClient, type ClientOptions, type Landlord } from '@landlord/sdk';
import { contextOf, tenantIdIn } from './contexts.js';
import { nodeFetch } from './node-fetch.js';
import { Places, type PlaceNames } from './places.js';

/** The options of every command. */
export interface CommonOptions extends PlaceNames {
  context?: string;
  url?: string;
}

/** What a command works with: a client, and the place in the organization. */
export interface Session {
  landlord: Landlord;
  places: Places;
}

/** @throws CommandError without a key */
export function openSession(
  options: CommonOptions,
  client: Pick<ClientOptions, 'timeoutMs' | 'retries'> = {},
): Session {
  const { context, key } = contextOf(options.context);
  let read: Promise<string> | null = null;
  const url = options.url ?? context.url;
  const tenantId = options.tenant === undefined ? context.tenant_id : tenantIdIn('--tenant', options.tenant);
  const landlord = createClient({
    ...{ url, apiKey: () => (read ??= key()), fetch: nodeFetch(context.ca_file), ...client },
    ...(tenantId !== undefined && { tenantId }),
  });
  const names = { division: context.division, environment: context.environment, deployment: context.deployment };
  return { landlord, places: new Places(landlord, { ...names, ...given(options) }) };
}

const given = ({ division, environment, deployment }: PlaceNames): PlaceNames => ({
  ...(division !== undefined && { division }),
  ...(environment !== undefined && { environment }),
  ...(deployment !== undefined && { deployment }),
});
