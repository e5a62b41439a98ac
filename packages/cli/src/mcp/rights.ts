import type { Landlord } from '@landlord/sdk';
import { RIGHTS_TO_CHANGE, WRITE_SCHEMAS } from '../generated/mcp-schemas.js';
import { WRITE_TOOLS, type WriteToolName } from './write-tools.js';
import type { WriteGroup } from './tool.js';

/** Permissions of the write tools. For these a right in one division or environment is enough: the API checks each request. */
const OF_TOOLS = new Set(Object.values(WRITE_SCHEMAS).flatMap(({ permissions }) => permissions as readonly string[]));

type Scope = { division_id?: number; environment_id?: number };

/** What the key may change, somewhere in the organization, as the API says. @throws LandlordError */
export async function rightsOf(landlord: Landlord): Promise<Set<string>> {
  const { divisions } = await landlord.tenants.getStructure();
  const scopes: Scope[] = divisions.flatMap(({ id: division_id, environments }) => [
    { division_id },
    ...environments.map(({ id: environment_id }) => ({ division_id, environment_id })),
  ]);
  const held = await Promise.all(
    RIGHTS_TO_CHANGE.map(async (permission) => {
      const isHeld = await isHeldIn(landlord, permission, OF_TOOLS.has(permission) ? [{}, ...scopes] : [{}]);
      return isHeld ? [permission] : [];
    }),
  );
  return new Set(held.flat());
}

/** One scope after the other: most keys hold a permission in the first one, or nowhere. */
async function isHeldIn(landlord: Landlord, permission: string, scopes: readonly Scope[]): Promise<boolean> {
  for (const scope of scopes) {
    const { allowed } = await landlord.permissions.check({ permission: permission as never, ...scope });
    if (allowed) return true;
  }
  return false;
}

/** The write tools of the groups that the rights allow. */
export const toolsFor = (groups: readonly WriteGroup[], rights: ReadonlySet<string>): WriteToolName[] =>
  (Object.keys(WRITE_TOOLS) as WriteToolName[]).filter(
    (name) =>
      groups.includes(WRITE_TOOLS[name].group) &&
      (WRITE_SCHEMAS[name].permissions as readonly string[]).every((permission) => rights.has(permission)),
  );
