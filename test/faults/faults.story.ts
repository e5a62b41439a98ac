import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BROKER_OF_THE_RUN, REDIS_SERVER, SeededRandom, type TestQueue } from '@libs/testing';
import { keepEvidence } from './evidence.js';
import { FaultCloud } from './fault-cloud.js';
import { FAULTS, OF_CALLS, possibleFaults, type FaultName } from './faults.js';
import { comesToRest, findBroken, InvariantBroken } from './invariants.js';
import { WRITES_NUMBERS, writeNumbers } from './numbered-messages.js';
import { freshPromise, type Promised } from './promised.js';
import { Stories } from './stories/stories.js';

const ROUNDS = Number(process.env['FAULTS_ROUNDS'] ?? 5);
const KILLED: FaultName[] = ['kill_agent', 'kill_supervisor', 'restart_postgres'];
/** With FAULTS_KILLS or FAULTS_CALLS only these faults, one per round; by default up to three of all faults per round. */
const ONE_EACH: readonly FaultName[] | null =
  process.env['FAULTS_KILLS'] === 'true' ? KILLED : process.env['FAULTS_CALLS'] === 'true' ? OF_CALLS : null;
/** The one scenario that is repeated; by default all scenarios. */
const ONLY = process.env['FAULTS_STORY'];
const SEED = Number(process.env['FAULTS_SEED'] ?? Date.now() % 1_000_000);
const OF_BROKER = BROKER_OF_THE_RUN === 'embedded' ? '' : ` --broker ${BROKER_OF_THE_RUN}`;
const QUEUES: TestQueue[] = ['postgres', ...(REDIS_SERVER ? (['redis'] as const) : []), 'off'];
/** A round that takes longer is stuck. */
const ROUND_MS = 300_000;
const LATEST_FAULT_MS = 2_500;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const queueOf = (round: number): TestQueue => QUEUES[Math.floor((round * QUEUES.length) / ROUNDS)] ?? 'postgres';

/** Random scenarios under random faults. After each round the cloud must have kept all its promises. */
describe('Under random faults a cloud keeps its promises', () => {
  const random = new SeededRandom(SEED);
  const tally = new Map<string, number>();
  const seconds: number[] = [];
  let hurt: FaultCloud | undefined;
  let stories: Stories;
  let queue: TestQueue | undefined;

  beforeAll(() =>
    say(
      `seed ${SEED}, ${ROUNDS} rounds; again: npm run faults -- ${ONLY ? `--story ${ONLY} ` : ''}--rounds ${ROUNDS} --seed ${SEED}${OF_BROKER}`,
    ),
  );
  afterAll(async () => {
    await hurt?.stop();
    tell(tally, seconds);
  });

  const cloudFor = async (wanted: TestQueue): Promise<FaultCloud> => {
    if (hurt && queue === wanted) return hurt;
    await hurt?.stop();
    queue = wanted;
    hurt = await FaultCloud.start(wanted);
    stories = new Stories(hurt, random, ONLY);
    if (!hurt.disk) say('the disk is not filled: this user may not mount one');
    return hurt;
  };

  it.each(Array.from({ length: ROUNDS }, (_, round) => round))(
    'round %i',
    async (round) => {
      const cloud = await cloudFor(queueOf(round));
      const begun = performance.now();
      const story = stories.choose();
      const names = ONE_EACH
        ? [ONE_EACH[round % ONE_EACH.length] as FaultName]
        : chooseFaults(random, possibleFaults(cloud));
      const faults = names.map(async (name) => {
        // The calls for the resources of a scenario come first.
        if (ONE_EACH !== OF_CALLS) await delay(random.between(0, LATEST_FAULT_MS));
        return (await FAULTS[name](cloud, random)) === false ? `${name} (too late)` : name;
      });

      const applied: string[] = [];
      const title = `round ${round} (queue ${queue}): ${story.name} under ${names.join(', ')}`;
      try {
        const [, ...done] = await Promise.all([playAndWrite(cloud, story, stories.living), ...faults]);
        applied.push(...done);
        await cloud.heal();
        await comesToRest(cloud);
        const broken = await findBroken(cloud, stories.promised);
        if (broken.length > 0) throw new InvariantBroken(broken.join('\n'));
      } catch (error) {
        say(`${title}: BROKEN. ${String(error)}\n  evidence in ${await keepEvidence(cloud, SEED, round)}`);
        // The next round starts with a new cloud, so one fault is reported once.
        queue = undefined;
        throw error;
      }
      seconds.push((performance.now() - begun) / 1000);
      for (const name of [...applied, story.name]) tally.set(name, (tally.get(name) ?? 0) + 1);
      say(`${title}: ${seconds.at(-1)?.toFixed(1)} s`);
    },
    ROUND_MS,
  );

  it(
    'and the checks detect broken promises',
    async () => {
      const cloud = await cloudFor(queueOf(ROUNDS - 1));
      const ghost = freshPromise({ id: 999_999, name: 'ghost', isCluster: false });
      ghost.privateConnections = [{ id: 999_999, kind: 'vpc_peering', status: 'active' }];
      const sql = (text: string): Promise<unknown> => cloud.cloud.rows(text);
      await sql(`insert into outbox (event_key, type, tenant_id, deployment_id, subject, data, trace_id)
                 select 'twice', type, tenant_id, deployment_id, subject, data, trace_id from outbox
                  where type = 'deployment_created' limit 1`);
      await sql(
        `begin; set local session_replication_role = replica;
         update metering_intervals set shape = null where id = (select min(id) from metering_intervals); commit`,
      );
      await sql(`insert into private_connections (deployment_id, cell, kind, name, spec, status)
                 select min(id), 'local', 'vpc_peering', 'ghost', '{}', 'active' from deployments`);
      await mkdir(join(cloud.cloud.directory, 'nodes', '987654'), { recursive: true });

      const broken = (await findBroken(cloud, [...stories.promised, ghost])).join('\n');

      expect(broken).toContain('ghost answers 404, deleted: false');
      expect(broken).toMatch(/deployments for \d+ promises/);
      expect(broken).toContain('was recorded 2 times, not 1');
      expect(broken).toMatch(/is charged 0\/\d times/);
      expect(broken).toMatch(/the provider has .* for .*vpc-peering/);
      expect(broken).toContain('vpc_peering 999999 of ghost is missing, not active');
      expect(broken).toContain('987654 for nodes');
    },
    ROUND_MS,
  );
});

/** Clients write to all deployments meanwhile, but not to one that a restore sets back. */
async function playAndWrite(
  { cloud }: FaultCloud,
  story: { name: string; play: () => Promise<void> },
  living: readonly Promised[],
): Promise<void> {
  const end = story.play();
  const open = WRITES_NUMBERS && story.name !== 'restore' ? living.filter(({ hasMessage }) => hasMessage) : [];
  await Promise.all([end, ...open.map((one) => writeNumbers(cloud, one, end))]);
}

function chooseFaults(random: SeededRandom, possible: readonly FaultName[]): FaultName[] {
  const count = 1 + Math.floor(random.next() * 3);
  return [...new Set(Array.from({ length: count }, () => random.pick(possible)))];
}

function tell(tally: ReadonlyMap<string, number>, seconds: readonly number[]): void {
  const sorted = [...seconds].sort((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1);
  const total = sorted.reduce((sum, one) => sum + one, 0);
  say(
    `\n${sorted.length} rounds in ${(total / 60).toFixed(1)} min; a round: median ${at(0.5)} s, p95 ${at(0.95)} s, longest ${at(1)} s`,
  );
  for (const [what, times] of [...tally].sort(([, a], [, b]) => b - a)) say(`  ${what.padEnd(18)} ${times}`);
}
