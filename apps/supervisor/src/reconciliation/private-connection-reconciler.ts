import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import {
  PrivateConnectionsRepository,
  PrivateConsumersRepository,
  type PrivateConnection,
  type SeenConsumer,
} from '@libs/persistence/runtime';
import type { PrivateConnectionId } from '@libs/domain';
import { Reconciler } from '@libs/workflow';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';
import {
  consumersOf,
  isSettled,
  PrivateConnectionReports,
  PrivateConnectionResources,
  observationOf,
  type Placed,
  type PrivateResource,
} from '../lifecycle/index.js';

const PERIOD_MS = 2_000;
/** Age of an observation after which it is repeated. */
const LOOK_SECONDS = 4;
/** The pause while the cell has no private connection. */
const QUIET_MS = 10_000;
/**
 * Number of connections that are read together. A provider that does not answer delays at most one batch, for at most
 * one call.
 */
const BATCH = 25;
const CALL_TIMEOUT_MS = 10_000;

/** A connection and the provider's resource; null when the resource no longer exists. */
interface Look {
  connection: PrivateConnection;
  resource: PrivateResource | null;
}

/**
 * Keeps the row of a private connection equal to the provider's report. The other side accepts, rejects and connects at
 * any time, requests expire, and the owner of the account may delete resources, all without a notification. While a
 * provider is unavailable, nothing changes.
 */
@Injectable()
export class PrivateConnectionReconciler extends Reconciler {
  private readonly cell: string;
  private takenAt = Date.now();

  constructor(
    private readonly connections: PrivateConnectionsRepository,
    private readonly consumers: PrivateConsumersRepository,
    private readonly connectionResources: PrivateConnectionResources,
    private readonly reports: PrivateConnectionReports,
    @Inject(SUPERVISOR_CONFIG) config: SupervisorConfig,
  ) {
    super('PrivateConnections', PERIOD_MS);
    this.cell = config.SUPERVISOR_CELL;
  }

  protected async pass(stopping: AbortSignal): Promise<number> {
    let due: PrivateConnection[];
    do {
      due = await this.connections.takeDue(this.cell, LOOK_SECONDS, BATCH);
      if (due.length === 0) break;
      this.takenAt = Date.now();
      const placed = await this.connectionResources.placed(due);
      const looks = await Promise.all(placed.map((one) => this.look(one, stopping)));
      await this.writeDown(looks.filter((look) => look !== null));
    } while (due.length === BATCH && !stopping.aborted);
    // Each connection is due once in LOOK_SECONDS, so there is none.
    return Date.now() - this.takenAt > 3 * LOOK_SECONDS * 1000 ? QUIET_MS : PERIOD_MS;
  }

  private async look(placed: Placed<PrivateConnection>, stopping: AbortSignal): Promise<Look | null> {
    const { connection } = placed;
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(CALL_TIMEOUT_MS)]);
    try {
      return { connection, resource: await this.connectionResources.look(placed, signal) };
    } catch (error) {
      if (!stopping.aborted)
        this.logger.warn({ ...of(connection), error: String(error) }, 'private connection could not be looked at');
      return null;
    }
  }

  /** Runs one statement for all consumers, and one for each changed connection. */
  private async writeDown(looks: readonly Look[]): Promise<void> {
    const consumers = new Map<PrivateConnectionId, SeenConsumer[]>();
    for (const { connection, resource } of looks) {
      if (resource === null) await this.forget(connection);
      else await this.see(connection, resource);
      const reported = resource && consumersOf(resource);
      if (reported) consumers.set(connection.id, reported);
    }
    if (consumers.size > 0) await this.consumers.see(consumers);
  }

  private async see(connection: PrivateConnection, resource: PrivateResource): Promise<void> {
    // The creation has failed, and the provider has not reported a settled state yet. The stored reason is more useful.
    if (connection.status === 'failed' && !isSettled(resource)) return;
    const observation = observationOf(resource);
    const { status, reason, attributes } = connection;
    if (isDeepStrictEqual({ status, reason, attributes }, observation)) return;
    if (await this.reports.record(connection, resource, newTrace()))
      this.logger.log({ ...of(connection), from: status, to: observation.status }, 'private connection has changed');
  }

  /**
   * The resource was deleted at the provider. It existed at the last observation, and no creation runs: the creation
   * ended before this request to the provider. A row without any observation belongs to a failed creation and stays
   * because of its reason.
   */
  private async forget(connection: PrivateConnection): Promise<void> {
    if (connection.attributes === null) return;
    if (await this.reports.recordGone(connection, newTrace()))
      this.logger.warn(of(connection), 'private connection is gone at the provider');
  }
}

/** No request caused the change. */
const newTrace = (): string => randomBytes(16).toString('hex');

const of = ({ id, kind, deploymentId }: PrivateConnection) => ({ connection: id, kind, deployment: deploymentId });
