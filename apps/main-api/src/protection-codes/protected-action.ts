import type { Permission } from '@libs/domain';

/** A level of the tree, as payloads name it. */
export type PlaceId = 'tenant_id' | 'division_id' | 'environment_id' | 'deployment_id';

export interface ProtectedAction {
  /** Needed at the place of the thing. */
  permission: Permission;
  /** Members of the payload, from the tenant down; the last one names the thing. */
  ids: readonly PlaceId[];
  /** As mails name it. */
  words: string;
}

/** What a one-time code can be asked for (spec, "Request-code"). */
export const PROTECTED_ACTIONS = {
  delete_tenant: { permission: 'info:manage', ids: ['tenant_id'], words: 'delete the organization' },
  delete_division: {
    permission: 'division:manage',
    ids: ['tenant_id', 'division_id'],
    words: 'delete the division',
  },
  delete_environment: {
    permission: 'environment:manage',
    ids: ['tenant_id', 'division_id', 'environment_id'],
    words: 'delete the environment',
  },
  delete_deployment: {
    permission: 'deployment:manage',
    ids: ['tenant_id', 'division_id', 'environment_id', 'deployment_id'],
    words: 'delete the deployment',
  },
} as const satisfies Record<string, ProtectedAction>;

export type ActionType = keyof typeof PROTECTED_ACTIONS;

export const ACTION_TYPES = Object.keys(PROTECTED_ACTIONS) as ActionType[];
