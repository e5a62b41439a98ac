import { join } from 'node:path';
import { readFileIfAny, writePrivateFile } from '../../os/private-file.js';
import type { MachineDocument, RefusedAgent } from '@libs/domain/machine-protocol';
import { OWN_PROGRAMS } from './own-program.js';

/** The last program that failed its trial. It is durable, so that a restart does not begin the same trial again. */
export class RefusedProgram {
  private readonly path: string;
  private held: RefusedAgent | null = null;

  constructor(dir: string) {
    this.path = join(dir, OWN_PROGRAMS, 'refused.json');
  }

  async load(): Promise<void> {
    try {
      this.held = JSON.parse((await readFileIfAny(this.path)) ?? 'null') as RefusedAgent | null;
    } catch {
      // Another trial costs less than a machine that never gets a new program.
      this.held = null;
    }
  }

  get last(): RefusedAgent | null {
    return this.held;
  }

  /** Whether this attempt with the document's program has failed. */
  includes({ programs, agent_attempt }: MachineDocument): boolean {
    return this.held?.sha256 === programs.agent.sha256 && this.held.attempt === agent_attempt;
  }

  async add(refused: RefusedAgent): Promise<void> {
    await writePrivateFile(this.path, JSON.stringify(refused));
    this.held = refused;
  }
}
