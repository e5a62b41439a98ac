import {
  ALL_PERMISSIONS,
  PERMISSIONS,
  satisfiedBy,
  WHOLE_TENANT,
  type Permission,
  type PermissionTree,
} from '@libs/domain';
import { given } from '@libs/testing';
import { FOREIGN_IDS, foreignThings, NO_IDS, type Foreign } from '../matrix/foreign-ids.js';
import { idMembers } from '../matrix/id-members.js';
import {
  CELLS,
  isBelowTenant,
  lowestGroup,
  permissionOf,
  prepare,
  routeTitles,
  send,
  type Cell,
} from '../matrix/routes.js';
import { ROWS } from '../matrix/rows.js';
import { World } from '../matrix/world.js';

/** The routes for keys; session-isolation.matrix.ts tests sessions. */
const closed = CELLS.filter(({ access }) => access.kind !== 'public' && access.kind !== 'session_only');
const titled = (cells: Cell[]): [string, Cell][] => cells.map((cell) => [cell.title, cell]);
const hasTenant = ({ path }: Cell): boolean => path.includes(':tenant_id');

/** Every route × every kind of caller. A new route needs a row in matrix/rows.ts. */
describe('Isolation', () => {
  let world: World;
  const keys = {} as Record<'unknown' | 'expired' | 'deleted' | 'outsider' | 'unverified' | 'otherDivision', string>;

  beforeAll(async () => {
    world = await World.start();
    const { cloud, otherTenant, otherDivision } = world;
    keys.unknown = await given.key(cloud);
    await cloud.rows('delete from api_keys where id = (select max(id) from api_keys)');
    keys.deleted = await given.key(cloud);
    const [last] = await cloud.rows<{ id: string }>('select max(id) as id from api_keys');
    await cloud.main().delete(`${cloud.tenant}/api_keys/${last?.id}`);
    keys.expired = await given.key(cloud, { expired: true });
    keys.outsider = await given.key(cloud, { tenantId: otherTenant.tenantId });
    const unverified = await given.member(cloud, 'Eve');
    await cloud.rows('update users set email_verified_at = null where id = $1', [unverified.id]);
    keys.unverified = await given.key(cloud, { userId: unverified.id });
    keys.otherDivision = await given.key(cloud, { divisionId: otherDivision });
  });
  afterAll(() => world.stop());

  it('has a row for each route, and no other rows', () => {
    expect(Object.keys(ROWS).sort()).toEqual(routeTitles().sort());
  });

  const ask = async (cell: Cell, key: string | null, headers = {}) =>
    send(cell, world, await prepare(cell, world), key, headers);

  it.each(titled(CELLS.filter(({ access }) => access.kind === 'public')))('%s needs no key', async (_, cell) => {
    expect((await ask(cell, null)).status).toBe(cell.row.status);
  });

  it.each(titled(closed))('%s refuses a missing, unknown, expired or deleted key, and a cookie', async (_, cell) => {
    expect(await ask(cell, null)).toBeProblem('unauthenticated');
    expect(await ask(cell, keys.unknown)).toBeProblem('unauthenticated');
    expect(await ask(cell, keys.deleted)).toBeProblem('unauthenticated');
    expect(await ask(cell, keys.expired)).toBeProblem('api_key_expired');
    expect(await ask(cell, null, { cookie: 'ld_session=anything' })).toBeProblem('unauthenticated');
  });

  it.each(titled(closed))('%s refuses a key of a user without a verified address', async (_, cell) => {
    expect(await ask(cell, keys.unverified)).toBeProblem('email_not_verified');
  });

  it.each(titled(closed.filter((cell) => hasTenant(cell) || isBelowTenant(cell))))(
    '%s does not exist for a key of another tenant',
    async (_, cell) => {
      const call = await prepare(cell, world);
      const before = await entries();

      const answer = await send(cell, world, call, keys.outsider);

      expect(answer).toBeProblem(hasTenant(cell) ? 'tenant_not_found' : 'deployment_not_found');
      expect(await entries()).toBe(before);
    },
  );

  it.each(titled(closed.filter(isBelowTenant)))('%s does not exist for a key of another division', async (_, cell) => {
    const answer = await ask(cell, keys.otherDivision);

    expect(answer).toBeProblem(cell.path.includes(':division_id') ? 'division_not_found' : 'deployment_not_found');
  });

  it.each(titled(closed.filter((cell) => !isBelowTenant(cell))))(
    '%s gives a key of another division only its own division',
    async (_, cell) => {
      const answer = await ask(cell, keys.otherDivision);

      expect(answer.status).toBe(cell.row.otherDivision ?? expectedOfOtherDivision(cell));
    },
  );

  it.each(titled(closed.filter((cell) => permissionOf(cell) !== null)))(
    '%s is forbidden without its permission, which the refusal names',
    async (_, cell) => {
      const permission = permissionOf(cell) as Permission;
      const others = ALL_PERMISSIONS.filter((name) => !satisfiedBy(permission).includes(name));
      const key = await given.key(world.cloud, { permissions: { tenant: others } });

      expect(await ask(cell, key)).toBeProblem('insufficient_permissions', { permission });
    },
  );

  it.each(titled(closed))('%s accepts a key with exactly the required permissions', async (_, cell) => {
    const key = await given.key(world.cloud, { permissions: justEnough(cell) });

    const answer = await ask(cell, key);

    expect(cell.row.status < 400 ? (answer.body?.detail ?? '') : '').toBe('');
    expect(answer.status).toBe(cell.row.status);
  });

  describe('of ids in bodies and queries', () => {
    let foreign: Foreign;
    beforeAll(async () => {
      foreign = await foreignThings(world);
    });

    it('is tested for every member that contains an id', () => {
      expect(idMembers().sort()).toEqual([...Object.keys(FOREIGN_IDS), ...NO_IDS].sort());
    });

    it.each(Object.entries(FOREIGN_IDS))(
      '%s of another tenant is not found',
      async (_, { send: sendForeign, answers }) => {
        const answer = await sendForeign(world, foreign);

        if (answers !== null) expect(answer).toBeProblem(answers);
        else expect([answer.status, answer.body?.items ?? answer.body ?? []]).toEqual([200, []]);
      },
    );
  });

  const entries = async (): Promise<number> => {
    const [row] = await world.cloud.rows<{ count: string }>('select count(*) from audit_entries');
    return Number(row?.count);
  };
});

/**
 * Computed only from the declaration of the route. A scoped key may use permissions of the tenant, except those that
 * change the whole tenant. Lists return only the own division.
 */
function expectedOfOtherDivision({ access, row }: Cell): number {
  if (access.kind !== 'permission' || access.anywhere || access.withoutTenant) return row.status;
  const isOfTenant = PERMISSIONS[access.permission].groups.length === 1;
  return isOfTenant && !WHOLE_TENANT.includes(access.permission) ? row.status : 403;
}

/** Routes that grant roles or permissions. The rows of the matrix grant no more than the caller has here. */
const GIVING = /api_keys|roles|invitations|join_requests/;

/** The permission of the route in its lowest group, and the permissions that the caller needs for a grant. */
function justEnough(cell: Cell): Partial<PermissionTree> {
  const permission = permissionOf(cell);
  if (!permission) return { tenant: ['subscription:read'] };
  const group = lowestGroup(cell, permission);
  const given: Permission[] = GIVING.test(cell.path) && group === 'tenant' ? ['info:read', 'role:read'] : [];
  return { [group]: [permission, ...given] };
}
