import type { Permission } from '@libs/domain';

/** A level of the tree, as the name of a payload member. */
export type ResourceIdName = 'tenant_id' | 'division_id' | 'environment_id' | 'deployment_id';

export interface ProtectedAction {
  /** The required permission on the resource. */
  permission: Permission;
  /** Members of the payload, from the tenant down. The last one names the resource. */
  ids: readonly ResourceIdName[];
  /** Whether the payload names a member. The code is then valid only for this member. */
  isForMember?: true;
  /**
   * Whether only the owner of the tenant can request the code, by session. The code is then sent to the owner's own
   * address.
   */
  isOwners?: true;
  /** The words for the action in mails. */
  words: string;
  /** The warning to the reader, for a code that should not have been requested. */
  warning: string;
}

const DELETES = 'Whoever has it can delete this for good.';

/** The actions with one-time codes (C-8.14). */
export const PROTECTED_ACTIONS = {
  delete_tenant: { permission: 'info:manage', ids: ['tenant_id'], words: 'delete the organization', warning: DELETES },
  transfer_tenant: {
    permission: 'info:manage',
    ids: ['tenant_id'],
    isForMember: true,
    isOwners: true,
    words: 'hand over the organization',
    warning: 'Whoever has it and your session can give the organization away.',
  },
  delete_division: {
    permission: 'division:manage',
    ids: ['tenant_id', 'division_id'],
    words: 'delete the division',
    warning: DELETES,
  },
  delete_environment: {
    permission: 'environment:manage',
    ids: ['tenant_id', 'division_id', 'environment_id'],
    words: 'delete the environment',
    warning: DELETES,
  },
  delete_deployment: {
    permission: 'deployment:manage',
    ids: ['tenant_id', 'division_id', 'environment_id', 'deployment_id'],
    words: 'delete the deployment',
    warning: DELETES,
  },
} as const satisfies Record<string, ProtectedAction>;

export type ActionType = keyof typeof PROTECTED_ACTIONS;

export const ACTION_TYPES = Object.keys(PROTECTED_ACTIONS) as ActionType[];
