import { Logger } from '@nestjs/common';
import { WorkflowBench, type FakeCloud } from '@libs/testing';
import type { SupervisorConfig } from '../config.js';
import { LifecycleFixture } from '../../test/lifecycle.fixture.js';
import { PrivateConnectionFixture } from '../../test/private-connection.fixture.js';
import { PrivateConnectionResources } from '../lifecycle/private-connections/private-connection-resources.js';
import { CloudProviders } from '../platform/cloud-providers.js';
import { Installation } from '../platform/installation.js';
import { UnknownResourcesSweeper } from './unknown-resources-sweeper.js';

class Sweeper extends UnknownResourcesSweeper {
  once(): Promise<void> {
    return this.pass(new AbortController().signal);
  }
}

describe('The sweeper for unknown resources', () => {
  let bench: WorkflowBench;
  beforeAll(async () => {
    Logger.overrideLogger(false);
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());

  const sweeperOf = (cloud: FakeCloud): Sweeper => {
    const providers = new CloudProviders(new Map([['aws', cloud]]));
    const installation = new Installation('test');
    const doors = new PrivateConnectionResources(providers, installation);
    const config = { NODE_UNREACHABLE_SECONDS: 120 } as unknown as SupervisorConfig;
    return new Sweeper(bench.database, providers, installation, doors, config);
  };
  const open = async (): Promise<string[]> =>
    (
      await bench.rows<{ subject: string }>(
        `select subject from incidents where kind = 'unknown_resource' and closed_at is null order by id`,
      )
    ).map(({ subject }) => subject);

  it('knows a private connection by its row, and reports what has none though its deployment lives', async () => {
    const house = await LifecycleFixture.ordered(bench, 1);
    const kept = await PrivateConnectionFixture.made(bench, 'vpc_peering', house);
    const leaving = await PrivateConnectionFixture.made(bench, 'endpoint_service', house);
    await leaving.connections.markDeleting(leaving.id, 'deleting');
    const lost = await PrivateConnectionFixture.made(bench, 'service_attachment', house);
    await lost.connections.forget(lost.id, 'closed');
    const sweeper = sweeperOf(house.cloud);

    await sweeper.once();
    const atFirst = await open();
    await sweeper.once();

    expect(atFirst).toEqual([]);
    expect(await open()).toEqual([`local service_attachment ${lost.resource}`]);
    expect([...house.cloud.resources.keys()]).toContain(lost.resource);
    expect(kept.resource).not.toBe(lost.resource);
  });
});
