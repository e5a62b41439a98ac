import type { Place } from '../../cloud-provider.js';
import { CloudError } from '../../cloud-error.js';
import type { GcpTokens } from '../gcp-api.js';
import { cloudErrorOf, GoogleError } from '../gcp-refusal.js';
import { askGoogle } from '../google-request.js';

/** The access of Landlord to the project of a customer. */
export interface GcpServiceAccount {
  /** The service account that Landlord acts as. */
  service_account_email: string;
  /** The description of the service account has it. */
  external_id: string;
}

/** The service accounts that tenants have given. */
export interface GcpServiceAccountRows {
  /** @param account As in Place. Null: nobody has given a service account for it */
  find(account: string, region: string): Promise<GcpServiceAccount | null>;
}

/** Gives the operator's own token. */
export interface TokenSource {
  token(): Promise<string>;
}

export interface GcpAccess {
  /** Instead of the hosts of Google, for tests and private endpoints. */
  endpoint?: string | undefined;
  operator: TokenSource;
}

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
/** Tokens are replaced this long before their end, so that no call begins with a token that ends during the call. */
const EARLY_MS = 5 * 60_000;
/** Google takes this description from `byoc/setup`. */
const EXTERNAL_ID = 'landlord-external-id=';
/** A refused service account is not tried again at once. */
const REFUSED_MS = 10_000;

/** A token of a service account. `endsAt`: milliseconds since the epoch. */
export interface ServiceAccountToken {
  token: string;
  endsAt: number;
}

/**
 * A token to act as the service account of a customer.
 * @throws CloudError `denied` when Google refuses this, or the service account is one of another organization
 */
export async function impersonate(access: GcpAccess, account: GcpServiceAccount): Promise<ServiceAccountToken> {
  const { service_account_email: email, external_id } = account;
  const named = `projects/-/serviceAccounts/${encodeURIComponent(email)}`;
  const { description = '' } = await ask<{ description?: string }>(access, 'iam', 'GET', named);
  // Otherwise one tenant could name the service account that another tenant has made for Landlord.
  if (!description.split(/\s+/).includes(`${EXTERNAL_ID}${external_id}`))
    throw refused('the description of the service account does not hold the external id of the organization');
  const body = { scope: [SCOPE] };
  const answer = await ask<{ accessToken?: string; expireTime?: string }>(
    ...([access, 'iamcredentials', 'POST', `${named}:generateAccessToken`, body] as const),
  );
  const endsAt = Date.parse(answer.expireTime ?? '');
  if (!answer.accessToken || Number.isNaN(endsAt))
    throw new CloudError({ code: 'unavailable' }, 'Google generateAccessToken: the answer has no token');
  return { token: answer.accessToken, endsAt };
}

const refused = (message: string): CloudError =>
  new CloudError({ code: 'denied', actions: ['iam.serviceAccounts.getAccessToken'] }, message);

async function ask<T>(
  { endpoint, operator }: GcpAccess,
  service: 'iam' | 'iamcredentials',
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const url = `${endpoint ?? `https://${service}.googleapis.com`}/v1/${path}`;
  const answer = await askGoogle({ method, url, token: await operator.token(), body, action: service });
  const { fault } = answer;
  if (!fault) return answer.body as T;
  // Google says 404 of a service account that the operator may not see.
  if (![403, 404].includes(fault.status)) throw cloudErrorOf(fault, { action: service, isOfCustomer: false });
  throw new CloudError(
    { code: 'denied', actions: ['iam.serviceAccounts.getAccessToken'] },
    'Google does not let Landlord act as the service account. It does not exist, or it does not trust the account of Landlord',
    { cause: new GoogleError(fault) },
  );
}

interface Known {
  token: Promise<string>;
  /** When the answer came, in milliseconds since the epoch. Null: it has not come. */
  answeredAt: number | null;
  /** Until when the answer is used. */
  goodUntil: number;
}

/** The tokens for all projects, of this process. Concurrent calls for one project ask for its token once. */
export class GcpAccounts implements GcpTokens {
  private readonly known = new Map<string, Known>();

  constructor(
    private readonly access: GcpAccess,
    private readonly rows: GcpServiceAccountRows,
  ) {}

  tokenFor({ account, region }: Place): Promise<string> {
    if (account === null) return this.access.operator.token();
    const key = `${account} ${region}`;
    const cached = this.known.get(key);
    if (cached && Date.now() < cached.goodUntil) return cached.token;
    const entry: Known = { token: Promise.resolve(''), answeredAt: null, goodUntil: Infinity };
    const answered = (goodUntil: number): void => {
      entry.answeredAt = Date.now();
      entry.goodUntil = goodUntil;
    };
    entry.token = this.ask(account, region).then(
      ({ token, endsAt }) => {
        answered(endsAt - EARLY_MS);
        return token;
      },
      (error: unknown) => {
        answered(isDenied(error) ? Date.now() + REFUSED_MS : 0);
        throw error;
      },
    );
    this.known.set(key, entry);
    return entry.token;
  }

  /** Tokens that are newer than the call stay. */
  refused({ account, region }: Place, begunAt: number): void {
    const key = `${account} ${region}`;
    const { answeredAt = null } = this.known.get(key) ?? {};
    if (answeredAt !== null && answeredAt <= begunAt) this.known.delete(key);
  }

  private async ask(account: string, region: string): Promise<ServiceAccountToken> {
    const row = await this.rows.find(account, region);
    if (row) return impersonate(this.access, row);
    throw refused('no deployment of the organization gives Landlord a service account for the project in this region');
  }
}

const isDenied = (error: unknown): boolean => error instanceof CloudError && error.code === 'denied';
