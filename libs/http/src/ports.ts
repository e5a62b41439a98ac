import { apiKeyId } from '@libs/domain';
import type {
  AuditType,
  Holding,
  DeploymentId,
  DivisionId,
  EnvironmentId,
  TenantId,
  ApiKeyId,
  SessionId,
  UserId,
} from '@libs/domain';

/** A resource with its name, as audit records store it. */
export interface Named<Id extends number> {
  readonly id: Id;
  readonly name: string;
}

/** The session that a user signed in with. */
export interface CallerSession {
  readonly id: SessionId;
  readonly email: string;
  /** The token that writes of the session must send. */
  readonly csrfToken: string;
}

/**
 * The caller: an API key on behalf of the user that owns it, or a user with a session. At a Supervisor, a user with a
 * token for the console has neither.
 */
export interface Caller {
  /** Null for a session and for a token. */
  readonly key: Named<ApiKeyId> | null;
  /** The hash of the secret that the caller sent with the key: the current one, or in the overlap of a rotation the previous one. */
  readonly secretHash?: Buffer;
  /** Null for a key and for a token. */
  readonly session: CallerSession | null;
  readonly user: Named<UserId>;
  /** Whether the e-mail address of the user is verified. */
  readonly isVerified: boolean;
  /** The tenant of the key or of the token. For a session: the addressed tenant, if the user is an active member of it. */
  readonly tenant: Named<TenantId> | null;
  readonly holding: Holding;
}

/** The ids in a path. Null: the path has no id at that level. Undefined: the id is impossible. */
export interface Addressed {
  tenantId: TenantId | null | undefined;
  divisionId: DivisionId | null | undefined;
  environmentId: EnvironmentId | null | undefined;
  deploymentId: DeploymentId | null | undefined;
}

/** The addressed rows and all rows above them, as far as they exist and belong together. */
export interface Ancestry {
  readonly division: Named<DivisionId> | null;
  readonly environment: Named<EnvironmentId> | null;
  readonly deployment: (Named<DeploymentId> & { readonly cell: string; readonly supervisorUrl: string | null }) | null;
}

export interface ResolvedCaller {
  readonly caller: Caller;
  readonly ancestry: Ancestry;
  readonly isExpired: boolean;
  /** Null: the key is valid from every address. */
  readonly allowedIps: readonly string[] | null;
  /** The row of the addressed deployment, if the route asks for the row and the deployment exists. */
  readonly deploymentRow: object | null;
}

/** What the statement that finds the caller reads in addition. */
export interface AlsoRead {
  /** The row of the addressed deployment. */
  deployment: boolean;
}

/** Finds the caller of a key and the addressed rows in one statement. Null for an unknown, deleted or wrong key. */
export abstract class CallerStore {
  /** Whether the text can be a secret of this store. Other texts are refused without a query. */
  isWellFormed(secret: string): boolean {
    return apiKeyId(secret) !== null;
  }

  abstract resolve(secret: string, addressed: Addressed, also: AlsoRead): Promise<ResolvedCaller | null>;
}

/**
 * Finds the user of a token that the console got for one Supervisor, and the addressed rows, in one statement (C-5.14). Null for an
 * expired or wrong token, and one of an ended session.
 */
export abstract class TokenStore {
  abstract resolve(token: string, addressed: Addressed): Promise<ResolvedCaller | null>;
}

/** For an app that accepts no tokens. */
export class NoTokens extends TokenStore {
  async resolve(): Promise<null> {
    return null;
  }
}

/** Finds the user of a session and the addressed rows in one statement. Null for an unknown, ended or wrong session. */
export abstract class SessionStore {
  /** What a caller without valid credentials should do. */
  readonly advice: string = 'Send a valid API key or a session.';
  abstract resolve(token: string, addressed: Addressed, also: AlsoRead): Promise<ResolvedCaller | null>;
}

/** For an app that accepts API keys only. */
export class NoSessions extends SessionStore {
  override readonly advice = 'Send a valid API key in the header ld-api-key.';

  async resolve(): Promise<null> {
    return null;
  }
}

/** The state of an idempotency key, as the current transaction reads it. */
export type Claim =
  { state: 'first' } | { state: 'in_progress' } | { state: 'mismatch' } | { state: 'answered'; answer: StoredAnswer };

/** A stored answer. A replay sends it unchanged. */
export interface StoredAnswer {
  status: number;
  headers: Record<string, string>;
  /** The text of the body; null for an answer without a body. */
  body: string | null;
}

/** The first answers to idempotency keys. Both calls run in the transaction of the write. */
export abstract class IdempotencyStore {
  abstract claim(caller: string, key: string, requestHash: Buffer): Promise<Claim>;
  abstract keep(caller: string, key: string, requestHash: Buffer, answer: StoredAnswer): Promise<void>;
}

/** The transaction around a write route. */
export abstract class WriteTransaction {
  /** `tenantId`: the tenant of the caller. Null for a caller without one. */
  abstract run<T>(tenantId: TenantId | null, work: () => Promise<T>): Promise<T>;
  /** Rolls back the changes of `work` when it rejects. The transaction stays usable. */
  abstract savepoint<T>(work: () => Promise<T>): Promise<T>;
  /** Returns the audit types that were recorded in the open transaction. */
  abstract audited(): readonly AuditType[];
}

/** Whether one more request of a caller is within its rate, and the remaining requests. */
export interface RateVerdict {
  readonly isAllowed: boolean;
  readonly limit: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  /** Seconds until the oldest requests leave the window. */
  readonly resetSeconds: number;
}

/** The counted requests: all, or only those that hash a password, which cost a hundred times as much. */
export type RateKind = 'request' | 'password';

/** Counts requests by caller over all processes. Null: there is no limit. */
export abstract class RateStore {
  abstract take(subject: string, kind: RateKind): Promise<RateVerdict | null>;
}
