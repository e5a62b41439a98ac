// Deployments with nodes and registered agents. The repositories of production write their initial rows.
import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import { Database, dataSourceOptions, Secrets, statement } from '../../../dist/libs/persistence/src/index.js';
import {
  InitialRowsRepository,
  hashAgentSecret,
  NodeDocumentsRepository,
} from '../../../dist/libs/persistence/src/runtime/index.js';
import { nowMs } from './simulated-agent.mjs';

const NODES_OF_A_DEPLOYMENT = 3;
const CONNECTIONS = 6;

const DEPLOYMENTS = `insert into deployments (tenant_id, division_id, environment_id, name, code, variant, cloud, area, region, cell, tier,
  cluster, managed_tier, storage_type, storage_size, target_network_tput, network_scope, availability_mode, nodes_count, telemetry_days,
  monthly_compute, monthly_storage, pricing_version)
  select $1, $2, $3, 'bench-' || n, 'code' || n, 'managed', 'aws', 'us', 'us-east-1', 'bench', 'small', 'cluster', 'standard',
    'network_balanced', 100, 5000, 'same_region', 'single_az', 3, 14, 186.15, 36, '2026-11' from generate_series(1, $4::int) n returning id`;
const REGISTERED = `update nodes n set status = 'running', listen_address = '10.' || (n.id / 65536) || '.' || (n.id / 256 % 256) || '.' || (n.id % 256),
  credential_hash = r.hash, credential_confirmed = true, last_seen_at = now()
  from unnest($1::bigint[], $2::bytea[]) as r(id, hash) where n.id = r.id`;
const PORTS = `insert into node_ports (address, port, node_id, purpose) select n.listen_address, p.port, n.id, p.purpose
  from nodes n, (values (1883, 'tcp'), (8080, 'http'), (9001, 'websocket'), (7000, 'peer')) p(port, purpose)`;
const CHANGE_RULE = statement('bench.change_rule', 'update access_rules set cidr_blocks = $2 where deployment_id = $1');

/** The repositories of the supervisor in this process, and the calls that the bench makes. */
export class Population {
  #change = 0;

  static async open(world, agents) {
    const source = new DataSource(
      dataSourceOptions({
        databaseUrl: world.installation.role_urls.supervisor,
        secretKeys: world.secretKeys,
        applicationName: 'bench',
        poolSize: CONNECTIONS,
      }),
    );
    const population = new Population();
    population.source = await source.initialize();
    population.database = new Database(source);
    population.secrets = new Secrets(world.secretKeys);
    population.documents = new NodeDocumentsRepository(population.database, population.secrets);
    await population.#insert(world, agents);
    return population;
  }

  async #insert({ sql, url, secretKeys, installation: { tenant_id, division_id, environment_id } }, agents) {
    const count = Math.ceil(agents / NODES_OF_A_DEPLOYMENT);
    const { rows } = await sql.query(DEPLOYMENTS, [tenant_id, division_id, environment_id, count]);
    // The main API writes initial rows in its transaction, so this connection has the rights of both apps.
    const options = { databaseUrl: url, secretKeys, applicationName: 'bench-births', poolSize: CONNECTIONS };
    const source = await new DataSource(dataSourceOptions(options)).initialize();
    const database = new Database(source);
    const births = new InitialRowsRepository(database, this.secrets);
    this.deployments = [];
    await spread(rows, CONNECTIONS, async ({ id }, index) => {
      const size = Math.min(NODES_OF_A_DEPLOYMENT, agents - index * NODES_OF_A_DEPLOYMENT);
      const nodes = await nextNodeIds(sql, size);
      const birth = {
        cell: 'bench',
        runtimeVersion: '1.2.0',
        authorId: null,
        isOpenToAll: true,
        nodes: nodesOf(nodes),
      };
      await database.transaction(() => births.insert(Number(id), birth));
      this.deployments.push({ id: Number(id), nodes });
    });
    await source.destroy();
    // Rows are locked in the order of their ids, as in all code that locks several rows.
    this.deployments.sort((a, b) => a.nodes[0] - b.nodes[0]);
    this.agents = this.deployments
      .flatMap(({ nodes }) => nodes)
      .map((id) => ({ id, secret: randomBytes(24).toString('base64url'), epoch: 1 }));
    await sql.query(REGISTERED, [
      this.agents.map(({ id }) => id),
      this.agents.map(({ secret }) => hashAgentSecret(secret)),
    ]);
    await sql.query(PORTS);
    await sql.query(`update deployment_runtimes set status = 'initialized'`);
    await sql.query(
      'vacuum analyze nodes, node_ports, access_rules, deployment_runtimes, deployment_credentials, configs',
    );
    await spread(this.deployments, CONNECTIONS, (deployment) => this.change([deployment]));
    await sql.query('vacuum analyze node_documents');
    const { rows: published } = await sql.query('select node_id, timeline, generation, hash from node_documents');
    const byNode = new Map(published.map((document) => [Number(document.node_id), document]));
    for (const agent of this.agents) {
      const { timeline, generation, hash } = byNode.get(agent.id);
      Object.assign(agent, { timeline: Number(timeline), generation: Number(generation), hash });
    }
  }

  /**
   * Changes an access rule of each deployment and publishes all their documents, in one transaction; returns the time
   * before the commit.
   */
  async change(deployments) {
    let committedAt = 0;
    const trace = randomBytes(16).toString('hex');
    await this.database.transaction(async () => {
      for (const { id, nodes } of deployments) {
        this.#change = (this.#change + 1) % 65_536;
        const cidr = `172.16.${this.#change >> 8}.${this.#change & 255}/32`;
        await this.database.execute(CHANGE_RULE, [id, [cidr]]);
        for (const node of nodes) await this.documents.publish(node, trace);
      }
      committedAt = nowMs();
    });
    return committedAt;
  }

  async close() {
    await this.source.destroy();
  }
}

async function nextNodeIds(sql, size) {
  const { rows } = await sql.query(`select nextval('nodes_id_seq') as id from generate_series(1, $1::int)`, [size]);
  return rows.map(({ id }) => Number(id));
}

const nodesOf = (ids) =>
  ids.map((id, index) => ({
    id,
    ordinal: index + 1,
    name: `node-${index + 1}`,
    role: index === 0 ? 'leader' : 'follower',
    broker_driver: 'embedded',
    broker_version: '1.2.0',
    image_id: 'landlord-embedded-1.2.0',
    storage_type: 'network_balanced',
    storage_size: 100,
    variant: 'small',
    memory_mib: 4096,
  }));

/** Runs `work` for every item, with this many at once. */
export async function spread(items, concurrency, work) {
  let next = 0;
  const lane = async () => {
    while (next < items.length) {
      const index = next++;
      await work(items[index], index);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
}
