import { DomainError } from '@libs/domain';
import type { ActingCaller } from '@libs/http';
import type { Member } from '@libs/persistence/organization';

/**
 * Members cannot change their own membership, and nobody can change that of the owner.
 * @throws DomainError owner_required, state_conflict
 */
export function requireAnother(actor: ActingCaller, member: Pick<Member, 'id' | 'owner'>): void {
  requireNotOwner(member);
  if (member.id === actor.caller.user.id)
    throw new DomainError(
      'state_conflict',
      'You cannot change or remove yourself. To leave the tenant, DELETE your membership.',
    );
}

/** @throws DomainError owner_required */
export function requireNotOwner({ owner }: Pick<Member, 'owner'>): void {
  if (owner)
    throw new DomainError(
      'owner_required',
      'The owner keeps the role owner until the tenant is transferred or deleted.',
    );
}
