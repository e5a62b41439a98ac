import { DomainError } from '@libs/domain';

/** The refusal of a rotation that another rotation of the same secret overtook. */
export const rotatedMeanwhile = (): DomainError =>
  new DomainError('state_conflict', 'Another request has rotated this secret. Its answer has the new one.', {
    members: { state: 'rotated' },
  });
