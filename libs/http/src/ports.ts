import type { AuditType, Holding } from '@libs/domain';

/** A thing with its name, as audit entries record it. */
export interface Named {
  readonly id: number;
  readonly name: string;
}

/** The session that a user signed in with. */
export interface CallerSession {
  readonly id: number;
  readonly email: string;
  /** What its writes have to show. */
  readonly csrfToken: string;
}

/** Who calls: an API key on behalf of the user that owns it, or a user by a session. */
export interface Caller {
  /** Null for a session. */
  readonly key: Named | null;
  /** Null for a key. */
  readonly session: CallerSession | null;
  readonly user: Named;
  /** Whether the e-mail address of the user is verified. */
  readonly isVerified: boolean;
  /** That of the key; of a session the one that is addressed, if the user is an active member of it. */
  readonly tenant: Named | null;
  readonly holding: Holding;
}

/** The ids that a path names; null where it names none at that level, undefined where it names an impossible one. */
export interface Addressed {
  tenantId: number | null | undefined;
  divisionId: number | null | undefined;
  environmentId: number | null | undefined;
  deploymentId: number | null | undefined;
}

/** The addressed rows and everything above them, as far as they exist and belong together. */
export interface Ancestry {
  readonly division: Named | null;
  readonly environment: Named | null;
  readonly deployment: (Named & { readonly cell: string; readonly supervisorUrl: string | null }) | null;
}

export interface ResolvedCaller {
  readonly caller: Caller;
  readonly ancestry: Ancestry;
  readonly isExpired: boolean;
  /** Null: the key is good from anywhere. */
  readonly allowedIps: readonly string[] | null;
}

/** Finds the holder of a key and the addressed rows in one statement; null for an unknown, deleted or wrong key. */
export abstract class CallerStore {
  abstract resolve(secret: string, addressed: Addressed): Promise<ResolvedCaller | null>;
}

/** Finds the user of a session and the addressed rows in one statement; null for an unknown, ended or wrong session. */
export abstract class SessionStore {
  abstract resolve(token: string, addressed: Addressed): Promise<ResolvedCaller | null>;
}

/** For an app that takes API keys only. */
export class NoSessions extends SessionStore {
  async resolve(): Promise<null> {
    return null;
  }
}

/** What is known of an idempotency key inside the transaction that asks. */
export type Claim =
  { state: 'first' } | { state: 'in_progress' } | { state: 'mismatch' } | { state: 'answered'; answer: StoredAnswer };

/** An answer as it is kept: replayed to the letter. */
export interface StoredAnswer {
  status: number;
  headers: Record<string, string>;
  /** The text of the body; null for none. */
  body: string | null;
}

/** First answers under idempotency keys; both calls run in the transaction of the write. */
export abstract class IdempotencyStore {
  abstract claim(caller: string, key: string, requestHash: Buffer): Promise<Claim>;
  abstract keep(caller: string, key: string, requestHash: Buffer, answer: StoredAnswer): Promise<void>;
}

/** The transaction around a write route. */
export abstract class WriteTransaction {
  abstract run<T>(work: () => Promise<T>): Promise<T>;
  /** Undoes what `work` did when it rejects, and leaves the transaction usable. */
  abstract savepoint<T>(work: () => Promise<T>): Promise<T>;
  /** The audit types that were recorded in the open transaction. */
  abstract audited(): readonly AuditType[];
}

/** Whether one more request of a caller is within its rate, and what is left of it. */
export interface RateVerdict {
  readonly isAllowed: boolean;
  readonly limit: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  /** Until the oldest requests leave the window. */
  readonly resetSeconds: number;
}

/** What is counted: every request, or those alone that have a password hashed, which costs a hundred times as much. */
export type RateKind = 'request' | 'password';

/** Counts requests by caller, over all processes; null when there is no limit. */
export abstract class RateStore {
  abstract take(subject: string, kind: RateKind): Promise<RateVerdict | null>;
}
