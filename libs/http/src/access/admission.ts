import { Injectable } from '@nestjs/common';
import type { Actor } from './actor.js';

/**
 * The last check of the access guard: requirements of this app in addition to key, scope and permission. The guard
 * calls it, because Nest guarantees no order between several global guards.
 */
export abstract class Admission {
  /** @throws DomainError to refuse */
  abstract admit(actor: Actor): void;
}

/** Requires nothing more. */
@Injectable()
export class NoFurtherAdmission extends Admission {
  admit(): void {
    return;
  }
}
