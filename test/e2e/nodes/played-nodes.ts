import { NodeAgentsRepository } from '@libs/persistence/runtime';
import { PlayedNode, type TestCloud } from '@libs/testing';

/**
 * A deployment with id 1 whose nodes the test plays: its runtime row names another cell, so no worker of this cell
 * handles it.
 */
export async function playedDeployment(cloud: TestCloud): Promise<void> {
  await cloud.rows(
    `insert into deployments (tenant_id, division_id, environment_id, name, code, variant, cloud, area, region, cell, tier, cluster,
       storage_type, storage_size, target_network_tput, network_scope, availability_mode, nodes_count, telemetry_days,
       monthly_compute, monthly_storage, pricing_version)
     values (1, 1, 1, 'played', 'played22', 'managed', 'aws', 'us', 'us-east-1', 'local', 'small', 'cluster', 'network_balanced',
       100, 1, 'same_region', 'single_az', 1, 14, 0, 0, '2026-11')`,
  );
  await cloud.rows(
    `insert into deployment_runtimes (deployment_id, cell, status, peer_secret) values (1, 'elsewhere', 'creating', '')`,
  );
}

let ordinal = 0;

/** A node of this deployment, and the token for the registration of its agent. */
export async function newNode(cloud: TestCloud): Promise<{ node: number; token: string }> {
  const [row] = await cloud.rows<{ id: string }>(
    `insert into nodes (deployment_id, ordinal, name, role, broker_driver, broker_version, image_id, storage_type, storage_size)
     values (1, $1, 'n', 'leader', 'embedded', '1.2.0', 'i', 'network_balanced', 100) returning id`,
    [(ordinal += 1)],
  );
  const node = Number(row?.id);
  const token = await cloud.asSupervisor(async (database, secrets) => {
    const agents = new NodeAgentsRepository(database, secrets);
    await agents.issueToken(node);
    return agents.renewedToken(node);
  });
  return { node, token };
}

/** Registers this many nodes that the test plays. */
export async function playedNodes(cloud: TestCloud, count: number): Promise<PlayedNode[]> {
  const gateway = `http://127.0.0.1:${cloud.supervisorEnv['GATEWAY_PORT']}`;
  const nodes: PlayedNode[] = [];
  for (let index = 0; index < count; index += 1) {
    const { node, token } = await newNode(cloud);
    nodes.push(await PlayedNode.register(gateway, node, token));
  }
  return nodes;
}
