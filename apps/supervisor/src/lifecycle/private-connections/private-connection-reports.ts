import { Injectable } from '@nestjs/common';
import { Database } from '@libs/persistence';
import {
  NodeDocumentsRepository,
  PrivateConnectionsRepository,
  type PrivateConnection,
} from '@libs/persistence/runtime';
import { GONE, observationOf, type PrivateResource } from './private-connection-observation.js';

/**
 * Stores what the provider reports of private connections. When an attachment puts the addresses of clients in front of connections,
 * the documents of all nodes contain its networks, from the first report that has them until the attachment is gone.
 */
@Injectable()
export class PrivateConnectionReports {
  constructor(
    private readonly database: Database,
    private readonly connections: PrivateConnectionsRepository,
    private readonly documents: NodeDocumentsRepository,
  ) {}

  /**
   * Stores the report, and publishes the documents in the same transaction. Returns true when the report changed the row.
   * @throws TransactionMisuse inside another transaction
   */
  async record(connection: PrivateConnection, resource: PrivateResource, traceId: string): Promise<boolean> {
    const store = () => this.connections.see(connection.id, observationOf(resource));
    if (!namesProxies(connection)) return store();
    return this.database.transaction(async () => {
      const hasChanged = await store();
      if (hasChanged) await this.documents.publishAll(connection.deploymentId, traceId);
      return hasChanged;
    });
  }

  /** Like `record`, for a connection that is gone at the provider. Returns true on the first call. */
  async recordGone(connection: PrivateConnection, traceId: string): Promise<boolean> {
    return this.database.transaction(() => this.forget(connection, traceId));
  }

  /** Like `recordGone`, inside the transaction of the caller. */
  async forget(connection: PrivateConnection, traceId: string): Promise<boolean> {
    const isForgotten = await this.connections.forget(connection.id, GONE[connection.kind]);
    if (isForgotten && namesProxies(connection)) await this.documents.publishAll(connection.deploymentId, traceId);
    return isForgotten;
  }
}

const namesProxies = ({ kind, spec }: PrivateConnection): boolean =>
  kind === 'service_attachment' && spec['enable_proxy_protocol'] === true;
