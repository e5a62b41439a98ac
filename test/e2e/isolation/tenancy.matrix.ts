import { randomBytes } from 'node:crypto';
import { PAGINATED } from '@libs/http';
import { eventually, EventStream, given, linesOf, readPdf, type ApiAnswer } from '@libs/testing';
import { bodyMembers, type BodyMember } from '../matrix/bodies.js';
import { CELLS, filledPath, prepare, send, type Call, type Cell } from '../matrix/routes.js';
import { World, type SignedIn } from '../matrix/world.js';

const titled = (cells: Cell[]): [string, Cell][] => cells.map((cell) => [cell.title, cell]);
/** Routes of one organization, for a key or for the session of a member. */
const ofTenants = CELLS.filter(({ access, row }) => access.kind !== 'public' && row.as !== 'user');
/** The ids in a path; the last one names a resource below the tenant. */
const idsOf = ({ path }: Cell): string[] => [...path.matchAll(/:(\w+_id)/g)].map(([, name = '']) => name);
const ownChild = (cell: Cell): string | undefined => idsOf(cell).findLast((name) => name !== 'tenant_id');

/** A free text: the schema has no format, pattern or list of values. */
const isFreeText = ({ schema }: BodyMember): boolean =>
  [schema.type].flat().includes('string') && !('enum' in schema) && !('format' in schema) && !('pattern' in schema);
const FREE = ['description', 'remarks', 'reference', 'company', 'purchase_order', 'line_1', 'city'];

/**
 * The other organization has one resource of each kind, and each text in it contains a unique word. No answer to our
 * own callers contains the word, and our own paths reach nothing of that organization.
 */
describe('A resource of another organization', () => {
  const word = `canary${randomBytes(6).toString('hex')}`;
  let world: World;
  let theirs: World;
  let callers: [name: string, key: string | null, headers: object][];
  let owner: SignedIn;
  /** For each route, the ids of one resource of the other organization. */
  const foreign = new Map<string, Record<string, string | number>>();

  beforeAll(async () => {
    world = await World.start();
    theirs = await world.ofOtherTenant(word);
    await world.cloud.rows('update tenants set name = $1, description = $1, email = $2 where id = $3', [
      `${word} organization`,
      `${word}@people.example`,
      theirs.cloud.installation.tenant_id,
    ]);
    owner = await world.signedIn('owner');
    const { division_id: divisionId } = world.cloud.installation;
    const viewer = { tenant: ['info:read'], environment: ['deployment:read'] };
    callers = [
      ['the owner', world.cloud.key, {}],
      ['a scoped key', await given.key(world.cloud, { divisionId }), {}],
      ['a viewer', await given.key(world.cloud, { permissions: viewer as object }), {}],
      ['a session', null, owner.headers],
    ];
  });
  afterAll(() => world.stop());

  const theirHeaders = async ({ access, row }: Cell): Promise<[string | null, object]> =>
    access.kind === 'session_only' && row.as === 'owner'
      ? [null, (await theirs.signedIn('owner')).headers]
      : [theirs.cloud.key, {}];

  it.each(titled(ofTenants))('is created by %s', async (_, cell) => {
    const call = await prepare(cell, theirs);
    foreign.set(cell.title, call.ids);
    const [key, headers] = await theirHeaders(cell);

    const answer = await send(cell, theirs, withWord(cell, call, word), key, headers);

    expect(answer.status < 400 ? '' : answer.body?.detail).toBe(cell.row.status < 400 ? '' : answer.body?.detail);
    expect(answer.status).toBe(cell.row.status);
  });

  it('has the word in every table with text of an organization', async () => {
    const found = await tablesWith(world, word);

    expect(found).toEqual(expect.arrayContaining(TABLES_WITH_TEXT));
  });

  it.each(titled(CELLS))('is in no answer of %s', async (_, cell) => {
    const call = widened(cell, await prepare(cell, world));
    // A write consumes the resources prepared for it, so only the owner sends writes.
    for (const [name, key, headers] of cell.method === 'GET' ? callers : callers.slice(0, 1)) {
      const answer = await send(cell, world, call, cell.access.kind === 'session_only' ? null : key, {
        ...(cell.access.kind === 'session_only' ? (call.who ?? owner).headers : headers),
      });

      expect({ name, text: textOf(answer) }).toEqual({ name, text: expect.not.stringContaining(word) });
    }
  });

  it.each(titled(ofTenants.filter(ownChild)))('is not found below our own path of %s', async (_, cell) => {
    const call = await prepare(cell, world);
    const name = ownChild(cell) ?? '';
    const path = filledPath(cell.path, { ...call.ids, [name]: foreign.get(cell.title)?.[name] ?? 0 });
    const before = await traces(world, theirs);
    const isSession = cell.access.kind === 'session_only';

    const answer = await send(
      cell,
      world,
      { ...call, path },
      isSession ? null : world.cloud.key,
      isSession ? (call.who ?? owner).headers : {},
    );

    expect(answer).toBeProblem(`${name.replace(/_id$/, '')}_not_found`, { status: 404 });
    expect(textOf(answer)).not.toContain(word);
    expect(await traces(world, theirs)).toEqual(before);
  });

  it('is in no line of our invoices, and in the lines of the other organization', async () => {
    const cell = CELLS.find(({ path }) => path.endsWith('/pdf')) as Cell;
    const printed = async (of: World): Promise<string> => {
      const { path } = await prepare(cell, of);
      const answer = await fetch(`${of.cloud.mainApi.url}${path}`, { headers: { 'ld-api-key': of.cloud.key } });
      return readPdf(Buffer.from(await answer.arrayBuffer()))
        .flatMap(linesOf)
        .join('\n');
    };

    expect(await printed(theirs)).toContain(word);
    const ours = await printed(world);
    expect(ours).toContain('made-');
    expect(ours).not.toContain(word);
  });

  it('is in no event of our streams', async () => {
    const { cloud } = world;
    const places = await Promise.all([theirs, world].map(async (of) => ({ of, id: await of.servingDeployment() })));
    const operations = await Promise.all(places.map(async ({ id }) => operationOf(world, id)));
    const [, { id: ours }] = places as [unknown, { id: number }];
    const operation = `${cloud.tenant}/operations/${operations[1]}/events`;
    const streams = [
      new EventStream(`${cloud.supervisor.url}/deployments/${ours}/logs/stream`, cloud.key),
      new EventStream(`${cloud.supervisor.url}${operation}`, cloud.key, '0'),
      new EventStream(`${cloud.mainApi.url}${operation}`, cloud.key, '0'),
    ];
    await eventually('the streams are open', async () => streams.every(({ status }) => status === 200));

    // The event of the other organization comes first: a leaked event would arrive before ours.
    for (const [place, { of, id }] of places.entries()) {
      const text = `${of === theirs ? word : 'ours'} happened`;
      await cloud.rows(
        `insert into node_logs (deployment_id, node_id, at, runtime, level, message) values ($1, $2, now(), 'broker', 'info', $3)`,
        [id, await of.nodeOf(id), text],
      );
      await cloud.rows(
        `with moved as (update operations set event_seq = event_seq + 1 where id = $1 returning id, event_seq, step)
         insert into operation_events (operation_id, seq, event, step, status, attempt, detail)
         select id, event_seq, 'waiting', step, 'running', 0, $2 from moved`,
        [operations[place], text],
      );
    }

    await eventually('our own events have come', async () =>
      streams.every(({ events }) => JSON.stringify(events).includes('ours happened')),
    );
    for (const stream of streams) {
      stream.close();
      expect(JSON.stringify(stream.events)).not.toContain(word);
    }
  });

  it('is in no mail to our users', async () => {
    const { owner_email } = world.cloud.installation;
    const mails = await world.cloud.rows<{ text: string }>(
      `select subject || body || coalesce(html, '') as text from mails where recipient = $1 or recipient like 'made-%'`,
      [owner_email],
    );

    expect(mails.length).toBeGreaterThan(0);
    expect(mails.filter(({ text }) => text.includes(word))).toEqual([]);
  });
});

/** The operation that created a deployment. Its row is set to running, so its stream stays open. */
async function operationOf({ cloud }: World, deployment: number): Promise<number> {
  const [row] = await cloud.rows<{ id: string }>(
    `update operations set status = 'running', finished_at = null, lease_until = now() + interval '1 hour'
      where deployment_id = $1 returning id`,
    [deployment],
  );
  return Number(row?.id);
}

/** Tables that must contain the texts of the other organization. Without these rows the test would check nothing. */
const TABLES_WITH_TEXT = [
  ...['api_keys', 'audit_entries', 'cloud_accounts', 'deployments', 'divisions', 'environments', 'invitations'],
  ...['notification_channels', 'outbox', 'roles', 'tenants', 'users', 'access_rules', 'backups', 'mails'],
];

/** Names of the tables with rows that contain the word. */
async function tablesWith({ cloud }: World, word: string): Promise<string[]> {
  const tables = await cloud.rows<{ name: string }>(
    `select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  );
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const [row] = await cloud.rows<{ has: boolean }>(
        `select exists(select 1 from ${name} as whole where whole::text like '%' || $1 || '%') as has`,
        [word],
      );
      return row?.has ? [name] : [];
    }),
  );
  return found.flat();
}

/** Traces of a change in the other organization: the number of its audit entries. */
async function traces({ cloud }: World, theirs: World): Promise<unknown> {
  return cloud.rows('select count(*)::int as entries from audit_entries where tenant_id = $1', [
    theirs.cloud.installation.tenant_id,
  ]);
}

/** A list returns the ten newest items unless the request sets `results`. */
const widened = ({ handler }: Cell, call: Call): Call =>
  Reflect.getMetadata(PAGINATED, handler)
    ? { ...call, path: `${call.path}${call.path.includes('?') ? '&' : '?'}results=100` }
    : call;

/** The call with the word in each free text at the first level of the body. */
function withWord(cell: Cell, call: Call, word: string): Call {
  const texts = bodyMembers(cell)
    .filter((member) => member.path.length === 1 && isFreeText(member))
    .map(({ path: [name = ''] }) => name)
    .filter((name) => FREE.includes(name));
  if (!call.body || texts.length === 0) return call;
  return { ...call, body: { ...call.body, ...Object.fromEntries(texts.map((name) => [name, `${word} ${name}`])) } };
}

const textOf = ({ headers, body }: ApiAnswer): string => JSON.stringify([[...headers], body]);
