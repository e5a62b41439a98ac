import { csrfOf, EMPTY_TREE, hashApiKey, hashSession, mintApiKey, mintSession, SYSTEM_ROLE_TREES } from '@libs/domain';
import type { Addressed } from '@libs/http';
import { statement } from '@libs/persistence';
import {
  ApiKeyUsesRepository,
  CallersRepository,
  IdempotencyRepository,
  SessionCallersRepository,
} from '@libs/persistence/platform';
import { eventually, given, WorkflowBench } from '@libs/testing';
import { AccessCallerStore } from './access-caller-store.js';
import { AccessModule } from './access.module.js';
import { AccessIdempotencyStore } from './access-idempotency-store.js';
import { RateLimit } from './index.js';
import { AccessSessionStore } from './access-session-store.js';
import { AccessWriteTransaction } from './access-write-transaction.js';
import { ApiKeyUses } from './api-key-uses.js';
import { DatabaseReadiness } from './database-readiness.js';

const NOWHERE: Addressed = { tenantId: null, divisionId: null, environmentId: null, deploymentId: null };
const NOTHING_ELSE = { deployment: false };

/** One tenant, its owner, and rows of the path. */
let bench: WorkflowBench;
let owner: Awaited<ReturnType<typeof given.tenant>>;
let ownerId: number;
const cloud = (): never => ({ rows: bench.rows.bind(bench), installation: {} }) as never;

beforeAll(async () => {
  bench = await WorkflowBench.open();
  owner = await given.tenant(cloud());
  const [tenant] = await bench.rows<{ owner_id: string }>('select owner_id from tenants');
  ownerId = Number(tenant?.owner_id);
});
afterAll(() => bench.close());

/** The id of the key that this secret names. */
const keyIdOf = async (secret: string): Promise<number> => {
  const [row] = await bench.rows<{ id: string }>('select id from api_keys where secret_hash = $1', [
    hashApiKey(secret),
  ]);
  return Number(row?.id);
};

describe('An API key', () => {
  let uses: ApiKeyUses;
  let callers: AccessCallerStore;
  let secret: string;
  let id: number;

  beforeEach(async () => {
    uses = new ApiKeyUses(new ApiKeyUsesRepository(bench.database));
    callers = new AccessCallerStore(new CallersRepository(bench.database), uses);
    secret = await given.key(cloud(), { tenantId: owner.tenantId });
    id = await keyIdOf(secret);
  });
  afterEach(async () => {
    await bench.rows('delete from api_key_uses');
    await bench.rows('delete from api_keys');
    await bench.rows('update members set active = true, division_id = null');
    await bench.rows('update users set email_verified_at = now()');
  });

  const resolve = async (credential = secret, addressed: Partial<Addressed> = {}, also = NOTHING_ELSE) =>
    callers.resolve(credential, { ...NOWHERE, ...addressed }, also);

  it('is its owner with the permissions of its role', async () => {
    expect(await resolve()).toEqual({
      caller: {
        key: { id, name: 'test' },
        secretHash: expect.any(Buffer),
        session: null,
        user: { id: ownerId, name: 'Other' },
        isVerified: true,
        tenant: { id: owner.tenantId, name: 'Other' },
        holding: { trees: [SYSTEM_ROLE_TREES.owner], divisionScope: null },
      },
      ancestry: { division: null, environment: null, deployment: null },
      isExpired: false,
      allowedIps: null,
      deploymentRow: null,
    });
  });

  it('is nobody with another secret of the same id, or of no id', async () => {
    expect(await resolve(mintApiKey(id))).toBeNull();
    expect(await resolve(mintApiKey(id + 1000))).toBeNull();
    expect(await resolve('nonsense')).toBeNull();
    expect(await resolve('')).toBeNull();
  });

  it('works with the previous secret until the overlap ends', async () => {
    const rotated = mintApiKey(id);
    await bench.rows(
      `update api_keys set previous_secret_hash = secret_hash, secret_hash = $2, previous_until = now() + interval '1 hour'
        where id = $1`,
      [id, hashApiKey(rotated)],
    );
    expect((await resolve(rotated))?.caller.key).toEqual({ id, name: 'test' });
    expect((await resolve(secret))?.caller.key).toEqual({ id, name: 'test' });

    await bench.rows(`update api_keys set previous_until = now() - interval '1 second' where id = $1`, [id]);

    expect((await resolve(rotated))?.caller.key).toEqual({ id, name: 'test' });
    expect(await resolve(secret)).toBeNull();
  });

  it('is nobody while its member is inactive', async () => {
    await bench.rows('update members set active = false where user_id = $1', [ownerId]);

    expect(await resolve()).toBeNull();
  });

  it('reports that it expired, that its user is unverified, and its allowed addresses', async () => {
    await bench.rows('update users set email_verified_at = null');
    const expired = await given.key(cloud(), { tenantId: owner.tenantId, expired: true, allowedIps: ['10.0.0.0/8'] });

    expect(await resolve(expired)).toMatchObject({
      isExpired: true,
      allowedIps: ['10.0.0.0/8'],
      caller: { isVerified: false },
    });
  });

  it('has only permissions that its owner has, in the division of both', async () => {
    const permissions = { tenant: ['audit:read' as const] };
    const scoped = await given.key(cloud(), { tenantId: owner.tenantId, permissions, divisionId: owner.divisionId });
    expect((await resolve(scoped))?.caller.holding).toEqual({
      trees: [{ ...EMPTY_TREE, ...permissions }],
      divisionScope: owner.divisionId,
    });

    await bench.rows('update members set division_id = $1', [owner.divisionId]);
    expect((await resolve())?.caller.holding.divisionScope).toBe(owner.divisionId);

    await bench.rows('delete from member_roles');
    expect((await resolve())?.caller.holding.trees).toEqual([EMPTY_TREE]);
    await bench.rows(
      `insert into member_roles select tenant_id, $1, id from roles where tenant_id = $2 and name = 'owner'`,
      [ownerId, owner.tenantId],
    );
  });

  it('has the rows of the path, if they belong together', async () => {
    const { divisionId, environmentId } = owner;
    const [division, environment] = [
      { id: divisionId, name: 'Default' },
      { id: environmentId, name: 'sandbox' },
    ];
    const [second] = await bench.rows<{ id: string }>(
      `insert into divisions (tenant_id, name) values ($1, 'Second') returning id`,
      [owner.tenantId],
    );
    const otherId = Number(second?.id);
    const ancestryOf = async (addressed: Partial<Addressed>) => (await resolve(secret, addressed))?.ancestry;

    expect(await ancestryOf({ divisionId })).toEqual({ division, environment: null, deployment: null });
    expect(await ancestryOf({ environmentId })).toEqual({ division, environment, deployment: null });
    expect(await ancestryOf({ divisionId: undefined, environmentId: undefined })).toMatchObject({ division: null });
    expect(await ancestryOf({ divisionId: otherId, environmentId })).toEqual({
      division: { id: otherId, name: 'Second' },
      environment: null,
      deployment: null,
    });
    await bench.rows('delete from divisions where id = $1', [otherId]);
  });

  describe('in a path with a deployment', () => {
    let deploymentId: number;

    beforeAll(async () => {
      const [row] = await bench.rows<{ id: number }>(
        `insert into deployments (tenant_id, division_id, environment_id, name, code, variant, cloud, area, region, cell, tier, cluster,
           storage_type, storage_size, target_network_tput, network_scope, availability_mode, nodes_count, telemetry_days,
           monthly_compute, monthly_storage, pricing_version)
         values ($1, $2, $3, 'd', 'c', 'managed', 'aws', 'us', 'us-east-1', 'north', 'small', 'cluster',
           'network_balanced', 100, 1, 'same_region', 'single_az', 1, 14, 0, 0, '1') returning id`,
        [owner.tenantId, owner.divisionId, owner.environmentId],
      );
      deploymentId = Number(row?.id);
      await bench.rows(
        `insert into deployment_runtimes (deployment_id, cell, status, peer_secret) values ($1, 'north', 'creating', '')`,
        [deploymentId],
      );
    });

    it('has the deployment with its environment, its division and its cell', async () => {
      expect((await resolve(secret, { deploymentId }))?.ancestry).toEqual({
        division: { id: owner.divisionId, name: 'Default' },
        environment: { id: owner.environmentId, name: 'sandbox' },
        deployment: { id: deploymentId, name: 'd', cell: 'north', supervisorUrl: null },
      });
    });

    it('has no deployment under another environment', async () => {
      const [row] = await bench.rows<{ id: string }>(
        `insert into environments (tenant_id, division_id, name) values ($1, $2, 'other') returning id`,
        [owner.tenantId, owner.divisionId],
      );
      const environmentId = Number(row?.id);

      const resolved = await resolve(secret, { environmentId, deploymentId });

      expect(resolved?.ancestry).toMatchObject({ environment: { id: environmentId }, deployment: null });
    });
  });

  describe('that is used', () => {
    const usedAt = async (): Promise<Date | undefined> =>
      (await bench.rows<{ last_used_at: Date }>('select last_used_at from api_key_uses'))[0]?.last_used_at;

    it('has a time of its last use, which the process writes when it stops', async () => {
      const before = Date.now();
      await resolve();
      expect(await usedAt()).toBeUndefined();

      await uses.onModuleDestroy();

      expect(Number(await usedAt())).toBeGreaterThanOrEqual(before);
    });

    it('is not written again within a minute', async () => {
      await resolve();
      await uses.onModuleDestroy();
      await bench.rows('delete from api_key_uses');

      await resolve();
      await uses.onModuleDestroy();

      expect(await usedAt()).toBeUndefined();
    });

    it('is written after a failure of the database', async () => {
      await resolve();
      await bench.rows('alter table api_key_uses rename to hidden');
      await uses.onModuleDestroy();
      await bench.rows('alter table hidden rename to api_key_uses');
      expect(await usedAt()).toBeUndefined();

      await uses.onModuleDestroy();

      expect(await usedAt()).toBeDefined();
    });
  });

  it('without a use is not written', async () => {
    await resolve(mintApiKey(id));

    await uses.onModuleDestroy();

    expect(await bench.rows('select 1 from api_key_uses')).toEqual([]);
  });
});

describe('A session', () => {
  let sessions: AccessSessionStore;
  let token: string;
  let id: number;

  beforeEach(async () => {
    sessions = new AccessSessionStore(new SessionCallersRepository(bench.database));
    const [next] = await bench.rows<{ id: string }>(`select nextval(pg_get_serial_sequence('sessions', 'id')) as id`);
    id = Number(next?.id);
    token = mintSession(id);
    await bench.rows(
      `insert into sessions (id, user_id, token_hash, address, expires_at, last_seen_at) overriding system value
       values ($1, $2, $3, '127.0.0.1', now() + interval '1 hour', now() - interval '59 seconds')`,
      [id, ownerId, hashSession(token)],
    );
  });

  const resolve = async (credential = token, addressed: Partial<Addressed> = {}, also = NOTHING_ELSE) =>
    sessions.resolve(credential, { ...NOWHERE, ...addressed }, also);
  const secondsSinceUse = async (): Promise<number> => {
    const [row] = await bench.rows<{ age: number }>(
      'select extract(epoch from now() - last_seen_at)::float8 as age from sessions where id = $1',
      [id],
    );
    return row?.age ?? 0;
  };

  it('is its user, with a token for writes, and without a tenant outside a path', async () => {
    expect(await resolve()).toMatchObject({
      caller: {
        key: null,
        session: { id, csrfToken: csrfOf(token) },
        user: { id: ownerId, name: 'Other' },
        isVerified: true,
        tenant: null,
        holding: { trees: [], divisionScope: null },
      },
      ancestry: { division: null },
      isExpired: false,
      allowedIps: null,
    });
  });

  it('has the roles of its user in the tenant of the path, and the rows of the path', async () => {
    const { tenantId, environmentId, divisionId } = owner;

    expect(await resolve(token, { tenantId, environmentId })).toMatchObject({
      caller: { tenant: { id: tenantId, name: 'Other' }, holding: { trees: [SYSTEM_ROLE_TREES.owner] } },
      ancestry: { division: { id: divisionId }, environment: { id: environmentId } },
    });
  });

  it('is nobody with another token of the same id, or of no id', async () => {
    expect(await resolve(mintSession(id))).toBeNull();
    expect(await resolve(mintSession(id + 1000))).toBeNull();
    expect(await resolve('nonsense')).toBeNull();
  });

  it('notes its use once a minute', async () => {
    await resolve();
    expect(await secondsSinceUse()).toBeGreaterThan(58);

    await bench.rows(`update sessions set last_seen_at = now() - interval '61 seconds' where id = $1`, [id]);
    await resolve();

    await eventually('the use is noted', async () => (await secondsSinceUse()) < 30);
  });
});

describe('The store of first answers', () => {
  const answer = { status: 201, headers: { a: 'b' }, body: '{}' };
  const [one, two] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

  const setup = () => ({
    store: new AccessIdempotencyStore(new IdempotencyRepository(bench.database, bench.secrets)),
    transaction: new AccessWriteTransaction(bench.database),
  });

  it('claims a key once, and then returns the answer for the same request only', async () => {
    const { store, transaction } = setup();
    await transaction.run(null, async () => {
      expect(await store.claim('key:1', 'k', one)).toEqual({ state: 'first' });
      await store.keep('key:1', 'k', one, answer);
    });

    await transaction.run(null, async () => {
      expect(await store.claim('key:1', 'k', one)).toEqual({ state: 'answered', answer });
      expect(await store.claim('key:1', 'k', two)).toEqual({ state: 'mismatch' });
      expect(await store.claim('key:2', 'k', two)).toEqual({ state: 'first' });
    });
  });

  it('refuses a key while another transaction has it', async () => {
    const { store, transaction } = setup();
    let release = (): void => undefined;
    const held = new Promise<void>((settle) => (release = settle));
    const states: string[] = [];
    const claim = async (): Promise<void> => void states.push((await store.claim('key:3', 'k', one)).state);
    const first = transaction.run(null, async () => {
      await claim();
      await held;
    });
    await eventually('the first request has the key', async () => states.length === 1);

    await transaction.run(null, claim);
    release();
    await first;

    expect(states).toEqual(['first', 'in_progress']);
  });
});

describe('The transaction of a write', () => {
  const names = async (): Promise<string[]> =>
    (await bench.rows<{ name: string }>(`select name from divisions where name like 'w%' order by 1`)).map(
      ({ name }) => name,
    );
  const INSERT = statement('test.division', 'insert into divisions (tenant_id, name) values ($1, $2)');

  it('commits all, and a savepoint rolls back only its own changes and audit types', async () => {
    const transaction = new AccessWriteTransaction(bench.database);
    const write = async (name: string, type: string): Promise<void> => {
      await bench.database.execute(INSERT, [owner.tenantId, name]);
      bench.database.note(type);
    };

    const audited = await transaction.run(null, async () => {
      await write('w1', 'division_created');
      await transaction
        .savepoint(async () => {
          await write('w2', 'role_created');
          throw new TypeError('refused');
        })
        .catch(() => undefined);
      return [...transaction.audited(), await transaction.savepoint(async () => 'result')];
    });

    expect(audited).toEqual(['division_created', 'result']);
    expect(await names()).toEqual(['w1']);
    expect(transaction.audited()).toEqual([]);
  });

  it('rolls back after an error', async () => {
    const transaction = new AccessWriteTransaction(bench.database);

    await expect(
      transaction.run(null, async () => {
        await bench.database.execute(INSERT, [owner.tenantId, 'w3']);
        throw new TypeError('refused');
      }),
    ).rejects.toThrow('refused');

    expect(await names()).not.toContain('w3');
  });
});

describe('An app', () => {
  it('is ready while the database answers with the schema of the release', async () => {
    const readiness = new DatabaseReadiness(bench.database, { path: null });
    expect(await readiness.problems()).toEqual([]);

    await bench.rows('alter table migrations rename to hidden');
    try {
      expect(await readiness.problems()).toEqual([
        { code: 'provider_unavailable', says: expect.stringContaining('run landlord migrate') },
      ]);
    } finally {
      await bench.rows('alter table hidden rename to migrations');
    }
    expect(await readiness.problems()).toEqual([]);
  });

  it('is not ready while the database does not answer', async () => {
    const other = await WorkflowBench.open();
    await other.close();

    expect(await new DatabaseReadiness(other.database, { path: null }).problems()).toEqual([
      { code: 'service_busy', says: 'the database does not answer' },
    ]);
  });

  it.each([
    [{ RATE_LIMIT: 600 }, { request: 600, password: 30 }],
    [{ RATE_LIMIT: null }, { request: null, password: null }],
    [
      { RATE_LIMIT: 600, PASSWORD_RATE_LIMIT: 5 },
      { request: 600, password: 5 },
    ],
    [
      { RATE_LIMIT: 600, PASSWORD_RATE_LIMIT: null },
      { request: 600, password: null },
    ],
    [
      { RATE_LIMIT: null, PASSWORD_RATE_LIMIT: 5 },
      { request: null, password: 5 },
    ],
  ])('with the settings %j has the limits %j', (settings, limits) => {
    const { providers } = AccessModule.forRoot(settings);

    expect(providers).toContainEqual({
      provide: RateLimit,
      useValue: { limits, window: { seconds: 60, slotSeconds: 5 } },
    });
  });
});
