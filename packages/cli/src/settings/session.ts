import { createClient, type ClientOptions, type Landlord } from '@landlord/sdk';
import { tell } from '../output/output.js';
import { durationOf } from './duration.js';
import { contextOf, tenantIdIn } from './contexts.js';
import { nodeFetch } from './node-fetch.js';
import { Places, type PlaceNames } from './places.js';

/** The options of every command. */
export interface CommonOptions extends PlaceNames {
  context?: string;
  url?: string;
  /** The longest time of a wait, as a duration. */
  timeout?: string;
}

/** What a command works with: a client, and the place in the organization. */
export interface Session {
  landlord: Landlord;
  places: Places;
}

type Endurance = Pick<ClientOptions, 'timeoutMs' | 'retries' | 'patienceMs' | 'onWait'>;

/** A command waits as long as the longest operations that are usually in its way. A person ends it with the keyboard. */
const PATIENCE_MS = 600_000;

/** The endurance of a command, which says once what it waits for. */
function patient(timeout: string | undefined): Endurance {
  let last = '';
  const onWait = ({ message }: Error): void => {
    if (message !== last) tell(`Waits: ${message}`);
    last = message;
  };
  return { patienceMs: timeout === undefined ? PATIENCE_MS : durationOf('--timeout', timeout), onWait };
}

/** @throws CommandError without a key */
export function openSession(options: CommonOptions, client: Endurance = patient(options.timeout)): Session {
  const { context, key } = contextOf(options.context);
  let read: Promise<string> | null = null;
  const url = options.url ?? context.url;
  const tenantId = options.tenant === undefined ? context.tenant_id : tenantIdIn('--tenant', options.tenant);
  const landlord = createClient({
    ...{ url, apiKey: () => (read ??= key()), fetch: nodeFetch(context.ca_file), ...client },
    ...(tenantId !== undefined && { tenantId }),
  });
  const names = { division: context.division, environment: context.environment, deployment: context.deployment };
  return { landlord, places: new Places(landlord, given(options), names) };
}

const given = ({ division, environment, deployment }: PlaceNames): PlaceNames => ({
  ...(division !== undefined && { division }),
  ...(environment !== undefined && { environment }),
  ...(deployment !== undefined && { deployment }),
});
