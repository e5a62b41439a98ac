import { DomainError } from '../domain-error.js';
import { readPermissionTree } from './permission-input.js';

const PATH = '/permissions';

/** The faults of the input: path below the member, and code. */
function faultsOf(input: unknown): string[] {
  try {
    readPermissionTree(input, PATH);
    return [];
  } catch (error) {
    const { code, fieldIssues } = error as DomainError;
    expect(code).toBe('validation_failed');
    return fieldIssues.map((issue) => `${issue.path.slice(PATH.length)} ${issue.code}`);
  }
}

const GRANT = { permissions: [], environment: [], environments: {} };

describe('The permissions of a request', () => {
  it('are read with empty groups for omitted members, and without repetitions', () => {
    expect(readPermissionTree({ tenant: ['info:read', 'info:read', 'audit:read'] }, PATH)).toEqual({
      tenant: ['info:read', 'audit:read'],
      division: [],
      environment: [],
      divisions: {},
    });
  });

  it('are read for each division and environment', () => {
    const input = {
      tenant: [],
      division: ['division:read'],
      environment: ['deployment:read'],
      divisions: {
        7: {
          permissions: ['division:manage'],
          environment: ['deployment:manage'],
          environments: { 70: ['deployment:read'] },
        },
        8: {},
      },
    };

    expect(readPermissionTree(input, PATH)).toEqual({ ...input, divisions: { ...input.divisions, 8: GRANT } });
  });

  it.each([
    { tenant: ['info:read'] },
    { division: ['division:read'] },
    { environment: ['deployment:read'] },
    { divisions: { 7: { permissions: ['division:read'] } } },
    { divisions: { 7: { environment: ['deployment:read'] } } },
    { divisions: { 7: { permissions: ['division:read'], environment: ['deployment:read'] } } },
    { divisions: { 7: { environments: { 70: ['deployment:read'] } } } },
  ])('are enough with one permission: %j', (input) => {
    expect(faultsOf(input)).toEqual([]);
  });

  it.each([
    {},
    { tenant: [], division: [], environment: [], divisions: {} },
    { divisions: { 7: {} } },
    { divisions: { 7: { environments: { 70: [] } } } },
  ])('are refused when they grant nothing: %j', (input) => {
    expect(faultsOf(input)).toEqual([' not_empty']);
  });

  it.each<[unknown, string[]]>([
    [undefined, [' is_object']],
    [null, [' is_object']],
    [['info:read'], [' is_object']],
    ['info:read', [' is_object']],
    [{ tenant: 'info:read' }, ['/tenant is_array']],
    [{ tenant: { 0: 'info:read' } }, ['/tenant is_array']],
    [{ tenant: ['info:read', 'nonsense', 7] }, ['/tenant/1 unknown_permission', '/tenant/2 unknown_permission']],
    [{ tenant: ['toString'] }, ['/tenant/0 unknown_permission']],
    [{ division: ['info:read'] }, ['/division/0 wrong_group']],
    [{ environment: ['division:read'] }, ['/environment/0 wrong_group']],
    [{ tenant: ['info:read'], more: 1, 'a/b~c': 1 }, ['/more unknown_field', '/a~1b~0c unknown_field']],
    [{ divisions: [] }, ['/divisions is_object']],
    [{ divisions: { 7: null } }, ['/divisions/7 is_object']],
    [{ divisions: { 0: { permissions: ['division:read'] } } }, ['/divisions/0 id']],
    [{ divisions: { 'a/b': { permissions: ['division:read'] } } }, ['/divisions/a~1b id']],
    [{ divisions: { 7: { more: [] } } }, ['/divisions/7/more unknown_field']],
    [{ divisions: { 7: { permissions: ['info:read'] } } }, ['/divisions/7/permissions/0 wrong_group']],
    [{ divisions: { 7: { environment: ['division:read'] } } }, ['/divisions/7/environment/0 wrong_group']],
    [{ divisions: { 7: { environments: { x: [] } } } }, ['/divisions/7/environments/x id']],
    [{ divisions: { 7: { environments: { 70: ['division:read'] } } } }, ['/divisions/7/environments/70/0 wrong_group']],
  ])('of the form %j have the faults %j', (input, faults) => {
    expect(faultsOf(input)).toEqual(faults);
  });

  it('may name a thousand ids, and not one more', () => {
    const named = (count: number): object => ({
      divisions: Object.fromEntries(
        Array.from({ length: count }, (_, index) => [index + 1, { permissions: ['division:read'] }]),
      ),
    });

    expect(faultsOf(named(1000))).toEqual([]);
    expect(faultsOf(named(1001))).toEqual(['/divisions max_properties']);
  });
});
