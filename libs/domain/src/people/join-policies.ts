/** The handling of a new user whose address is in the tenant's e-mail domain (C-8.2). */
export const JOIN_POLICIES = ['invite_only', 'open', 'request_to_join'] as const;
export type JoinPolicy = (typeof JOIN_POLICIES)[number];
