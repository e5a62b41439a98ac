import type { Landlord, Main } from '@landlord/sdk';
import { RIGHTS_TO_CHANGE, WRITE_SCHEMAS } from '../generated/mcp-schemas.js';
import { WRITE_TOOLS, type WriteToolName } from './write-tools.js';
import type { WriteGroup } from './tool.js';

/** Permissions of the write tools. For these a right in one division or environment is enough: the API checks each request. */
const OF_TOOLS = new Set(Object.values(WRITE_SCHEMAS).flatMap(({ permissions }) => permissions as readonly string[]));

type Scope = { division_id?: number; environment_id?: number };
type Division = Main.StructureView['divisions'][number];

/** What the key may change, somewhere in the organization, as the API says. @throws LandlordError */
export async function rightsOf(landlord: Landlord): Promise<Set<string>> {
  const [{ divisions }, { permissions }] = await Promise.all([
    landlord.tenants.getStructure(),
    landlord.apiKeys.getContext(),
  ]);
  const scopes = scopesOf(divisions, permissions);
  const held = await Promise.all(
    RIGHTS_TO_CHANGE.map(async (permission) => {
      const isHeld = await isHeldIn(landlord, permission, OF_TOOLS.has(permission) ? scopes : [{}]);
      return isHeld ? [permission] : [];
    }),
  );
  return new Set(held.flat());
}

/**
 * One place for each part of the key, and not all of a large organization: the lists of the key reach every division and every environment
 * alike, except for those that it names.
 */
function scopesOf(divisions: readonly Division[], { divisions: named = {} }: Main.ApiKeyView['permissions']): Scope[] {
  const some = divisions.find(({ environments }) => environments.length > 0) ?? divisions[0];
  const own = divisions.filter(({ id }) => id === some?.id || String(id) in named);
  return [
    {},
    ...own.flatMap(({ id: division_id, environments }) => {
      const { environments: ownEnvironments = {} } = named[division_id] ?? {};
      const reached = environments.filter(({ id }, at) => at === 0 || String(id) in ownEnvironments);
      return [{ division_id }, ...reached.map(({ id: environment_id }) => ({ division_id, environment_id }))];
    }),
  ];
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
