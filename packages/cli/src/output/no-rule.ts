import { tell } from './output.js';

/** What to do about a deployment whose `clients` are `none_allowed`. */
export const NO_RULE = 'No access rule is in force, so no client can connect: landlord rules add --my-ip';

/** Says so on stderr. */
export function tellClients({ clients }: { clients: string | null }): void {
  if (clients === 'none_allowed') tell(NO_RULE);
}
