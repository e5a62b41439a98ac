import type { Main } from '@landlord/sdk';

type Permissions = Main.RoleView['permissions'];
type Place = 'organization' | 'divisions' | 'environments' | 'some divisions';

/** One permission, and where each role grants it. */
export interface MatrixRow {
  permission: string;
  /** Role → places. A role without the permission is missing. */
  places: ReadonlyMap<number, readonly Place[]>;
}

/** All permissions that a role grants, by name. */
export function matrixOf(roles: readonly Pick<Main.RoleView, 'id' | 'permissions'>[]): readonly MatrixRow[] {
  const granted = roles.map(({ id, permissions }) => ({ id, places: placesOf(permissions) }));
  const names = new Set(granted.flatMap(({ places }) => [...places.keys()]));
  return [...names].sort().map((permission) => ({
    permission,
    places: new Map(
      granted.flatMap(({ id, places }) => (places.has(permission) ? [[id, places.get(permission) ?? []]] : [])),
    ),
  }));
}

/** Permission → places. */
function placesOf({ tenant = [], division = [], environment = [], divisions = {} }: Permissions): Map<string, Place[]> {
  const single = Object.values(divisions).flatMap((one) => [
    ...(one.permissions ?? []),
    ...(one.environment ?? []),
    ...Object.values(one.environments ?? {}).flat(),
  ]);
  const groups: readonly [Place, readonly string[]][] = [
    ['organization', tenant],
    ['divisions', division],
    ['environments', environment],
    ['some divisions', single],
  ];
  const places = new Map<string, Place[]>();
  for (const [place, permissions] of groups)
    for (const permission of new Set(permissions)) places.set(permission, [...(places.get(permission) ?? []), place]);
  return places;
}
