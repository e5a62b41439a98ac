import { ALL_PERMISSIONS, PERMISSIONS, type Permission } from './permissions.js';
import type { PermissionTree } from './permission-tree.js';

/** The roles of every tenant. Checks use what a role grants, never its name (C-9.3, C-5.13). */
export const SYSTEM_ROLES = ['owner', 'admin', 'developer', 'viewer', 'billing'] as const;
export type SystemRole = (typeof SYSTEM_ROLES)[number];

const reads = ALL_PERMISSIONS.filter((name) => name.endsWith(':read') && name !== 'deployment:credentials:read');
const inDivision = (name: Permission): boolean => (PERMISSIONS[name].groups as readonly string[]).includes('division');

const DEVELOPER: Permission[] = ALL_PERMISSIONS.filter(
  (name) => (inDivision(name) && !name.startsWith('division:')) || name === 'info:read' || name === 'division:read',
);
const BILLING: Permission[] = ['info:read', 'subscription:read', 'billing:read', 'billing:manage'];

const tenantWide = (permissions: readonly Permission[]): PermissionTree => ({
  tenant: [...permissions],
  division: [],
  environment: [],
  divisions: {},
});

/** The permissions of each system role, all in group `tenant`. */
export const SYSTEM_ROLE_TREES: Record<SystemRole, PermissionTree> = {
  owner: tenantWide(ALL_PERMISSIONS),
  admin: tenantWide(ALL_PERMISSIONS.filter((name) => name !== 'billing:manage')),
  developer: tenantWide(DEVELOPER),
  viewer: tenantWide(reads),
  billing: tenantWide(BILLING),
};
