import { bodyMembers } from '../matrix/bodies.js';
import { hostileBodies } from '../matrix/hostile-bodies.js';
import { CELLS, prepare, type Call, type Cell } from '../matrix/routes.js';
import { World, type SignedIn } from '../matrix/world.js';

/** Requests of one sample: the clock of a process is too coarse for a single one. */
const REPEATS = 6;
const TRIES = 3;
/** A hostile body may cost so many times what parsing it costs. */
const MOST_TIMES_PARSING = 20;
/** A body of double size may cost so many times what the body costs. */
const MOST_WHEN_DOUBLED = 2.6;
/** Below this, garbage collection decides what a sample shows. */
const NOISE_SECONDS = 0.002;
const KIB = 1024;
/** Half of the largest hostile body of a route, below the limit of its bytes. */
const halfOf = ({ access, path }: Cell): number =>
  (access.kind === 'public' ? 7 : path.includes('/configs/') ? 480 : 28) * KIB;

const writes = CELLS.filter(({ method }) => ['POST', 'PUT', 'PATCH'].includes(method));

/** Nothing that a body holds may occupy a process: every route, every kind of hostile body, by the time of the processor. */
describe('A hostile body', () => {
  let world: World;
  let owner: SignedIn;

  beforeAll(async () => {
    world = await World.start();
    owner = await world.signedIn('owner');
  });
  afterAll(() => world.stop());

  /** Sends the text as JSON; the status. */
  async function post({ app, access, method }: Cell, call: Call, text: string): Promise<number> {
    const base = app === 'main-api' ? world.cloud.mainApi.url : world.cloud.supervisor.url;
    const session = access.kind === 'session_only' ? (call.who ?? owner).headers : { 'ld-api-key': world.cloud.key };
    const headers = { ...session, 'content-type': 'application/json' };
    const response = await fetch(`${base}${call.path}`, { method, headers, body: text });
    await response.arrayBuffer();
    return response.status;
  }

  /** Seconds of the processor that one such request takes the app. */
  async function costOf(cell: Cell, call: Call, text: string): Promise<number> {
    const before = await processorSeconds(cell.app);
    for (let sent = 0; sent < REPEATS; sent += 1) await post(cell, call, text);
    return ((await processorSeconds(cell.app)) - before) / REPEATS;
  }

  async function processorSeconds(app: Cell['app']): Promise<number> {
    const base = app === 'main-api' ? world.cloud.mainApi.url : world.cloud.supervisor.url;
    const text = await (await fetch(`${base}/metrics`)).text();
    return Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1]);
  }

  /** What is wrong with the cost of a kind of body; null when it is within its bounds. */
  async function excess(cell: Cell, call: Call, [half, whole]: readonly [string, string]): Promise<string | null> {
    // As many bytes, refused at the first of them: what they cost on their way is not what the judgement costs.
    const unread = await costOf(cell, call, 'x'.repeat(whole.length));
    const [atHalf, atWhole] = [await costOf(cell, call, half), await costOf(cell, call, whole)];
    const allowed = Math.max(NOISE_SECONDS, MOST_TIMES_PARSING * parsingSeconds(whole));
    if (atWhole - unread > allowed)
      return `${ms(atWhole - unread)} over a body that is no JSON, allowed are ${ms(allowed)}`;
    if (atWhole > Math.max(NOISE_SECONDS, MOST_WHEN_DOUBLED * atHalf))
      return `${ms(atHalf)}, and ${ms(atWhole)} for the double`;
    return null;
  }

  it.each(writes.map((cell) => [cell.title, cell] as const))('costs little and is refused at %s', async (_, cell) => {
    const call = await prepare(cell, world);
    const members = bodyMembers(cell);
    const wholes = hostileBodies(members, 2 * halfOf(cell));

    const statuses = await Promise.all(wholes.map(async ([kind, text]) => `${kind}: ${await post(cell, call, text)}`));
    expect(statuses.filter((status) => !/: (400|413)$/.test(status))).toEqual([]);

    for (const [index, [kind, half]] of hostileBodies(members, halfOf(cell)).entries()) {
      let found: string | null = '';
      for (let tried = 0; tried < TRIES && found !== null; tried += 1)
        found = await excess(cell, call, [half, wholes[index]?.[1] ?? '']);
      expect({ kind, found }).toEqual({ kind, found: null });
    }
  });
});

/** The best of three, in this process: the machine is the same. */
function parsingSeconds(text: string): number {
  const samples = [1, 2, 3].map(() => {
    const before = process.cpuUsage();
    for (let repeat = 0; repeat < REPEATS; repeat += 1) JSON.parse(text);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6 / REPEATS;
  });
  return Math.min(...samples);
}

const ms = (seconds: number): string => `${(seconds * 1000).toFixed(2)} ms`;
