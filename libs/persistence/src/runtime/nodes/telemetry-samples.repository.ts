import { Injectable } from '@nestjs/common';
import { METRIC_NAMES, type MetricValues, type NodeRuntime, type DeploymentId, type NodeId } from '@libs/domain';
import { statement, Database } from '../../database.js';

/** The reports of a node within one minute that are not stored yet. */
export interface NodeSample {
  deploymentId: DeploymentId;
  nodeId: NodeId;
  /** The start of the minute, ISO 8601. */
  minute: string;
  /** Number of reports. */
  beats: number;
  lastAt: Date;
  status: string;
  agentVersion: string;
  runtime: NodeRuntime;
  /** Values of the last report. */
  metrics: MetricValues;
  /** Values of the connectors. Empty or absent while the node has none. */
  connectors?: MetricValues;
}

const NAMES = METRIC_NAMES.join(', ');
const METRIC_ARRAYS = METRIC_NAMES.map((_, index) => `$${index + 9}::float8[]`).join(', ');
const NEWER = METRIC_NAMES.map((name) => `${name} = coalesce(excluded.${name}, m.${name})`).join(', ');

// All nodes in one statement. Skips deleted nodes, because no job would delete their rows.
const RECORD = statement(
  'telemetry_sample.record',
  `with sample as materialized (
     select s.* from unnest($1::bigint[], $2::bigint[], $3::timestamptz[], $4::int[], $5::timestamptz[], $6::text[], $7::text[],
                            $8::text[], ${METRIC_ARRAYS})
       as s(deployment_id, node_id, minute, beats, last_at, status, agent_version, runtime, ${NAMES})
       join nodes n on n.id = s.node_id order by s.node_id, s.minute
   ), beat as (
     insert into node_heartbeats as h (deployment_id, minute, node_id, beats, last_at, status, agent_version)
     select deployment_id, minute, node_id, beats, last_at, status, agent_version from sample
     on conflict (deployment_id, minute, node_id) do update
        set beats = h.beats + excluded.beats, last_at = greatest(h.last_at, excluded.last_at), status = excluded.status,
            agent_version = excluded.agent_version
   )
   insert into node_metrics as m (deployment_id, node_id, runtime, minute, ${NAMES})
   select deployment_id, node_id, runtime, minute, ${NAMES} from sample
   on conflict (deployment_id, node_id, runtime, minute) do update set ${NEWER}`,
);

const RECORD_METRICS = statement(
  'telemetry_sample.record_metrics',
  `insert into node_metrics as m (deployment_id, node_id, runtime, minute, ${NAMES})
   select s.* from unnest($1::bigint[], $2::bigint[], $3::text[], $4::timestamptz[],
                          ${METRIC_NAMES.map((_, index) => `$${index + 5}::float8[]`).join(', ')})
     as s(deployment_id, node_id, runtime, minute, ${NAMES})
     join nodes n on n.id = s.node_id order by s.node_id, s.minute
   on conflict (deployment_id, node_id, runtime, minute) do update set ${NEWER}`,
);

/** Stores heartbeats and metrics as they arrive. */
@Injectable()
export class TelemetrySamplesRepository {
  constructor(private readonly database: Database) {}

  /** Adds to existing rows of the same minutes. At most one sample per node and minute. */
  async record(samples: readonly NodeSample[]): Promise<void> {
    await this.database.execute(RECORD, [
      samples.map(({ deploymentId }) => deploymentId),
      samples.map(({ nodeId }) => nodeId),
      samples.map(({ minute }) => minute),
      samples.map(({ beats }) => beats),
      samples.map(({ lastAt }) => lastAt.toISOString()),
      samples.map(({ status }) => status),
      samples.map(({ agentVersion }) => agentVersion),
      samples.map(({ runtime }) => runtime),
      ...METRIC_NAMES.map((name) => samples.map(({ metrics }) => metrics[name] ?? null)),
    ]);
    await this.recordConnectors(samples.filter(({ connectors = {} }) => Object.keys(connectors).length > 0));
  }

  private async recordConnectors(samples: readonly NodeSample[]): Promise<void> {
    if (samples.length === 0) return;
    await this.database.execute(RECORD_METRICS, [
      samples.map(({ deploymentId }) => deploymentId),
      samples.map(({ nodeId }) => nodeId),
      samples.map(() => 'connectors' satisfies NodeRuntime),
      samples.map(({ minute }) => minute),
      ...METRIC_NAMES.map((name) => samples.map(({ connectors }) => connectors?.[name] ?? null)),
    ]);
  }
}
