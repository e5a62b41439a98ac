import { Injectable } from '@nestjs/common';
import { PrivateConnectionsRepository } from '@libs/persistence/runtime';
import { done, hop, nap, stepTable, type StepContext, type StepsOf, type Workflow } from '@libs/workflow';
import { DeploymentDestruction, DESTRUCTION_HELD } from '../deployment-destruction.js';
import { PrivateConnectionReports } from './private-connection-reports.js';
import { PrivateConnectionResources } from './private-connection-resources.js';
import { pollLater } from '../poll-later.js';
import { connectionOf, deploymentOf } from '../subject.js';

export const DELETE_PRIVATE_CONNECTION = stepTable({
  awaiting_quiet: { to: ['removing_connection'], deadline: '2m' },
  removing_connection: { to: [], deadline: '10m' },
});

/**
 * Destroys a private connection at its cloud, and then deletes its row. Never gives up: a problem causes an incident,
 * and the operation continues.
 */
@Injectable()
export class DeletePrivateConnection implements Workflow, StepsOf<typeof DELETE_PRIVATE_CONNECTION, StepContext> {
  readonly type = 'delete_private_connection';
  readonly table = DELETE_PRIVATE_CONNECTION;
  readonly steps = this as unknown as Workflow['steps'];

  constructor(
    private readonly connections: PrivateConnectionsRepository,
    private readonly connectionResources: PrivateConnectionResources,
    private readonly reports: PrivateConnectionReports,
    private readonly destruction: DeploymentDestruction,
  ) {}

  /**
   * A running creation of the same connection may be in its call to the provider. That call would create a resource
   * after the destruction, without a row. The creation finds the connection marked and ends before its next call.
   */
  async awaiting_quiet({ operation }: StepContext) {
    const isBusy = await this.connections.isBeingCreated(deploymentOf(operation), connectionOf(operation));
    return isBusy ? nap('1s', 'waits for the end of the creation') : hop('removing_connection');
  }

  /** Reads the resource before and after the destruction, so that a resource that was created late is also destroyed. */
  async removing_connection({ operation, signal }: StepContext) {
    const connection = await this.connections.get(connectionOf(operation));
    if (connection === null) return done();
    if (await this.destruction.isHeld()) return nap('10s', DESTRUCTION_HELD);
    let found = await this.connectionResources.find(connection, signal);
    if (found !== null && found.state !== 'deleting') {
      await this.connectionResources.destroy(connection, signal);
      found = await this.connectionResources.find(connection, signal);
    }
    if (found === null) {
      const forget = async (): Promise<void> => void (await this.reports.forget(connection, operation.trace_id));
      return done({ write: forget });
    }
    return pollLater([found], 'the provider deletes the connection');
  }
}
