import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import { Database } from '@libs/persistence';
import {
  PrivateConnectionsRepository,
  PrivateConsumersRepository,
  type PrivateConnection,
  type SeenConsumer,
} from '@libs/persistence/runtime';
import { Reconciler } from '@libs/workflow';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';
import {
  consumersOf,
  GONE,
  isSettled,
  PrivateConnectionResources,
  observationOf,
  type PrivateResource,
} from '../lifecycle/index.js';

const PERIOD_MS = 2_000;
/** How old a look may be before somebody looks again. */
const LOOK_SECONDS = 4;
/** Looked at together: a provider that does not answer holds up so many at most, for no longer than a call. */
const BATCH = 25;
const CALL_TIMEOUT_MS = 10_000;

/** A connection, and what the provider answered: null when it is gone there. */
interface Look {
  connection: PrivateConnection;
  resource: PrivateResource | null;
}

/**
 * Standing truth: the record of a private connection says what its provider says. The other side accepts, rejects, lets
 * expire and connects when it wants to, and whoever owns the account may delete: nobody tells us. A provider that is away
 * leaves everything as it was.
 */
@Injectable()
export class PrivateConnectionReconciler extends Reconciler {
  private readonly connections: PrivateConnectionsRepository;
  private readonly consumers: PrivateConsumersRepository;
  private readonly cell: string;

  constructor(
    database: Database,
    private readonly privateConnections: PrivateConnectionResources,
    @Inject(SUPERVISOR_CONFIG) config: SupervisorConfig,
  ) {
    super('PrivateConnections', PERIOD_MS);
    this.connections = new PrivateConnectionsRepository(database);
    this.consumers = new PrivateConsumersRepository(database);
    this.cell = config.SUPERVISOR_CELL;
  }

  protected async pass(stopping: AbortSignal): Promise<void> {
    let taken: PrivateConnection[];
    do {
      taken = await this.connections.takeDue(this.cell, LOOK_SECONDS, BATCH);
      const looks = await Promise.all(taken.map((connection) => this.look(connection, stopping)));
      await this.writeDown(looks.filter((look) => look !== null));
    } while (taken.length === BATCH && !stopping.aborted);
  }

  private async look(connection: PrivateConnection, stopping: AbortSignal): Promise<Look | null> {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(CALL_TIMEOUT_MS)]);
    try {
      return { connection, resource: await this.privateConnections.find(connection, signal) };
    } catch (error) {
      if (!stopping.aborted)
        this.logger.warn({ ...of(connection), error: String(error) }, 'private connection could not be looked at');
      return null;
    }
  }

  /** One statement for all consumers, and one for each connection that is not as it was. */
  private async writeDown(looks: readonly Look[]): Promise<void> {
    const consumers = new Map<number, SeenConsumer[]>();
    for (const { connection, resource } of looks) {
      if (resource === null) await this.forget(connection);
      else await this.see(connection, resource);
      const seen = resource && consumersOf(resource);
      if (seen) consumers.set(connection.id, seen);
    }
    if (consumers.size > 0) await this.consumers.see(consumers);
  }

  private async see(connection: PrivateConnection, resource: PrivateResource): Promise<void> {
    // Its creation was given up, and the provider still has not said anything that would be better to know.
    if (connection.status === 'failed' && !isSettled(resource)) return;
    const observation = observationOf(resource);
    const { status, reason, attributes } = connection;
    if (isDeepStrictEqual({ status, reason, attributes }, observation)) return;
    if (await this.connections.see(connection.id, observation))
      this.logger.log({ ...of(connection), from: status, to: observation.status }, 'private connection has changed');
  }

  /**
   * Somebody deleted it at the provider. It was there when it was last seen, and nobody makes it again: its creation had ended
   * before the provider was asked. What was never seen there is the record of a failed creation, and stays to tell why.
   */
  private async forget(connection: PrivateConnection): Promise<void> {
    if (connection.attributes === null) return;
    if (await this.connections.forget(connection.id, GONE[connection.kind]))
      this.logger.warn(of(connection), 'private connection is gone at the provider');
  }
}

const of = ({ id, kind, deploymentId }: PrivateConnection) => ({ connection: id, kind, deployment: deploymentId });
