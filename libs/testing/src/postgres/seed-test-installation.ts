import type { PasswordCost } from '@libs/domain';
import { seedInstallation, type Installation } from '@libs/persistence/migrations';

/** The database roles of the apps belong to the whole server, so all suites use one key. */
const ROLE_KEY = Buffer.alloc(32, 7);

/** A hash costs 3 milliseconds instead of 100. */
export const CHEAP_PASSWORDS: PasswordCost = { N: 2 ** 10, r: 8, p: 1 };

/** Creates the first tenant and the app roles, like the first start of an installation. */
export function seedTestInstallation(databaseUrl: string): Promise<Installation> {
  return seedInstallation(databaseUrl, { roleKey: ROLE_KEY, passwordCost: CHEAP_PASSWORDS });
}
