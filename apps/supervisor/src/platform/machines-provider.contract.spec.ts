import { randomUUID } from 'node:crypto';
import { setInterval } from 'node:timers/promises';
import { MachinesProvider } from '@libs/cloud';
import { MachinePlacementRepository, MachineResourcesRepository } from '@libs/persistence/runtime';
import { WorkflowBench } from '@libs/testing';
import { providesAsPromised, TAGS, type CloudSetup } from '../../../../libs/cloud/test/provider.contract.fixture.js';
import { joinedMachine } from '../../test/joined-machine.fixture.js';
import { LifecycleFixture } from '../../test/lifecycle.fixture.js';

const NOT_HERE = 'every call is one transaction in the database of Landlord';

describe('the driver machines fulfils the contract of the port', () => {
  let bench: WorkflowBench;
  beforeAll(async () => {
    bench = await WorkflowBench.open();
    // The resources belong to deployment 7 and node 1.
    while ((await LifecycleFixture.ordered(bench, 1)).deploymentId < TAGS.deployment_id);
    await bench.rows('create table made (kind text, name text)');
    await bench.rows(`
      create function note_made() returns trigger language plpgsql as
      $$ begin insert into made values (coalesce(to_jsonb(new) ->> 'kind', 'node'), new.name); return new; end $$`);
    for (const table of ['machine_nodes', 'machine_resources'])
      await bench.rows(`create trigger made after insert on ${table} for each row execute function note_made()`);
  });
  afterAll(() => bench.close());

  async function setup(): Promise<CloudSetup> {
    const cell = randomUUID();
    await joinedMachine(bench, { cell, region: 'us-east-1', zone: 'a' });
    const agent = machineAgent();
    return {
      driver: () =>
        new MachinesProvider(
          new MachinePlacementRepository(bench.database, cell),
          new MachineResourcesRepository(bench.database),
          TAGS.installation,
        ),
      count: async (kind, name) => {
        const [found] = await bench.rows<{ made: number; left: number }>(
          `select (select count(*)::int from made where kind = $1 and name = $2) as made,
                  (select count(*)::int from machine_resources where kind = $1 and name = $2)
                  + (select count(*)::int from machine_nodes where 'node' = $1 and name = $2) as left`,
          [kind, name],
        );
        return found ?? { made: 0, left: 0 };
      },
      stop: async () => {
        await agent.stop();
        for (const table of ['machine_resources', 'machine_nodes', 'made']) await bench.rows(`delete from ${table}`);
      },
    };
  }

  /** Reports every node as its machine would. */
  function machineAgent(): { stop: () => Promise<void> } {
    const end = new AbortController();
    const running = (async () => {
      const ticks = setInterval(10, null, { signal: end.signal });
      while (!(await ticks.next()).done) {
        await bench.rows(`update machine_nodes set state = 'active' where intent = 'present' and state = 'pending'`);
        await bench.rows(`delete from machine_nodes where intent = 'absent'`);
      }
    })().catch((error: unknown) => {
      if (!end.signal.aborted) throw error;
    });
    return {
      stop: () => {
        end.abort();
        return running;
      },
    };
  }

  providesAsPromised({
    make: setup,
    // A node ends when its machine reports so, which takes no time here. See machine-placement.spec.ts.
    endAtOnce: ['node', 'network', 'firewall', 'address', 'load_balancer'],
    lacks: ['vpc_peering', 'network_peering', 'endpoint_service', 'service_attachment', 'restored_volume', 'snapshot'],
    cannot: { loseNextReply: NOT_HERE, throttle: NOT_HERE, failHalfway: NOT_HERE, hideNew: NOT_HERE },
  });
});
