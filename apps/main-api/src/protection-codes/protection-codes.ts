import { Injectable } from '@nestjs/common';
import { DomainError } from '@libs/domain';
import { ProtectionCodesRepository } from '@libs/persistence/organization';
import { isCode, type CodeSubject } from './protection-code.js';

const MAXIMUM_ATTEMPTS = 5;

/** Requires one-time codes before the deletion of protected resources. */
@Injectable()
export class ProtectionCodes {
  constructor(private readonly codes: ProtectionCodesRepository) {}

  /**
   * Uses up the code in the transaction of the deletion: both are committed or neither. Call it before all other
   * writes. A wrong code is counted in a commit although the request is refused, and earlier writes would be committed
   * with it. A resource without protection needs no code, and a code for it is ignored.
   * @throws DomainError protection_code_required, protection_code_invalid
   */
  async require(subject: CodeSubject, isProtected: boolean, code: string | undefined): Promise<void> {
    if (!isProtected) return;
    if (code === undefined || code === '')
      throw new DomainError('protection_code_required', 'The resource is protected. Send the one-time code as ?code=.');
    const { actionType, resourceId } = subject;
    const stored = await this.codes.attemptUnscoped(actionType, resourceId, MAXIMUM_ATTEMPTS);
    if (!stored || !isCode(subject, stored, code)) throw invalid();
    await this.codes.useUnscoped(actionType, resourceId);
  }
}

/** Every wrong code gets the same answer, so that the answer does not help to guess. */
const invalid = (): DomainError =>
  new DomainError('protection_code_invalid', 'The code is wrong, expired, used or was never requested.', {
    keepsWrites: true,
  });
