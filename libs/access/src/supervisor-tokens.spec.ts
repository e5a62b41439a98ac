import { randomBytes } from 'node:crypto';
import { hashSession, mintApiKey, mintSession, SYSTEM_ROLE_TREES, type SupervisorClaim } from '@libs/domain';
import type { Addressed } from '@libs/http';
import { Secrets } from '@libs/persistence';
import { SessionCallersRepository } from '@libs/persistence/platform';
import { given, WorkflowBench } from '@libs/testing';
import { SupervisorTokenStore } from './supervisor-token-store.js';
import { SupervisorTokens } from './supervisor-tokens.js';

const NOWHERE: Addressed = { tenantId: null, divisionId: null, environmentId: null, deploymentId: null };
const keyText = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;
const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

const CLAIM: SupervisorClaim = {
  ...{ userId: 7, sessionId: 12, tenantId: 3, passwordStamp: 1_764_170_000_123_456 },
  ...{ expiresAt: inSeconds(900), cell: 'north-1' },
};

describe('A signed token for a Supervisor', () => {
  const tokens = new SupervisorTokens(new Secrets(keyText('k1')));

  it('says what was signed, at its Supervisor', () => {
    expect(tokens.open(tokens.sign(CLAIM), 'north-1')).toEqual(CLAIM);
  });

  it('opens no other Supervisor', () => {
    expect(tokens.open(tokens.sign(CLAIM), 'north-2')).toBeNull();
    expect(tokens.open(tokens.sign(CLAIM), '')).toBeNull();
  });

  it('expires', () => {
    const token = tokens.sign({ ...CLAIM, expiresAt: 1000 });

    expect(tokens.open(token, 'north-1', 999_999)).toMatchObject({ expiresAt: 1000 });
    expect(tokens.open(token, 'north-1', 1_000_000)).toBeNull();
  });

  it.each(Object.keys(CLAIM) as (keyof SupervisorClaim)[])('is refused with another %s', (member) => {
    const token = tokens.sign(CLAIM);
    const other = member === 'cell' ? 'north-2' : CLAIM[member] + 1;
    const forged = token.replace(String(CLAIM[member]), String(other));

    expect(forged).not.toBe(token);
    expect(tokens.open(forged, member === 'cell' ? 'north-2' : 'north-1')).toBeNull();
  });

  it.each([
    [
      'with a changed proof',
      (token: string) => `${token.slice(0, -2)}${token.at(-2) === 'A' ? 'B' : 'A'}${token.at(-1)}`,
    ],
    ['without its proof', (token: string) => token.split('.').slice(0, -1).join('.')],
    ['with the name of an unknown key', (token: string) => token.replace('.k1.', '.k2.')],
    ['with a prefix', (token: string) => `x${token}`],
    ['with a line break at its end', (token: string) => `${token}\n`],
  ])('is refused %s', (_, forge) => {
    expect(tokens.open(forge(tokens.sign(CLAIM)), 'north-1')).toBeNull();
  });

  it('is valid while its key is configured, also after a new key signs', () => {
    const [old, fresh] = [keyText('old'), keyText('new')];
    const before = new SupervisorTokens(new Secrets(old)).sign(CLAIM);
    const during = new SupervisorTokens(new Secrets(`${fresh},${old}`));
    const after = new SupervisorTokens(new Secrets(fresh));

    expect(during.open(before, 'north-1')).toEqual(CLAIM);
    expect(after.open(before, 'north-1')).toBeNull();
    expect(after.open(during.sign(CLAIM), 'north-1')).toEqual(CLAIM);
  });

  it('is no proof for another purpose', () => {
    const secrets = new Secrets(keyText('k1'));
    const text = new SupervisorTokens(secrets).sign(CLAIM).split('.').slice(0, -2).join('.').slice('lds_'.length);
    const forged = `lds_${text}.${secrets.prove('download', text)}`;

    expect(new SupervisorTokens(secrets).open(forged, 'north-1')).toBeNull();
  });
});

describe('A caller with a token', () => {
  let bench: WorkflowBench;
  let owner: Awaited<ReturnType<typeof given.tenant>>;
  let store: SupervisorTokenStore;
  let tokens: SupervisorTokens;
  let claim: SupervisorClaim;
  const cloud = (): never => ({ rows: bench.rows.bind(bench), installation: {} }) as never;

  beforeAll(async () => {
    bench = await WorkflowBench.open();
    owner = await given.tenant(cloud());
    tokens = new SupervisorTokens(bench.secrets);
    store = new SupervisorTokenStore(new SessionCallersRepository(bench.database), tokens, { cell: 'local' });
  });
  afterAll(() => bench.close());

  beforeEach(async () => {
    await bench.rows('update members set active = true');
    const [user] = await bench.rows<{ id: string; stamp: string }>(
      'select id, (extract(epoch from password_changed_at) * 1000000)::bigint as stamp from users',
    );
    const [next] = await bench.rows<{ id: string }>(`select nextval(pg_get_serial_sequence('sessions', 'id')) as id`);
    const sessionId = Number(next?.id);
    await bench.rows(
      `insert into sessions (id, user_id, token_hash, address, expires_at) overriding system value
       values ($1, $2, $3, '127.0.0.1', now() + interval '1 hour')`,
      [sessionId, user?.id, hashSession(mintSession(sessionId))],
    );
    claim = {
      ...{ userId: Number(user?.id), sessionId, tenantId: owner.tenantId, passwordStamp: Number(user?.stamp) },
      ...{ expiresAt: inSeconds(900), cell: 'local' },
    };
  });

  const resolve = (changes: Partial<SupervisorClaim> = {}, addressed: Partial<Addressed> = {}) =>
    store.resolve(tokens.sign({ ...claim, ...changes }), { ...NOWHERE, ...addressed });

  it('is the user with the roles of the tenant, without key and without session', async () => {
    expect(await resolve({}, { divisionId: owner.divisionId })).toEqual({
      caller: {
        ...{ key: null, session: null, user: { id: claim.userId, name: 'Other' }, isVerified: true },
        tenant: { id: owner.tenantId, name: 'Other' },
        holding: { trees: [SYSTEM_ROLE_TREES.owner], divisionScope: null },
      },
      ancestry: { division: { id: owner.divisionId, name: 'Default' }, environment: null, deployment: null },
      isExpired: false,
      allowedIps: null,
      deploymentRow: null,
    });
  });

  it.each([
    ['of another user', { userId: 1_000_000 }],
    ['of another tenant', { tenantId: 1_000_000 }],
    ['of no session', { sessionId: 1_000_000 }],
    ['of an older password', { passwordStamp: 1 }],
    ['of another cell', { cell: 'north' }],
    ['that has expired', { expiresAt: inSeconds(-1) }],
  ])('is nobody with a token %s', async (_, changes) => {
    expect(await resolve(changes)).toBeNull();
  });

  it.each([
    ['the session ends', 'delete from sessions'],
    ['the session expires', 'update sessions set expires_at = now()'],
    ['the membership is suspended', 'update members set active = false'],
    ['the password changes', `update users set password_changed_at = now()`],
  ])('is nobody after %s', async (_, change) => {
    expect(await resolve()).not.toBeNull();

    await bench.rows(change);

    expect(await resolve()).toBeNull();
  });

  it('is nobody with a key', async () => {
    expect(await store.resolve(mintApiKey(1), NOWHERE)).toBeNull();
  });
});
