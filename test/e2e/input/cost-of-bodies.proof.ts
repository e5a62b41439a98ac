import { bodyMembers } from '../matrix/bodies.js';
import { hostileBodies } from '../matrix/hostile-bodies.js';
import { CELLS, prepare, type Call, type Cell } from '../matrix/routes.js';
import { World, type SignedIn } from '../matrix/world.js';
import { PATIENCE_OF_COSTS, ProcessorCost } from './processor-cost.js';

const KIB = 1024;
/** Half of the largest hostile body of a route, below the byte limit of the route. */
const halfOf = ({ access, path }: Cell): number =>
  (access.kind === 'public' ? 7 : path.includes('/configs/') ? 480 : 28) * KIB;

const writes = CELLS.filter(({ method }) => ['POST', 'PUT', 'PATCH'].includes(method));

/** No body may block a process. Tests each route with each kind of hostile body, and measures processor time. */
describe('A hostile body', () => {
  let world: World;
  let owner: SignedIn;

  beforeAll(async () => {
    world = await World.start();
    owner = await world.signedIn('owner');
  });
  afterAll(() => world.stop());

  const urlOf = (app: Cell['app']): string =>
    app === 'main-api' ? world.cloud.mainApi.url : world.cloud.supervisor.url;

  /** Sends the text as JSON; returns the status. */
  async function post({ app, access, method }: Cell, call: Call, text: string): Promise<number> {
    const base = urlOf(app);
    const session = access.kind === 'session_only' ? (call.who ?? owner).headers : { 'ld-api-key': world.cloud.key };
    const headers = { ...session, 'content-type': 'application/json' };
    const response = await fetch(`${base}${call.path}`, { method, headers, body: text });
    await response.arrayBuffer();
    return response.status;
  }

  it.each(writes.map((cell) => [cell.title, cell] as const))(
    'is refused at low cost at %s',
    async (_, cell) => {
      const call = await prepare(cell, world);
      const members = bodyMembers(cell);
      const wholes = hostileBodies(members, 2 * halfOf(cell));

      const statuses = await Promise.all(
        wholes.map(async ([kind, text]) => `${kind}: ${await post(cell, call, text)}`),
      );
      expect(statuses.filter((status) => !/: (400|413)$/.test(status))).toEqual([]);

      const cost = new ProcessorCost(urlOf(cell.app), (text) => post(cell, call, text));
      for (const [index, [kind, half]] of hostileBodies(members, halfOf(cell)).entries())
        expect({ kind, found: await cost.excess(half, wholes[index]?.[1] ?? '') }).toEqual({ kind, found: null });
    },
    PATIENCE_OF_COSTS,
  );
});
