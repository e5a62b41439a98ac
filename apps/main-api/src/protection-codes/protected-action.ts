import type { Permission } from '@libs/domain';

/** A level of the tree, as payloads name it. */
export type PlaceId = 'tenant_id' | 'division_id' | 'environment_id' | 'deployment_id';

export interface ProtectedAction {
  /** Needed at the place of the thing. */
  permission: Permission;
  /** Members of the payload, from the tenant down; the last one names the thing. */
  ids: readonly PlaceId[];
  /** Whether the payload names a member, and the code is for this member alone. */
  isForMember?: true;
  /** Whether the owner of the tenant alone may ask, by session. The code then goes to the owner's own address. */
  isOwners?: true;
  /** As mails name it. */
  words: string;
  /** What the reader has to know of a code that nobody should have asked for. */
  warning: string;
}

const DELETES = 'Whoever has it can delete this for good.';

/** What a one-time code can be asked for (C-8.14). */
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
