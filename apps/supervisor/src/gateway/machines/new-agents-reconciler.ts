import { Inject, Injectable } from '@nestjs/common';
import { AgentRolloutsRepository } from '@libs/persistence/runtime';
import { Reconciler } from '@libs/workflow';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../../config.js';
import { ArtifactFiles } from '../artifacts/artifact-files.js';

const PERIOD_MS = 5_000;

/** Begins the roll-out of the agents that the manifest names, once for each program. Only the gateway has the manifest. */
@Injectable()
export class NewAgentsReconciler extends Reconciler {
  private readonly cell: string;

  constructor(
    private readonly artifacts: ArtifactFiles,
    private readonly rollouts: AgentRolloutsRepository,
    @Inject(SUPERVISOR_CONFIG) config: SupervisorConfig,
  ) {
    super('NewAgents', PERIOD_MS);
    this.cell = config.SUPERVISOR_CELL;
  }

  protected async pass(): Promise<void> {
    // The bundle of the agents is the same for all processors.
    const agent = await this.artifacts.find('agent', 'x64');
    if (agent !== null) await this.rollouts.begin(this.cell, agent.sha256);
  }
}
