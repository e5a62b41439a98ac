import { Injectable } from '@nestjs/common';
import type { NodeDocument, NodeSpec, DeploymentId, NodeId } from '@libs/domain';
import { statement, Database } from '../../database.js';
import type { NumberedRow } from '../../statement-batcher.js';
import type { SecretLocation } from '../../sealed-columns.js';
import { Secrets } from '../../secrets.js';
import { canonicalJson, composeSpec, hashSpec, type SpecRows } from './node-spec.js';
import { openSecrets } from './opened-secrets.js';

const ROWS = statement(
  'document.rows',
  `select n.id as node_id, n.deployment_id, n.name, n.ordinal, n.epoch, n.broker_driver, n.broker_version, r.status,
          (n.drained_at is not null or n.stopped_at is not null or n.held_at is not null) as is_stopped, n.restarts, n.memory_mib, n.storage_size, n.listen_address, c.username, c.password, c.next_password, c.previous_password,
          to_char(c.previous_until at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as previous_until, n.credentials_version, n.credentials_version > c.version as has_next_password, r.peer_secret, r.rate_limit_bytes, r.data_key, r.restore_source,
          (select s.data_key from deployment_runtimes s where s.deployment_id = r.restore_source) as source_key,
          (select s.peer_secret from deployment_runtimes s where s.deployment_id = r.restore_source) as source_secret,
          k.id as config_id, k.name as config_name, k.version as config_version, k.config_values,
          (select count(*)::int from nodes s where s.deployment_id = n.deployment_id) as nodes_count,
          coalesce((select jsonb_object_agg(p.purpose, p.port) from node_ports p where p.node_id = n.id), '{}') as ports,
          (select jsonb_build_object('address', coalesce(l.private_ip, l.listen_address), 'port', p.port) from nodes l
             join node_ports p on p.node_id = l.id and p.purpose = 'peer'
            where l.deployment_id = n.deployment_id and l.ordinal = 1) as leader,
          coalesce((select jsonb_agg(jsonb_build_object('host', coalesce(o.private_ip, o.listen_address), 'port', p.port) order by o.ordinal) from nodes o
             join node_ports p on p.node_id = o.id and p.purpose = 'peer'
            where o.deployment_id = n.deployment_id and o.id <> n.id), '[]') as peers,
          case when n.broker_driver = 'iggy' then
            (select case when count(*) > 1 then jsonb_agg(jsonb_build_object('name', o.name, 'host', coalesce(o.private_ip, o.listen_address),
                      'client_host', coalesce(o.public_ip, o.private_ip, o.listen_address),
                      'ports', jsonb_build_object('tcp', t.port, 'http', h.port, 'peer', p.port)) order by o.ordinal) end
               from nodes o
               join node_ports p on p.node_id = o.id and p.purpose = 'peer'
               join node_ports t on t.node_id = o.id and t.purpose = 'tcp'
               join node_ports h on h.node_id = o.id and h.purpose = 'http'
              where o.deployment_id = n.deployment_id) end as members,
          coalesce((select jsonb_agg(jsonb_build_object('id', a.id, 'cidr_blocks', a.cidr_blocks, 'rules', a.rules,
                      'valid_to', to_char(a.valid_to at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by a.id)
                      from access_rules a where a.deployment_id = n.deployment_id), '[]') as rules,
          array(select distinct range from private_connections p, jsonb_array_elements_text(p.attributes -> 'nat_ranges') as range
                 where p.deployment_id = n.deployment_id and p.kind = 'service_attachment' and p.deleted_at is null
                   and p.spec @> '{"enable_proxy_protocol": true}' order by range) as proxies,
          coalesce((select jsonb_agg(jsonb_build_object('id', o.id, 'kind', o.kind, 'parts', o.parts, 'options', o.options) order by o.id)
                      from node_orders o where o.node_id = n.id), '[]') as orders,
          (select jsonb_build_object('serial', t.serial, 'certificate', t.certificate, 'private_key', t.private_key)
             from deployment_certificates t where t.deployment_id = n.deployment_id and t.status in ('next', 'active')
            order by t.status = 'next' desc limit 1) as certs,
          n.connectors_stopped_at is not null as connectors_stopped, n.connector_restarts,
          (select jsonb_agg(jsonb_build_object('instance_id', i.id, 'key', i.key, 'name', i.name, 'type', i.type, 'plugin', i.plugin,
                    'plugin_version', i.plugin_version, 'config_id', f.id, 'config_version', f.version, 'config_kind', f.kind,
                    'config_values', f.config_values) order by i.id)
             from connector_instances i join configs f on f.id = i.config_id where i.deployment_id = n.deployment_id) as connectors
     from nodes n
     join deployment_runtimes r on r.deployment_id = n.deployment_id
     join deployment_credentials c on c.deployment_id = n.deployment_id
     join configs k on k.deployment_id = n.deployment_id and k.kind = 'broker'
      and case when n.config_id is null then k.is_primary else k.id = n.config_id end
    where n.id = any($1::bigint[]) and n.listen_address is not null order by n.id`,
);

// Two changes can publish at once. A transaction that waits here reads the rows with a separate statement afterwards, so it
// sees the committed rows of the first. With a lock inside ROWS it would see the old rows. The lock is not a row lock, because
// heartbeats must not wait.
const LOCK = statement(
  'document.lock',
  `select pg_advisory_xact_lock(hashtextextended('landlord.document ' || $1::bigint, 0))`,
);
// In the order of ids. All code that locks several documents uses this order.
const LOCK_ALL = statement(
  'document.lock_all',
  `select id, pg_advisory_xact_lock(hashtextextended('landlord.document ' || id, 0)) as locked
     from (select id from nodes where deployment_id = $1 order by id) as n`,
);

// Compares the hash: rows that give the same document publish nothing.
const PUBLISH = statement(
  'document.publish',
  `insert into node_documents as d (node_id, timeline, generation, hash, spec, trace_id)
   select p.node_id, (select timeline from installation), 1, p.hash, p.spec, $4
     from unnest($1::bigint[], $2::text[], $3::text[]) as p(node_id, hash, spec) order by p.node_id
   on conflict (node_id) do update
     set timeline = excluded.timeline, generation = d.generation + 1, hash = excluded.hash, spec = excluded.spec, published_at = now(),
         trace_id = excluded.trace_id
     where d.hash <> excluded.hash or d.timeline <> excluded.timeline
   returning pg_notify('landlord_documents', d.node_id::text)`,
);

// A change of many nodes wakes their agents at once, so lookups share the statement.
const FIND = statement(
  'document.find',
  `select i.n, d.timeline, d.generation, d.hash, d.spec, d.trace_id, n.epoch
     from unnest($1::bigint[], $2::bigint[], $3::bigint[]) with ordinality as i(node_id, timeline, generation, n)
     join node_documents d on d.node_id = i.node_id and (d.timeline, d.generation) > (i.timeline, i.generation)
     join nodes n on n.id = d.node_id`,
);

// A node that should be stopped counts as converged when its status is `stopped`.
const WANTED = `case when n.stopped_at is null and n.drained_at is null and n.held_at is null then 'running' else 'stopped' end`;
const SERVES = statement(
  'document.serves',
  `select n.observed_timeline = d.timeline and n.observed_generation = d.generation and n.status = ${WANTED} as serves
     from nodes n join node_documents d on d.node_id = n.id where n.id = $1`,
);

const STATES = statement(
  'document.states',
  `select n.id, n.observed_timeline = d.timeline and n.observed_generation = d.generation as "isApplied", n.status = ${WANTED} as "isAsWanted"
     from nodes n join node_documents d on d.node_id = n.id where n.deployment_id = $1`,
);

const CONVERGED = statement(
  'document.converged',
  `select count(*) filter (where n.observed_timeline = d.timeline and n.observed_generation = d.generation)::int as converged,
          count(*) filter (where n.observed_timeline = d.timeline and n.observed_generation = d.generation and n.status = ${WANTED})::int as serving,
          count(*) filter (where n.last_seen_at is not null)::int as seen, count(*)::int as nodes,
          (array_agg(n.name || ': ' || n.status_reason order by n.id)
             filter (where n.status = 'failed' and n.status_reason is not null))[1] as trouble
     from nodes n left join node_documents d on d.node_id = n.id where n.deployment_id = $1`,
);

/**
 * Number of nodes of a deployment: all; that reported; that applied their newest document; of those, the ones in the wanted
 * state (serving clients, or stopped by a user).
 */
export interface Convergence {
  nodes: number;
  seen: number;
  converged: number;
  serving: number;
  /** The name of the first failed node, and why it failed. Null when no node has failed. */
  trouble: string | null;
}

/** How many nodes serve, and why a failed one does not, for people. */
export const inService = ({ nodes, serving, trouble }: Convergence): string =>
  `${serving} of ${nodes} nodes are in service${trouble === null ? '' : `; ${trouble}`}`;

const locationOf = (nodeId: NodeId): SecretLocation => ({ table: 'node_documents', column: 'spec', row: nodeId });

type StoredDocument = NumberedRow &
  Omit<NodeDocument, 'node_id' | 'spec' | 'trace_id'> & { spec: string; trace_id: string };

/** The document that an agent has. */
export type Held = Pick<NodeDocument, 'timeline' | 'generation'>;

/** Older than every document. */
const NOTHING: Held = { timeline: -1, generation: -1 };

/** The desired state of nodes. Only `publish` writes it, in the transaction of the change. */
@Injectable()
export class NodeDocumentsRepository {
  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
  ) {}

  /**
   * Composes the document of the node again. Publishes it under the trace of the change when it differs. Returns true when it
   * was published.
   */
  async publish(nodeId: NodeId, traceId: string): Promise<boolean> {
    await this.database.execute(LOCK, [nodeId]);
    return (await this.publishLocked([nodeId], traceId)) === 1;
  }

  /**
   * Like `publish` for all nodes of the deployment, with the same number of statements. Returns the number of published
   * documents.
   */
  async publishAll(deploymentId: DeploymentId, traceId: string): Promise<number> {
    const nodes = await this.database.query<{ id: NodeId }>(LOCK_ALL, [deploymentId]);
    return this.publishLocked(
      nodes.map(({ id }) => id),
      traceId,
    );
  }

  private async publishLocked(nodeIds: NodeId[], traceId: string): Promise<number> {
    const rows = await this.database.query<SpecRows>(ROWS, [nodeIds]);
    const specs = rows.map((row) => ({ id: row.node_id, spec: composeSpec(row, openSecrets(this.secrets, row)) }));
    const hashes = specs.map(({ spec }) => hashSpec(spec));
    const sealed = specs.map(({ id, spec }) => this.secrets.seal(locationOf(id), canonicalJson(spec)));
    return this.database.execute(PUBLISH, [specs.map(({ id }) => id), hashes, sealed, traceId]);
  }

  /**
   * The document for the agent. Null before the first one, and when the agent has the newest one: then nothing is opened. A
   * restored database starts a higher timeline, in which generations start again.
   */
  async find(nodeId: NodeId, version: Held = NOTHING): Promise<NodeDocument | null> {
    const row = await this.database.batched<StoredDocument>(FIND, [nodeId, version.timeline, version.generation]);
    if (!row) return null;
    const { timeline, generation, hash, epoch, trace_id } = row;
    const spec = JSON.parse(this.secrets.open(locationOf(nodeId), row.spec)) as NodeSpec;
    return { node_id: nodeId, timeline, generation, hash, epoch, trace_id, spec };
  }

  /** Whether the node has applied its newest document and serves clients with it, or is stopped on request of a user. */
  async serves(nodeId: NodeId): Promise<boolean> {
    const [row] = await this.database.query<{ serves: boolean }>(SERVES, [nodeId]);
    return row?.serves ?? false;
  }

  /** Ids of the nodes for which `serves` is true. */
  async servingNodes(deploymentId: DeploymentId): Promise<NodeId[]> {
    const states = await this.states(deploymentId);
    return states.filter(({ isApplied, isAsWanted }) => isApplied && isAsWanted).map(({ id }) => id);
  }

  /** Ids of the nodes that have not applied their newest document. */
  async nodesBehind(deploymentId: DeploymentId): Promise<NodeId[]> {
    return (await this.states(deploymentId)).filter(({ isApplied }) => !isApplied).map(({ id }) => id);
  }

  private states(deploymentId: DeploymentId): Promise<{ id: NodeId; isApplied: boolean; isAsWanted: boolean }[]> {
    return this.database.query(STATES, [deploymentId]);
  }

  /** The convergence of the nodes of a deployment. */
  async convergence(deploymentId: DeploymentId): Promise<Convergence> {
    const [row] = await this.database.query<Convergence>(CONVERGED, [deploymentId]);
    return row ?? { nodes: 0, seen: 0, converged: 0, serving: 0, trouble: null };
  }
}
