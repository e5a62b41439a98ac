import type { AuditType } from '@libs/domain';
import { strayMembers } from '../matrix/audit-shapes.js';
import { CELLS, prepare, send, type Cell } from '../matrix/routes.js';
import { World } from '../matrix/world.js';

interface Entry {
  id: number;
  type: AuditType;
  tenant_id: number;
  author_id: number;
  api_key_id: number | null;
  data: Record<string, unknown> | null;
  correlation_id: string;
}

const writes = CELLS.filter(({ audit }) => audit !== null);
/** The world of the matrix refuses some valid calls, because it has no nodes. */
const records = ({ audit, row }: Cell): boolean => (audit?.types ?? []).length > 0 && row.status < 400;
const recording = writes.filter(records);
const silent = writes.filter((cell) => !records(cell));
/** A request that signs up, or that has a session, acts without a key. */
const isByKey = ({ access, row }: Cell): boolean => access.kind !== 'public' && row.as === undefined;
/** The reader of a mail need not have an account. */
const isByReader = ({ path }: Cell): boolean => path.startsWith('/notifications/');
const titled = (cells: Cell[]): [string, Cell][] => cells.map((cell) => [cell.title, cell]);

/** Runs each route that is not a GET once with success. The rows are the rows of the isolation matrix. */
describe('The audit', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world.stop());

  const newest = async (): Promise<number> => {
    const [row] = await world.cloud.rows<{ id: string }>('select coalesce(max(id), 0) as id from audit_entries');
    return Number(row?.id);
  };
  const since = async (id: number): Promise<Entry[]> =>
    world.cloud.rows<Entry & Record<string, unknown>>('select * from audit_entries where id > $1 order by id', [id]);

  /** Calls the route once; returns the answer and the entries that it recorded. */
  async function once(cell: Cell) {
    const call = await prepare(cell, world);
    const before = await newest();
    const key = call.who ? null : world.cloud.key;
    const answer = await send(cell, world, call, key, call.who?.headers);
    expect(answer.status).toBe(cell.row.status);
    return { answer, entries: await since(before) };
  }

  it.each(titled(recording))('records one entry for %s, with its author, key, data and trace', async (_, cell) => {
    const { answer, entries } = await once(cell);
    const [entry] = entries;

    expect(entries).toHaveLength(1);
    expect(cell.audit?.types).toContain(entry?.type);
    expect(entry?.correlation_id.replaceAll('-', '')).toBe(answer.headers.get('ld-request'));
    const { tenant_id, author_id, api_key_id } = entry as Entry;
    const [caller] = await world.cloud.rows(
      `select tenant_id::int, user_id::int as author_id, id::int as api_key_id from api_keys where name = 'bootstrap'`,
    );
    if (isByKey(cell)) expect({ tenant_id, author_id, api_key_id }).toEqual(caller);
    else expect([author_id === null, api_key_id]).toEqual([isByReader(cell), null]);
    expect(strayMembers(entry?.type as AuditType, entry?.data ?? {})).toEqual([]);
  });

  it.each(
    titled(
      recording.filter(
        ({ method, title }) =>
          method === 'PUT' &&
          // The contract gives the entry of an activation its members, and no more. An offer changes nothing until it
          // is accepted.
          !/(assign|revoke|accept|reject|approve|request_code|password_reset|activate\/:version|tenant_id\/owner)$/.test(
            title,
          ),
      ),
    ),
  )('records the previous state for %s', async (_, cell) => {
    const { entries } = await once(cell);

    expect(Object.keys((entries[0]?.data?.['previous'] as object | undefined) ?? {})).not.toEqual([]);
  });

  it.each(titled(silent))('records nothing for %s, which changes nothing', async (_, cell) => {
    expect((await once(cell)).entries).toEqual([]);
  });
});
