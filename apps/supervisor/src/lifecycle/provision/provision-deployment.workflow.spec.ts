import type { ResourceSpecs } from '@libs/cloud';
import { OPERATIONS } from '@libs/domain';
import { NodeDocumentsRepository, NodesRepository } from '@libs/persistence/runtime';
import { stepSuites, WorkflowBench, type Around } from '@libs/testing';
import { LifecycleFixture } from '../../../test/lifecycle.fixture.js';
import { PROVISION_DEPLOYMENT } from './provision-deployment.workflow.js';

/** `restoring` is only for a deployment that is created from a backup. */
const STEPS = Object.keys(PROVISION_DEPLOYMENT).filter((step) => !['releasing_resources', 'restoring'].includes(step));
const UNDOABLE = STEPS.filter((step) => step !== 'initialized');
const NODES = 3;

describe('provision_deployment', () => {
  let bench: WorkflowBench;

  beforeAll(async () => {
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());

  const begin = async () => {
    const fixture = await LifecycleFixture.ordered(bench, NODES);
    const operation = await fixture.start('provision_deployment');
    return {
      drive: (around: Around) =>
        bench.drive(
          operation,
          () => bench.runner([fixture.workflows.provision], around),
          () => fixture.agentsReport(),
        ),
      expectDone: async () => {
        expect(await fixture.status()).toBe('initialized');
        expect(new Set(fixture.cloud.creations).size).toBe(fixture.cloud.creations.length);
        expect(kinds(fixture)).toMatchObject({
          node: NODES,
          network: 1,
          firewall: 1,
          load_balancer: 1,
          address: NODES,
        });
        expect(await fixture.recorded()).toEqual({
          audit: ['deployment_initialized'],
          events: ['deployment_initialized'],
        });
        const metered = await bench.rows('select shape from metering_intervals where deployment_id = $1', [
          fixture.deploymentId,
        ]);
        expect(metered).toHaveLength(1);
      },
      expectUndone: async () => {
        expect(await fixture.status()).toBe('failed');
        expect(fixture.cloud.resources.size).toBe(0);
        expect(await fixture.recorded()).toEqual({
          audit: ['operation_failed'],
          events: ['deployment_operation_failed'],
        });
        const [row] = await bench.rows<{ reason: string }>('select reason from operations where id = $1', [operation]);
        expect(row?.reason).toBe('not today');
      },
    };
  };

  stepSuites('provision_deployment', begin, STEPS, UNDOABLE);

  it('starts at the step in the catalogue of operations, and shows each step as the status', async () => {
    const fixture = await LifecycleFixture.ordered(bench, 1);
    const operation = await fixture.start('provision_deployment');
    const seen: string[] = [];

    await bench.drive(
      operation,
      () => bench.runner([fixture.workflows.provision]),
      async () => {
        seen.push(await fixture.status());
        await fixture.agentsReport();
      },
    );

    expect(STEPS[0]).toBe(OPERATIONS.provision_deployment.firstStep);
    expect(STEPS).toHaveLength(OPERATIONS.provision_deployment.steps);
    expect(seen.every((status) => STEPS.includes(status))).toBe(true);
  });

  it('says which node does not start, and why, while it waits for the nodes', async () => {
    const fixture = await LifecycleFixture.ordered(bench, NODES);
    const operation = await fixture.start('provision_deployment');
    const reasons = new Set<string | null>();
    let reports = 0;

    await bench.drive(
      operation,
      () => bench.runner([fixture.workflows.provision]),
      async () => {
        await fixture.agentsReport();
        const isWaiting = (await fixture.status()) === 'bootstrapping_agent';
        if (isWaiting && reports++ === 0)
          await bench.rows(
            `update nodes set status = 'failed', status_reason = 'a library is missing' where deployment_id = $1 and ordinal = 2`,
            [fixture.deploymentId],
          );
        const [row] = await bench.rows<{ reason: string | null }>('select reason from operations where id = $1', [
          operation,
        ]);
        reasons.add(row?.reason ?? null);
      },
    );

    expect(reasons).toContain('2 of 3 nodes are in service; node-2: a library is missing');
    expect(await fixture.status()).toBe('initialized');
  });

  it('gives all nodes one certificate, and the same one when the step runs again', async () => {
    const fixture = await LifecycleFixture.ordered(bench, NODES);
    const operation = await fixture.start('provision_deployment');

    let deaths = 0;

    await bench.drive(
      operation,
      () =>
        bench.runner([fixture.workflows.provision], async (step, run, die) => {
          const result = await run();
          if (step === 'configuring_certificates' && deaths++ === 0) die();
          return result;
        }),
      () => fixture.agentsReport(),
    );

    const documents = new NodeDocumentsRepository(bench.database, bench.secrets);
    const nodes = await new NodesRepository(bench.database).list(fixture.deploymentId);
    const shown = await Promise.all(nodes.map(async ({ id }) => (await documents.find(id))?.spec.certs?.certificate));
    const issued = await bench.rows(
      'select certificate, status from deployment_certificates where deployment_id = $1',
      [fixture.deploymentId],
    );
    expect(issued).toEqual([{ certificate: expect.stringContaining('BEGIN CERTIFICATE'), status: 'active' }]);
    expect(shown).toEqual(nodes.map(() => (issued[0] as { certificate: string }).certificate));
  });

  it.each([
    [true, 'internet'],
    [false, 'internal'],
  ])('leads each port of clients to its node, and opens it in the firewall (public: %s)', async (isPublic, scheme) => {
    const fixture = await LifecycleFixture.ordered(bench, NODES);
    const { deploymentId: id, cloud } = fixture;
    await bench.rows('update deployments set public_ip_enabled = $2, subdomain_enabled = $2 where id = $1', [
      id,
      isPublic,
    ]);
    const operation = await fixture.start('provision_deployment');
    await bench.drive(
      operation,
      () => bench.runner([fixture.workflows.provision]),
      () => fixture.agentsReport(),
    );
    const nodes = await new NodesRepository(bench.database).list(id);
    const clients = nodes.flatMap((node) =>
      [node.ports.tcp, node.ports.http, node.ports.websocket].map((port) => ({ node, port })),
    );

    expect(cloud.specs.get(`ld-test-${id}-load-balancer`)).toEqual({
      ...{ region: 'us-east-1', network: `ld-test-${id}-network`, scheme },
      listeners: clients.map(({ node, port }) => ({
        ...{ port, target_port: port, protocol: 'tcp', targets: [`ld-test-${id}-node-${node.id}`] },
        health_check_port: node.ports.tcp,
      })),
    });
    const { ingress } = cloud.specs.get(`ld-test-${id}-firewall`) as ResourceSpecs['firewall'];
    expect(ingress).toEqual(
      expect.arrayContaining([...clients.map(({ port }) => ({ protocol: 'tcp', port, cidrs: ['0.0.0.0/0', '::/0'] }))]),
    );
    expect(ingress).toHaveLength(clients.length);
  });

  it('gives nodes with their own addresses the same ports, so that one listener leads to all of them', async () => {
    const fixture = await LifecycleFixture.ordered(bench, NODES);
    const { deploymentId: id, cloud } = fixture;
    cloud.addresses = 'own';
    const operation = await fixture.start('provision_deployment');
    await bench.drive(
      operation,
      () => bench.runner([fixture.workflows.provision]),
      () => fixture.agentsReport(),
    );
    const nodes = await new NodesRepository(bench.database).list(id);
    const targets = nodes.map((node) => `ld-test-${id}-node-${node.id}`);

    const { listeners } = cloud.specs.get(`ld-test-${id}-load-balancer`) as ResourceSpecs['load_balancer'];
    expect(listeners).toEqual(
      [31_000, 31_001, 31_002].map((port) => ({
        ...{ port, target_port: port, protocol: 'tcp', targets, health_check_port: 31_000 },
      })),
    );
    expect(nodes.map(({ ports }) => ports.peer)).toEqual([31_004, undefined, undefined]);
    expect(nodes.map(({ listen_address: address }) => address)).toEqual(Array(NODES).fill('0.0.0.0'));
  });

  it('creates no load balancer for private nodes with their own addresses, and its name leads to all of them', async () => {
    const fixture = await LifecycleFixture.ordered(bench, NODES);
    const { deploymentId: id, cloud, dns } = fixture;
    cloud.addresses = 'own';
    const ensure = cloud.ensure.bind(cloud);
    cloud.ensure = async (kind, ...asked) => {
      const made = await ensure(kind, ...asked);
      const [{ name }] = asked;
      return kind === 'node' ? { ...made, attributes: { ...made.attributes, private_ip: addressOf(name) } } : made;
    };
    await bench.rows('update deployments set public_ip_enabled = false where id = $1', [id]);
    const operation = await fixture.start('provision_deployment');
    const seen = new Set<string>();

    await bench.drive(
      operation,
      () =>
        bench.runner([fixture.workflows.provision], (step, run) => {
          seen.add(step);
          return run();
        }),
      () => fixture.agentsReport(),
    );

    expect(kinds(fixture)).toEqual({ network: 1, firewall: 1, node: NODES });
    expect([...seen]).toEqual(STEPS);
    const nodes = await new NodesRepository(bench.database).list(id);
    const [name] = dns.names.values();
    expect(name?.target).toEqual(nodes.map((node) => addressOf(`ld-test-${id}-node-${node.id}`)));
    expect(await bench.rows('select load_balancer from deployment_runtimes where deployment_id = $1', [id])).toEqual([
      { load_balancer: null },
    ]);
  });

  it('gives every node its own ports once', async () => {
    const fixture = await LifecycleFixture.ordered(bench, NODES);
    const operation = await fixture.start('provision_deployment');
    await bench.drive(
      operation,
      () => bench.runner([fixture.workflows.provision]),
      () => fixture.agentsReport(),
    );

    const ports = await bench.rows<{ port: number; purpose: string }>(
      'select port, purpose from node_ports p join nodes n on n.id = p.node_id where n.deployment_id = $1',
      [fixture.deploymentId],
    );

    expect(ports).toHaveLength(NODES * 3 + 1);
    expect(new Set(ports.map(({ port }) => port)).size).toBe(ports.length);
    expect(ports.filter(({ purpose }) => purpose === 'peer')).toHaveLength(1);
  });
});

/** Another private address for each node. */
const addressOf = (node: string): string => `10.0.0.${Number(node.split('-').at(-1)) % 250}`;

function kinds({ cloud }: LifecycleFixture): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of cloud.resources.values()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
