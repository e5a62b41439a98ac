import { Inject, Injectable } from '@nestjs/common';
import { IncidentsRepository } from '@libs/persistence/platform';
import { RuntimesRepository } from '@libs/persistence/runtime';
import { Reconciler } from '@libs/workflow';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';

const PERIOD_MS = 30_000;
const LOST = 'feature_lost';

/**
 * Opens an incident for each deployment whose drivers no longer do what they did at its creation, for example after a start
 * without the broker program. Closes the incident when they do it again.
 */
@Injectable()
export class LostFeaturesReconciler extends Reconciler {
  private readonly cell: string;

  constructor(
    private readonly runtimes: RuntimesRepository,
    private readonly incidents: IncidentsRepository,
    @Inject(SUPERVISOR_CONFIG) config: SupervisorConfig,
  ) {
    super('LostFeatures', PERIOD_MS);
    this.cell = config.SUPERVISOR_CELL;
  }

  protected async pass(): Promise<void> {
    const lost = (await this.runtimes.lostFeatures(this.cell)).map(({ deploymentId, features }) => ({
      kind: LOST,
      subject: `${this.cell} deployment ${deploymentId}`,
      detail: `The drivers of the cell no longer do what the deployment was created with: ${features.join(', ')}.`,
    }));
    const subjects = lost.map(({ subject }) => subject);
    await this.incidents.closeOthers(LOST, `${this.cell} `, subjects);
    for (const incident of await this.incidents.open(lost)) this.logger.error(incident, 'incident opened');
  }
}
