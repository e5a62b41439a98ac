import { randomBytes } from 'node:crypto';
import { CloudError } from '../../cloud-error.js';
import { causeOf, clientOptions, limitCalls, type AwsConnection, type AwsCredentials } from '../aws-clients.js';
import { codeOf } from '../aws-refusal.js';

/** The access of Landlord to the account of a customer. */
export interface AwsRole {
  account_id: string;
  /** The ARN of the role. */
  identity_arn: string;
  external_id: string;
}

/** The roles that tenants have given. */
export interface AwsRoleRows {
  /** @param account As in Place. Null: nobody has given a role for it */
  find(account: string, region: string): Promise<AwsRole | null>;
}

/** Temporary keys of a role. */
export interface AwsSession {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken: string;
  /** When AWS stops accepting the keys, in milliseconds since the epoch. */
  endsAt: number;
}

const SESSION_NAME = 'landlord';
/** Keys are replaced this long before their end, so that no call begins with keys that end during the call. */
const EARLY_MS = 5 * 60_000;
/** A refused role is not tried again at once. Its calls would take the turns of other accounts. */
const REFUSED_MS = 10_000;

const REFUSALS: Record<string, string> = {
  AccessDenied:
    'AWS does not let Landlord assume the role of the account. The role does not exist, does not trust the account of Landlord, or requires another external id',
  RegionDisabledException: 'the region is not enabled in the account of the customer',
};

type StsConnection = Pick<AwsConnection, 'endpoint' | 'permits'>;

/**
 * Assumes the role with the operator's own keys.
 * @throws CloudError `denied` when AWS refuses the role, or the role is one of another account
 */
export async function assumeRole(connection: StsConnection, role: AwsRole, region: string): Promise<AwsSession> {
  const { STS } = await import('@aws-sdk/client-sts');
  const sts = new STS(clientOptions(connection, region));
  limitCalls(connection, sts, 'sts', { account: null, region });
  const { identity_arn: RoleArn, external_id: ExternalId } = role;
  const answer = await sts.assumeRole({ RoleArn, ExternalId, RoleSessionName: SESSION_NAME }).catch(explain);
  const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = answer.Credentials ?? {};
  if (!AccessKeyId || !SecretAccessKey || !SessionToken || !Expiration)
    throw new CloudError({ code: 'unavailable' }, 'AWS sts:AssumeRole: the answer has no keys');
  if (answer.AssumedRoleUser?.Arn?.split(':')[4] !== role.account_id)
    throw new CloudError(
      { code: 'denied', actions: ['sts:AssumeRole'] },
      `the role is not one of the account ${role.account_id}`,
    );
  const endsAt = Expiration.getTime();
  return { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken, endsAt };
}

/**
 * Proves that the role asks for the external id: AWS ignores the id if the trust policy of the customer has no condition, and then
 * every tenant could name this role with an id of its own.
 * @throws CloudError `denied` when the role accepts another external id
 */
export async function requireExternalId(connection: StsConnection, role: AwsRole, region: string): Promise<void> {
  const wrong = { ...role, external_id: `not-${randomBytes(16).toString('hex')}` };
  const isAssumed = await assumeRole(connection, wrong, region).then(
    () => true,
    (error: unknown) => {
      if (isDenied(error)) return false;
      throw error;
    },
  );
  if (isAssumed) throw new CloudError({ code: 'denied', actions: ['sts:AssumeRole'] }, WITHOUT_CONDITION);
}

const WITHOUT_CONDITION =
  'the role accepts every external id: its trust policy has no condition on sts:ExternalId. Use the trust policy of byoc/setup';

function explain(error: unknown): never {
  const reason = REFUSALS[codeOf(causeOf(error))];
  if (reason === undefined) throw error;
  throw new CloudError({ code: 'denied', actions: ['sts:AssumeRole'] }, reason, { cause: causeOf(error) });
}

interface Known {
  session: Promise<AwsSession>;
  /** When the answer came, in milliseconds since the epoch. Null: it has not come. */
  answeredAt: number | null;
  /** Until when the answer is used. */
  goodUntil: number;
}

/** The keys for the accounts of customers, of this process. Concurrent calls for one account assume its role once. */
export class AwsRoles {
  private readonly known = new Map<string, Known>();
  /** Roles that have refused another external id. */
  private readonly proven = new Set<string>();

  constructor(
    private readonly connection: StsConnection,
    private readonly rows: AwsRoleRows,
  ) {}

  /** For AwsConnection. @throws CloudError `denied` when the account has no role that Landlord may use */
  readonly credentialsOf =
    (account: string, region: string): AwsCredentials =>
    () =>
      this.session(account, region);

  /** For AwsConnection. Keys that are newer than the call stay. */
  readonly keysRefused = (account: string, region: string, begunAt: number): void => {
    const key = keyOf(account, region);
    const { answeredAt = null } = this.known.get(key) ?? {};
    if (answeredAt !== null && answeredAt <= begunAt) this.known.delete(key);
  };

  private session(account: string, region: string): Promise<AwsSession> {
    const key = keyOf(account, region);
    const cached = this.known.get(key);
    if (cached && Date.now() < cached.goodUntil) return cached.session;
    const session = this.assume(account, region);
    const entry: Known = { session, answeredAt: null, goodUntil: Infinity };
    this.known.set(key, entry);
    const answered = (goodUntil: number): void => {
      entry.answeredAt = Date.now();
      entry.goodUntil = goodUntil;
    };
    session.then(
      ({ endsAt }) => answered(endsAt - EARLY_MS),
      (error: unknown) => answered(isDenied(error) ? Date.now() + REFUSED_MS : 0),
    );
    return session;
  }

  private async assume(account: string, region: string): Promise<AwsSession> {
    const role = await this.rows.find(account, region);
    if (role) return this.assumeProven(role, region);
    throw new CloudError(
      { code: 'denied', actions: ['sts:AssumeRole'] },
      'no deployment of the organization gives Landlord a role for the account in this region',
    );
  }

  /** Before the first use in this process, also of roles that an earlier release accepted. */
  private async assumeProven(role: AwsRole, region: string): Promise<AwsSession> {
    const name = `${role.identity_arn} ${role.external_id}`;
    const session = await assumeRole(this.connection, role, region);
    if (this.proven.has(name)) return session;
    await requireExternalId(this.connection, role, region);
    this.proven.add(name);
    return session;
  }
}

const keyOf = (account: string, region: string): string => `${account} ${region}`;

const isDenied = (error: unknown): boolean => error instanceof CloudError && error.code === 'denied';
