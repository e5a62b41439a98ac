import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Ledger, type FoundEvent } from '@libs/ledger';
import { Database } from '@libs/persistence';
import {
  ConnectorInstancesRepository,
  RuntimesRepository,
  type ConnectorAlarm,
  type DeploymentFacts,
} from '@libs/persistence/runtime';
import { Reconciler } from '@libs/workflow';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';
import { contextOf } from '../platform/index.js';

const PERIOD_MS = 5_000;

/**
 * Tells the channels that connectors have failed or work again. A failure that ends within seconds is not told. Safe in any
 * number of processes: each instance is taken by one.
 */
@Injectable()
export class ConnectorAlarmsReconciler extends Reconciler {
  private readonly cell: string;

  constructor(
    private readonly database: Database,
    private readonly instances: ConnectorInstancesRepository,
    private readonly runtimes: RuntimesRepository,
    private readonly ledger: Ledger,
    @Inject(SUPERVISOR_CONFIG) config: SupervisorConfig,
  ) {
    super('ConnectorAlarms', PERIOD_MS);
    this.cell = config.SUPERVISOR_CELL;
  }

  protected async pass(): Promise<void> {
    await this.database.transaction(async () => {
      await this.announce(await this.instances.takeAlarms(this.cell));
    });
  }

  private async announce(alarms: readonly ConnectorAlarm[]): Promise<void> {
    if (alarms.length === 0) return;
    const facts = await this.runtimes.factsOf(alarms.map(({ deploymentId }) => deploymentId));
    await this.ledger.announceOnce(
      alarms.flatMap((alarm) => {
        const deployment = facts.get(alarm.deploymentId);
        return deployment ? [toFound(deployment, alarm)] : [];
      }),
    );
  }
}

/** No request caused the event, so a new trace starts here. */
function toFound(facts: DeploymentFacts, { id, isFailed, since, ...alarm }: ConnectorAlarm): FoundEvent {
  const { key, name, type, plugin, reason } = alarm;
  return {
    event: {
      type: isFailed ? 'connector_failed' : 'connector_recovered',
      key: `connector_${isFailed ? 'failed' : 'recovered'}:${id}:${since.getTime()}`,
      subject: `Connector ${key} of ${facts.name} ${isFailed ? 'has failed' : 'works again'}`,
      data: { instance_id: id, key, name, connector: `${type}:${plugin}`, reason: isFailed ? reason : null },
    },
    context: contextOf(facts),
    traceId: randomBytes(16).toString('hex'),
  };
}
