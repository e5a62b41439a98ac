import { Inject, Injectable, Logger } from '@nestjs/common';
import { BROKER_DRIVERS, type BrokerDriver, type MachinePrograms, type Processor } from '@libs/domain';
import { AgentRolloutsRepository } from '@libs/persistence/runtime';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../../config.js';
import { ArtifactFiles } from '../artifacts/artifact-files.js';
import { Refused } from '../refused.js';

const MISSING_RETRY_SECONDS = 30;

/** The programs of machines, from the manifest of the artifacts. */
@Injectable()
export class MachineProgramFiles {
  private readonly logger = new Logger('Gateway');

  private readonly cell: string;

  constructor(
    private readonly artifacts: ArtifactFiles,
    private readonly rollouts: AgentRolloutsRepository,
    @Inject(SUPERVISOR_CONFIG) config: SupervisorConfig,
  ) {
    this.cell = config.SUPERVISOR_CELL;
  }

  /** The programs of a host that joins: of the agents, the one that all machines of the cell run. */
  async findForJoin(processor: Processor): Promise<MachinePrograms> {
    return this.find(processor, await this.rollouts.findDefault(this.cell));
  }

  /**
   * The programs that nodes with these brokers need. `wanted` is the artifact of the agents; the manifest's current one replaces an unknown
   * one. Throws Refused (503) without the artifact of the agent.
   */
  async find(
    processor: Processor,
    version: string | null,
    brokers: Iterable<BrokerDriver> = BROKER_DRIVERS,
  ): Promise<MachinePrograms> {
    const agent =
      (version === null ? null : await this.artifacts.findByHash('agent', version)) ??
      (await this.artifacts.find('agent', processor));
    if (agent === null) {
      this.logger.error({ processor }, 'a machine needs the artifact of the agent; run: npm run artifacts');
      throw new Refused(503, 'artifact_not_found', MISSING_RETRY_SECONDS);
    }
    const programs: MachinePrograms = { agent };
    for (const name of ['node', ...brokers] as const) {
      // The embedded broker lies over the files of its agent.
      const program = await this.artifacts.find(name, processor, name === 'embedded' ? agent.sha256 : null);
      if (program !== null) programs[name] = program;
    }
    return programs;
  }
}

/** One line for each program, for a shell: name, sha256, entry. */
export const programLines = (programs: MachinePrograms): string =>
  Object.entries(programs)
    .map(([name, { sha256, entry }]) => `${name} ${sha256} ${entry}\n`)
    .join('');
