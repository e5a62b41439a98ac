import { Injectable } from '@nestjs/common';
import type { Actor } from './actor.js';

/**
 * The last word of the access guard: what this app asks of a caller beyond key, scope and permission. Part of the guard
 * itself, because Nest promises no order between several global guards.
 */
export abstract class Admission {
  /** @throws DomainError to refuse */
  abstract admit(actor: Actor): void;
}

/** Asks for nothing more. */
@Injectable()
export class NoFurtherAdmission extends Admission {
  admit(): void {
    return;
  }
}
