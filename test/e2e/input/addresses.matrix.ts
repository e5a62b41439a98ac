import { CELLS, prepare, send, type Cell } from '../matrix/routes.js';
import { World, type SignedIn } from '../matrix/world.js';

const titled = (cells: Cell[]): [string, Cell][] => cells.map((cell) => [cell.title, cell]);
/** Probes, scrapers and links in mails add arbitrary members to the query. */
const ignoresQuery = ({ path }: Cell): boolean =>
  path === '/' || /^\/(console|guides|pages|health|metrics)\b/.test(path);
const isForAll = ({ path }: Cell): boolean => /^\/(pages\/assets|pricing|errors)\b/.test(path);
/** The page of the console has no data of anybody. Browsers ask whether it has changed. */
const isConsole = ({ path, row }: Cell): boolean => /^\/(console|guides)\b/.test(path) && row.status === 200;

function storageOf(cell: Cell): RegExp {
  if (isConsole(cell)) return /^no-cache$/;
  return isForAll(cell) ? /^public, / : /no-store/;
}

describe('The address of a request', () => {
  let world: World;
  let owner: SignedIn;
  beforeAll(async () => {
    world = await World.start();
    owner = await world.signedIn('owner');
  });
  afterAll(() => world.stop());

  async function ask(cell: Cell, query = '') {
    const call = await prepare(cell, world);
    const path = query && `${call.path}${call.path.includes('?') ? '&' : '?'}${query}`;
    const isSession = cell.access.kind === 'session_only';
    const key = isSession || cell.access.kind === 'public' ? null : world.cloud.key;
    return send(cell, world, { ...call, ...(path && { path }) }, key, isSession ? (call.who ?? owner).headers : {});
  }

  it.each(titled(CELLS.filter((cell) => !ignoresQuery(cell))))(
    'accepts no unknown query member at %s',
    async (_, cell) => {
      const answer = await ask(cell, 'colour=red');

      expect(answer).toBeProblem('validation_failed', { status: 400 });
      expect(answer.body.field_issues.map(({ path }: { path: string }) => path)).toContain('/colour');
    },
  );

  it.each(titled(CELLS.filter(ignoresQuery)))('accepts any query at %s', async (_, cell) => {
    expect((await ask(cell, 'utm_source=mail')).status).toBe(cell.row.status);
  });

  it.each(titled(CELLS))('forbids shared caches to store the answer of %s, unless it is public', async (_, cell) => {
    const answer = await ask(cell);

    expect(answer.status).toBe(cell.row.status);
    expect(answer.headers.get('cache-control')).toMatch(storageOf(cell));
  });
});
