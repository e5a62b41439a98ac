import type { Landlord } from '@landlord/sdk';
import { serverNow } from './clock.js';

/** A token is replaced so long before its end. */
const EARLY_MS = 60_000;

interface Token {
  token: string;
  expires_at: string;
}

/** The tokens of this tab. They are in no storage, so another script of the origin finds none after a reload. */
const tokens = new Map<string, Promise<Token>>();

/** The token for requests of the tenant to a Supervisor. */
export async function supervisorToken(landlord: Landlord, tenantId: number, origin: string): Promise<string> {
  const name = `${tenantId} ${origin}`;
  const known = await tokens.get(name)?.catch(() => null);
  if (known && Date.parse(known.expires_at) - EARLY_MS > serverNow()) return known.token;
  const asked = landlord.supervisorTokens.create({ supervisor_url: origin });
  tokens.set(name, asked);
  return (await asked).token;
}

/** For the end of a session. */
export const forgetTokens = (): void => tokens.clear();
