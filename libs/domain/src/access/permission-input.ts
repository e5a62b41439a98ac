import { validationFailed, type FieldIssue } from '../domain-error.js';
import { parseId } from '../ids.js';
import type { DivisionGrant, PermissionTree } from './permission-tree.js';
import { isPermission, PERMISSIONS, type Permission, type PermissionGroup } from './permissions.js';

/** More ids than any plan allows in one role. */
const MAX_IDS = 1000;

/**
 * Reads the permissions that a request gives to a role or key (C-5.6, C-5.7). An omitted group is empty. A repeated
 * permission counts once.
 * @throws DomainError validation_failed naming each unknown permission, each permission in a group that cannot carry
 * it, and each malformed member; also when the tree grants nothing
 */
export function readPermissionTree(input: unknown, path: string): PermissionTree {
  const reader = new TreeReader();
  const tree = reader.tree(input, path);
  if (reader.issues.length === 0 && isEmpty(tree))
    reader.issues.push({ path, code: 'not_empty', reason: 'must grant at least one permission' });
  if (reader.issues.length > 0) throw validationFailed(reader.issues);
  return tree;
}

const isEmpty = ({ tenant, division, environment, divisions }: PermissionTree): boolean =>
  tenant.length + division.length + environment.length === 0 &&
  Object.values(divisions).every((grant) => grant.permissions.length + grant.environment.length === 0) &&
  Object.values(divisions).every((grant) =>
    Object.values(grant.environments).every((permissions) => permissions.length === 0),
  );

/** Reads untrusted input and collects every fault. */
class TreeReader {
  readonly issues: FieldIssue[] = [];

  tree(input: unknown, path: string): PermissionTree {
    const members = this.members(input, path, ['tenant', 'division', 'environment', 'divisions']);
    return {
      tenant: this.permissions(members['tenant'], `${path}/tenant`, 'tenant'),
      division: this.permissions(members['division'], `${path}/division`, 'division'),
      environment: this.permissions(members['environment'], `${path}/environment`, 'environment'),
      divisions: this.byId(members['divisions'], `${path}/divisions`, (grant, at) => this.division(grant, at)),
    };
  }

  private division(input: unknown, path: string): DivisionGrant {
    const members = this.members(input, path, ['permissions', 'environment', 'environments']);
    return {
      permissions: this.permissions(members['permissions'], `${path}/permissions`, 'division'),
      environment: this.permissions(members['environment'], `${path}/environment`, 'environment'),
      environments: this.byId(members['environments'], `${path}/environments`, (list, at) =>
        this.permissions(list, at, 'environment'),
      ),
    };
  }

  private permissions(input: unknown, path: string, group: PermissionGroup): Permission[] {
    if (input === undefined) return [];
    if (!Array.isArray(input)) this.refuse(path, 'is_array', 'must be an array of permissions');
    const list: unknown[] = Array.isArray(input) ? input : [];
    const permissions = list.filter((name, index): name is Permission =>
      this.isCarriedBy(group, name, `${path}/${index}`),
    );
    return [...new Set(permissions)];
  }

  private isCarriedBy(group: PermissionGroup, name: unknown, path: string): name is Permission {
    if (typeof name !== 'string' || !isPermission(name)) this.refuse(path, 'unknown_permission', 'is not a permission');
    else if (!(PERMISSIONS[name].groups as readonly string[]).includes(group))
      this.refuse(path, 'wrong_group', `${name} cannot be held in group ${group}`);
    else return true;
    return false;
  }

  private byId<T>(input: unknown, path: string, read: (value: unknown, path: string) => T): Record<string, T> {
    if (input === undefined) return {};
    const entries = Object.entries(this.object(input, path));
    if (entries.length > MAX_IDS) this.refuse(path, 'max_properties', `must name at most ${MAX_IDS} ids`);
    for (const [id] of entries) if (parseId(id) === null) this.refuse(`${path}/${escape(id)}`, 'id', 'is not an id');
    return Object.fromEntries(
      entries.slice(0, MAX_IDS).map(([id, value]) => [id, read(value, `${path}/${escape(id)}`)]),
    );
  }

  private members(input: unknown, path: string, names: readonly string[]): Record<string, unknown> {
    const members = this.object(input, path);
    for (const name of Object.keys(members))
      if (!names.includes(name))
        this.refuse(`${path}/${escape(name)}`, 'unknown_field', 'is not a member of this request');
    return members;
  }

  private object(input: unknown, path: string): Record<string, unknown> {
    if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input as Record<string, unknown>;
    this.refuse(path, 'is_object', 'must be an object');
    return {};
  }

  private refuse(path: string, code: string, reason: string): void {
    this.issues.push({ path, code, reason });
  }
}

const escape = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
