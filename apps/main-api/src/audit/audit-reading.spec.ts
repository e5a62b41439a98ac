import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadCatalog } from '@libs/catalog';
import { AUDIT_TYPES } from '@libs/domain';
import { Shutdown, type ActingCaller } from '@libs/http';
import { Notifications } from '@libs/persistence';
import { AuditEntriesRepository, AuditSealsRepository } from '@libs/persistence/ledger';
import { TenantsRepository } from '@libs/persistence/organization';
import { given, WorkflowBench } from '@libs/testing';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import type { Response } from 'express';
import { TenantEntitlements } from '../tenants/index.js';
import { AuditExport } from './audit-export.js';
import { toAuditFilter } from './audit-filter.js';
import { AuditVerifier } from './audit-verifier.js';
import { AuditController } from './audit.controller.js';
import { AuditService } from './audit.service.js';
import { AuditExportQuery, AuditQuery } from './dto/audit.query.js';
import { VerificationQuery } from './dto/verification.query.js';
import { sendDownload } from './send-download.js';
import { toAuditEntryView } from './to-audit-entry-view.js';

const DAY_MS = 86_400_000;

describe('The audit of a tenant', () => {
  let bench: WorkflowBench;
  let tenant: number;
  let shutdown: Shutdown;
  let notifications: Notifications;
  let controller: AuditController;
  let exports: AuditExport;

  beforeAll(async () => {
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());
  beforeEach(async () => {
    tenant = (await given.tenant({ rows: bench.rows.bind(bench) })).tenantId;
    shutdown = new Shutdown({ drainMs: 0 });
    notifications = new Notifications('');
    const { database } = bench;
    const entries = new AuditEntriesRepository(database);
    const entitlements = new TenantEntitlements(new TenantsRepository(database), loadCatalog());
    exports = new AuditExport(entries, entitlements, notifications, shutdown);
    const verifier = new AuditVerifier(database, new AuditSealsRepository(database));
    controller = new AuditController(new AuditService(entries, entitlements), exports, verifier);
  });

  const caller = (divisionScope: number | null = null): ActingCaller =>
    ({ tenantId: tenant, caller: { holding: { divisionScope } } }) as unknown as ActingCaller;
  const query = (parts: object = {}): AuditQuery => Object.assign(new AuditQuery(), { page: 1, results: 100 }, parts);
  const list = async (parts: object = {}, divisionScope: number | null = null): Promise<number[]> =>
    (await controller.list(caller(divisionScope), query(parts))).items.map(({ data }) => (data as { n: number }).n);
  /** Entries with the numbers 1 to `count` as data, each a second older than the next. */
  const write = (count: number, parts = ''): Promise<unknown> =>
    bench.rows(
      `insert into audit_entries (retention_class, created_at, tenant_id, type, data, division_id, division_name)
       select 365, now() - make_interval(secs => $2::int - n), $1, 'division_created', jsonb_build_object('n', n), n, 'D'
         from generate_series(1, $2::int) n ${parts}`,
      [tenant, count],
    );
  async function exported(parts: object = {}, stillAllowed = async (): Promise<void> => undefined): Promise<string[]> {
    const pieces: string[] = [];
    for await (const piece of await exports.open(caller(), query(parts), stillAllowed)) pieces.push(piece);
    return pieces;
  }

  it('lists all types in the order of the alphabet', () => {
    expect(controller.types()).toEqual(Object.keys(AUDIT_TYPES).sort());
    expect(controller.types().length).toBeGreaterThan(20);
  });

  it('is listed newest first, in pages', async () => {
    await write(5);

    expect(await list()).toEqual([5, 4, 3, 2, 1]);
    const page = await controller.list(caller(), query({ page: 2, results: 2 }));
    expect(page).toMatchObject({
      page: 2,
      total_results: 5,
      total_pages: 3,
      items: [{ data: { n: 3 } }, { data: { n: 2 } }],
    });
  });

  it('shows a key of one division the entries of that division', async () => {
    await write(5);

    expect([await list({}, 3), await list({ division: 2 }), await list({ division: 2 }, 3)]).toEqual([[3], [2], []]);
  });

  it('is exported oldest first, one line for each entry', async () => {
    await write(401);

    const pieces = await exported();

    const lines = pieces.map((piece) =>
      piece
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    );
    expect(lines.map(({ length }) => length)).toEqual([200, 200, 1]);
    expect(lines.flat().map(({ data }) => data.n)).toEqual(Array.from({ length: 401 }, (_, index) => index + 1));
  });

  it('checks the caller again during an export after a change of access', async () => {
    await write(401);
    let checks = 0;
    const pieces: string[] = [];
    const stillAllowed = async (): Promise<void> => {
      checks += 1;
      if (checks === 2) throw new TypeError('the key is gone');
    };
    const listeners = (Reflect.get(notifications, 'listeners') as Map<string, Set<() => void>>).get('landlord_access');
    const notify = (): void => listeners?.forEach((listener) => listener());

    await expect(
      (async () => {
        for await (const piece of await exports.open(caller(), query(), stillAllowed)) {
          pieces.push(piece);
          expect(listeners?.size).toBe(1);
          notify();
        }
      })(),
    ).rejects.toThrow('the key is gone');

    expect([pieces.length, checks, listeners?.size]).toEqual([2, 2, 0]);
    await exported({}, stillAllowed);
    expect(checks).toBe(2);
    // One change of access: one check, not one for each of the following pieces.
    for await (const piece of await exports.open(caller(), query(), stillAllowed))
      if (pieces.push(piece) === 3) notify();
    expect(checks).toBe(3);
  });

  it('is not exported by a plan without exports, or by a process that stops', async () => {
    await bench.rows(`update tenants set plan = 'basic' where id = $1`, [tenant]);
    await expect(exported()).rejects.toMatchObject({ code: 'plan_feature_required' });
    await bench.rows(`update tenants set plan = 'enterprise' where id = $1`, [tenant]);

    await shutdown.beforeApplicationShutdown();

    await expect(exported()).rejects.toMatchObject({ code: 'internal_error' });
    expect(exports.stopping.aborted).toBe(true);
  });

  it('is verified as a whole', async () => {
    await write(2);

    expect(await controller.verify(caller(), {})).toMatchObject({ valid: true, unsealed: 2 });
  });

  describe('as a file', () => {
    let server: Server;
    let send: (response: Response) => Promise<void>;
    let failure: unknown;

    beforeEach(async () => {
      failure = undefined;
      server = createServer((_, response) => {
        send(response as unknown as Response).catch((error: unknown) => {
          failure = error;
          response.destroy();
        });
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    });
    afterEach(() => server.close());
    const get = () => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);

    it('has a type, a name and all lines', async () => {
      await write(3);
      send = (response) => controller.export(caller(), query(), async () => undefined, response);

      const response = await get();

      expect((await response.text()).split('\n')).toHaveLength(4);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'application/x-ndjson; charset=utf-8',
        'content-disposition': `attachment; filename="audit-${tenant}.ndjson"`,
        'cache-control': 'no-store',
      });
    });

    it('breaks when a later piece fails, or when the process stops', async () => {
      const stopping = new AbortController();
      const file = { type: 'text/plain', name: 'f', stopping: stopping.signal };
      async function* failing() {
        yield 'first';
        await new Promise((resolve) => setTimeout(resolve, 50));
        throw new TypeError('no database');
      }
      send = (response) => sendDownload(response, file, failing());
      await expect(get().then((response) => response.text())).rejects.toThrow();
      expect(failure).toMatchObject({ message: 'no database' });

      async function* endless() {
        yield 'first';
        await new Promise(() => undefined);
      }
      send = (response) => sendDownload(response, file, endless());
      const text = get().then((response) => response.text());
      setTimeout(() => stopping.abort(), 50);
      await expect(text).rejects.toThrow();
    });
  });
});

describe('The filter of the audit', () => {
  const caller = (divisionScope: number | null) =>
    ({ tenantId: 7, caller: { holding: { divisionScope } } }) as unknown as ActingCaller;
  const near = (date: Date | undefined, expected: number): boolean => Math.abs(Number(date) - expected) < 60_000;

  it('is limited to the tenant, the division, the retention and one day ahead', () => {
    const filter = toAuditFilter(caller(3), new AuditExportQuery(), 90);

    expect(filter).toMatchObject({ tenantId: 7, scope: 3 });
    expect(near(filter.since, Date.now() - 90 * DAY_MS)).toBe(true);
    expect(near(filter.until, Date.now() + DAY_MS)).toBe(true);
    expect(toAuditFilter(caller(null), new AuditExportQuery(), 90).scope).toBeUndefined();
    expect(toAuditFilter(caller(null), new AuditExportQuery(), 1_000_000).since).toEqual(new Date(0));
  });

  it('takes moments within these limits, and every other filter', () => {
    const [from, to] = [new Date(Date.now() - DAY_MS), new Date(Date.now() - 1000)];
    const ids = { author: 0, api_key: 2, user: 3, division: 4, environment: 5, deployment: 6 };
    const given = { ...ids, types: ['role_created'], correlation_id: 'c', from, to };

    expect(toAuditFilter(caller(null), given, 90)).toMatchObject({
      ...ids,
      ...{ since: from, until: to, types: ['role_created'], correlationId: 'c' },
    });
    const wide = { from: new Date(0), to: new Date(Date.now() + 9 * DAY_MS) };
    const limited = toAuditFilter(caller(null), wide, 90);
    expect([near(limited.since, Date.now() - 90 * DAY_MS), near(limited.until, Date.now() + DAY_MS)]).toEqual([
      true,
      true,
    ]);
  });

  it.each([
    [{ types: 'role_created,role_deleted' }, []],
    [{ types: 'role_created,nonsense,other' }, ['"nonsense", "other" is not a type of GET /audit/types']],
    [{ author: '0', user: '1', correlation_id: '0'.repeat(32) }, []],
    [{ user: '0' }, ['user must not be less than 1']],
    [{ author: '-1' }, ['author must not be less than 0']],
    [{ correlation_id: 'x' }, ['must be a UUID or 32 hex characters']],
  ])('%j has the faults %j', (given, faults) => {
    const errors = validateSync(plainToInstance(AuditQuery, given));

    expect(errors.flatMap(({ constraints }) => Object.values(constraints ?? {}))).toEqual(faults);
  });

  it.each([
    [{}, []],
    [{ sequence: '1', hash: 'a'.repeat(64) }, []],
    [{ sequence: '1' }, ['hash']],
    [{ hash: 'A'.repeat(64) }, ['sequence']],
    [{ sequence: '0', hash: 'a'.repeat(63) }, ['sequence', 'hash']],
  ])('of a verification %j has faults in %j', (given, faults) => {
    const errors = validateSync(plainToInstance(VerificationQuery, given));

    expect(errors.map(({ property }) => property)).toEqual(faults);
  });
});

describe('An entry', () => {
  const row = {
    ...{ id: 1, created_at: new Date(0), type: 'role_created' as const, data: null, correlation_id: null },
    ...{ author_id: 2, author_name: 'Ann', api_key_id: null, api_key_name: null, user_id: null, user_name: null },
    ...{ division_id: 4, division_name: null, environment_id: null, environment_name: null },
    ...{ deployment_id: null, deployment_name: null },
  };

  it('has names beside ids, and no key without a key', () => {
    expect(toAuditEntryView(row)).toEqual({
      ...{ id: 1, type: 'role_created', name: AUDIT_TYPES.role_created, author: { id: 2, name: 'Ann' } },
      ...{ user: null, division: { id: 4, name: '' }, environment: null, deployment: null },
      ...{ data: null, correlation_id: null, timestamp: '1970-01-01T00:00:00.000Z' },
    });
    expect(toAuditEntryView({ ...row, api_key_id: 3, api_key_name: 'k' }).api_key).toEqual({ id: 3, name: 'k' });
    expect(toAuditEntryView({ ...row, type: 'newer' as never }).name).toBe('newer');
  });
});
