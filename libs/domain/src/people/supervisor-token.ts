import type { SessionId, TenantId, UserId } from '../ids.js';

/**
 * `lds_<user>.<session>.<tenant>.<password>.<expiry>.<cell>.<key id>.<proof>`: a signed-in user at one Supervisor. The
 * proof covers everything before it. The token is stored nowhere: its session and its user are asked at each request.
 */
const PATTERN =
  /^lds_(([1-9]\d{0,15})\.([1-9]\d{0,15})\.([1-9]\d{0,15})\.(\d{1,16})\.(\d{1,12})\.([a-z0-9-]{1,40}))\.([\w-]{1,64}\.[\w-]{43})$/;
const PREFIX = 'lds_';

/** How long a token is valid, in seconds. */
export const SUPERVISOR_TOKEN_SECONDS = 900;

/** What a token says. */
export interface SupervisorClaim {
  userId: UserId;
  sessionId: SessionId;
  tenantId: TenantId;
  /** When the user set the current password, in microseconds. A new password ends the token. */
  passwordStamp: number;
  /** In seconds since 1970. */
  expiresAt: number;
  /** The cell of the only Supervisor that accepts the token. */
  cell: string;
}

/** Whether the text claims to be a token of a Supervisor. */
export const looksLikeSupervisorToken = (secret: string): boolean => secret.startsWith(PREFIX);

/** The text that the proof covers. */
export const claimText = ({ userId, sessionId, tenantId, passwordStamp, expiresAt, cell }: SupervisorClaim): string =>
  [userId, sessionId, tenantId, passwordStamp, expiresAt, cell].join('.');

export const writeSupervisorToken = (text: string, proof: string): string => `${PREFIX}${text}.${proof}`;

/** Returns the parts of a well-formed token, or null. Does not check the proof. */
export function readSupervisorToken(token: string): { text: string; proof: string; claim: SupervisorClaim } | null {
  const match = PATTERN.exec(token);
  if (!match) return null;
  const [, text = '', userId, sessionId, tenantId, passwordStamp, expiresAt, cell = '', proof = ''] = match;
  const numbers = [userId, sessionId, tenantId, passwordStamp, expiresAt].map(Number);
  if (!numbers.every((number) => Number.isSafeInteger(number))) return null;
  const [user = 0, session = 0, tenant = 0, stamp = 0, expiry = 0] = numbers;
  const claim = { userId: user, sessionId: session, tenantId: tenant, passwordStamp: stamp, expiresAt: expiry, cell };
  return { text, proof, claim };
}
