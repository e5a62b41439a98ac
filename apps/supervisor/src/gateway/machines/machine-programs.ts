import { Injectable, Logger } from '@nestjs/common';
import { BROKER_DRIVERS, type BrokerDriver, type MachinePrograms, type Processor } from '@libs/domain';
import { ArtifactFiles } from '../artifacts/artifact-files.js';
import { Refused } from '../refused.js';

const MISSING_RETRY_SECONDS = 30;

/** The programs of machines, from the manifest of the artifacts. */
@Injectable()
export class MachineProgramFiles {
  private readonly logger = new Logger('Gateway');

  constructor(private readonly artifacts: ArtifactFiles) {}

  /** The programs that nodes with these brokers need. Throws Refused (503) without the artifact of the agent. */
  async find(processor: Processor, brokers: Iterable<BrokerDriver> = BROKER_DRIVERS): Promise<MachinePrograms> {
    const agent = await this.artifacts.find('agent', processor);
    if (agent === null) {
      this.logger.error({ processor }, 'a machine needs the artifact of the agent; run: npm run artifacts');
      throw new Refused(503, 'artifact_not_found', MISSING_RETRY_SECONDS);
    }
    const programs: MachinePrograms = { agent };
    for (const name of ['node', ...brokers] as const) {
      const program = await this.artifacts.find(name, processor);
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
