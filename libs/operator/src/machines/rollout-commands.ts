import type { AgentRolloutId } from '@libs/domain';
import { RolloutCommandsRepository, type OperatorRollout } from '@libs/persistence/operator';
import { OperatorRefused } from '../operator-refused.js';
import type { OperatorSession } from '../operator-session.js';

export interface RolloutRequest {
  /** The first characters of the program's sha256, at least twelve. */
  program: string;
  cell?: string;
}

/** Roll-outs of new agents to the machines. */
export class RolloutCommands {
  private readonly rows: RolloutCommandsRepository;

  constructor(private readonly session: OperatorSession) {
    this.rows = new RolloutCommandsRepository(session.database);
  }

  /** The newest first. */
  list(limit: number): Promise<OperatorRollout[]> {
    return this.rows.list(limit);
  }

  /** Begins another roll-out of a program that was rolled out before. @throws OperatorRefused */
  async begin({ program, cell }: RolloutRequest): Promise<AgentRolloutId> {
    if (!/^[0-9a-f]{12,64}$/.test(program))
      throw new OperatorRefused('Give at least the first 12 characters of the sha256 of the program.');
    return this.session.database.transaction(async () => {
      const [found, ...others] = await this.rows.findPrograms(program, cell ?? null);
      if (!found)
        throw new OperatorRefused(`No roll-out had the program ${program}. List them: landlord machines rollouts`);
      if (others.length > 0)
        throw new OperatorRefused(
          'More than one cell has, or more than one program is, like that. Give --cell, or more characters.',
        );
      const id = await this.rows.begin(found.cell, found.sha256);
      if (id === null) throw new OperatorRefused(`A roll-out of the cell ${found.cell} is running. Stop it first.`);
      await this.session.journal.record({ verb: 'machines rollout', subject: `roll-out ${id}`, detail: { ...found } });
      return id;
    });
  }

  /** Machines that have changed keep the program. @throws OperatorRefused */
  async stop(id: AgentRolloutId): Promise<void> {
    await this.session.database.transaction(async () => {
      if (!(await this.rows.stop(id))) throw new OperatorRefused(`There is no roll-out ${id} that is running.`);
      await this.session.journal.record({ verb: 'machines stop-rollout', subject: `roll-out ${id}`, detail: {} });
    });
  }
}
