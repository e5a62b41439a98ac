import { Injectable } from '@nestjs/common';
import { DomainError, type ConnectorCounts, type ConnectorInstanceId } from '@libs/domain';
import type { ActingCaller } from '@libs/http';
import { Ledger } from '@libs/ledger';
import {
  ConnectorInstancesRepository,
  NodeDocumentsRepository,
  RuntimesRepository,
  type ConnectorInstanceRow,
} from '@libs/persistence/runtime';
import { lockDeployment, requireAlive } from '../platform/index.js';
import type { ConnectorInstanceView, ConnectorMetricsView } from './dto/connector-instance.view.js';

/** Activated connectors of a deployment. The transaction of each change publishes it to all nodes. */
@Injectable()
export class ConnectorsService {
  constructor(
    private readonly instances: ConnectorInstancesRepository,
    private readonly runtimes: RuntimesRepository,
    private readonly documents: NodeDocumentsRepository,
    private readonly ledger: Ledger,
  ) {}

  async list({ deployment }: ActingCaller): Promise<ConnectorInstanceView[]> {
    const counts = await this.instances.counts(deployment.id);
    return (await this.instances.list(deployment.id)).map((row) => toView(row, counts.get(row.id)));
  }

  /** @throws DomainError connector_instance_not_found, state_conflict */
  async delete({ deployment, author, context, traceId }: ActingCaller, id: ConnectorInstanceId): Promise<void> {
    requireAlive(await lockDeployment(this.runtimes, deployment.id));
    const instance = await this.instances.delete(deployment.id, id);
    if (!instance) throw new DomainError('connector_instance_not_found', 'No such instance of a connector.');
    await this.documents.publishAll(deployment.id, traceId);
    const data = {
      connector_type: instance.type,
      connector_key: instance.plugin,
      instance_key: instance.key,
      instance_id: instance.id,
      version: instance.plugin_version,
    };
    await this.ledger.record({ audit: 'connector_deleted', author, context, data, traceId });
  }
}

const toView = (row: ConnectorInstanceRow, counts: ConnectorCounts | undefined): ConnectorInstanceView => ({
  id: row.id,
  deployment_id: row.deployment_id,
  connector_type: row.type,
  connector_key: row.plugin,
  name: row.name,
  key: row.key,
  status: row.status,
  status_reason: row.status_reason,
  status_since: row.status_since.toISOString(),
  version: row.plugin_version,
  config_id: row.config_id,
  metrics: counts ? toMetrics(counts) : null,
  created_at: row.created_at.toISOString(),
});

/** Only the known members: a node of a customer may send others. */
const toMetrics = ({ moved, failed, lag, dead_letters, dead_letters_dropped, last_error }: ConnectorCounts) =>
  ({ moved, failed, lag, dead_letters, dead_letters_dropped, last_error }) satisfies ConnectorMetricsView;
