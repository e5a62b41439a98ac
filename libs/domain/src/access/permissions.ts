/** The groups in which a role may list a permission (C-5.5). */
export type PermissionGroup = 'tenant' | 'division' | 'environment';

export interface PermissionSpec {
  readonly sentence: string;
  /** The groups that may carry the permission. Another group is refused with 400. */
  readonly groups: readonly PermissionGroup[];
}

const TENANT_ONLY = ['tenant'] as const;
const TENANT_OR_DIVISION = ['tenant', 'division'] as const;
const ANYWHERE = ['tenant', 'division', 'environment'] as const;

const permission = (sentence: string, groups: readonly PermissionGroup[]): PermissionSpec => ({ sentence, groups });

/** Every permission, with a sentence about what it allows (C-5.3). */
export const PERMISSIONS = {
  'info:read': permission('Read the tenant', TENANT_ONLY),
  'info:manage': permission('Change the tenant and request its protection codes', TENANT_ONLY),
  'member:read': permission('Read members and invitations', TENANT_ONLY),
  'member:manage': permission('Change members and invitations', TENANT_ONLY),
  'role:read': permission('Read roles', TENANT_ONLY),
  'role:manage': permission('Create, change, assign and delete roles', TENANT_ONLY),
  'api_key:read': permission('Read API keys', TENANT_ONLY),
  'api_key:manage': permission('Create, rotate, restrict and delete API keys', TENANT_ONLY),
  'settings:read': permission('Read tenant settings and cloud accounts', TENANT_ONLY),
  'settings:manage': permission('Change tenant settings and cloud accounts', TENANT_ONLY),
  'subscription:read': permission('Read the plan', TENANT_ONLY),
  'billing:read': permission('Read usage, reports and invoices', TENANT_ONLY),
  'billing:manage': permission('Change billing information and the payment method', TENANT_ONLY),
  'audit:read': permission('Read the audit records', TENANT_ONLY),
  'division:read': permission('Read divisions', TENANT_OR_DIVISION),
  'division:manage': permission('Create, change and delete divisions', TENANT_OR_DIVISION),
  'environment:read': permission('Read environments', TENANT_OR_DIVISION),
  'environment:manage': permission('Create, change and delete environments', TENANT_OR_DIVISION),
  'notifications:read': permission('Read notification channels and history', TENANT_OR_DIVISION),
  'notifications:manage': permission('Change notification channels and subscriptions', TENANT_OR_DIVISION),
  'deployment:read': permission('Read deployments and their state', ANYWHERE),
  'deployment:manage': permission('Create, change, back up and delete deployments', ANYWHERE),
  'deployment:credentials:read': permission('Read the client credentials of deployments', ANYWHERE),
  'deployment:network:read': permission('Read private networking', ANYWHERE),
  'deployment:network:manage': permission('Change private networking', ANYWHERE),
  'deployment:access:read': permission('Read access rules', ANYWHERE),
  'deployment:access:manage': permission('Change access rules', ANYWHERE),
  'deployment:config:read': permission('Read configurations', ANYWHERE),
  'deployment:config:manage': permission('Change configurations', ANYWHERE),
  'deployment:task:manage': permission('Apply configurations on nodes', ANYWHERE),
  'deployment:connector:read': permission('Read connectors', ANYWHERE),
  'deployment:connector:manage': permission('Activate and delete connectors', ANYWHERE),
} as const satisfies Record<string, PermissionSpec>;

export type Permission = keyof typeof PERMISSIONS;

export const ALL_PERMISSIONS = Object.keys(PERMISSIONS) as Permission[];

export const isPermission = (name: string): name is Permission => Object.hasOwn(PERMISSIONS, name);

/** Returns the permissions that satisfy `wanted`: `wanted` itself, and `x:manage` for `x:read`. */
export function satisfiedBy(permission: Permission): readonly Permission[] {
  const manage = permission.replace(/:read$/, ':manage');
  return manage !== permission && isPermission(manage) ? [permission, manage] : [permission];
}
