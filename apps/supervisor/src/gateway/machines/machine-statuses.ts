import { Injectable } from '@nestjs/common';
import type { MachineId, MachineStatus } from '@libs/domain';
import { Database } from '@libs/persistence';
import { MachineNodesRepository, MachinesRepository } from '@libs/persistence/runtime';
import { Operations } from '@libs/workflow';
import { machineRemoved } from '../refused.js';

/** Stores the reports of machines, and wakes up the operations that may wait for a node. */
@Injectable()
export class MachineStatuses {
  constructor(
    private readonly database: Database,
    private readonly machines: MachinesRepository,
    private readonly nodes: MachineNodesRepository,
    private readonly operations: Operations,
  ) {}

  /** Throws Refused for a removed machine. */
  async take(id: MachineId, { generation, agent_version, agent, machine, nodes }: MachineStatus): Promise<void> {
    const report = { agentVersion: agent_version, generation, agent, facts: machine };
    const changed = await this.database.transaction(async () => {
      if (!(await this.machines.record(id, report))) throw machineRemoved();
      return this.nodes.record(id, nodes);
    });
    // After the commit: a step has the lock of its operation when it waits for rows of nodes.
    await this.operations.signal(...changed);
  }
}
