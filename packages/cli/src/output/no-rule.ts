import { tell } from './output.js';

/** What to do about a deployment whose `clients` are `none_allowed`. The word names the deployment. */
export const noRule = (word: string): string =>
  `No access rule is in force, so no client can connect: landlord rules add --my-ip -d ${word}`;

/** Says so on stderr. */
export function tellClients({ clients }: { clients: string | null }, word: string): void {
  if (clients === 'none_allowed') tell(noRule(word));
}
