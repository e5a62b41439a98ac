import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { AGENT_TRIAL_SECONDS, type MachineDocument, type MachineId, type MachineNode } from '@libs/domain';
import { Notifications } from '@libs/persistence';
import {
  MachineNodesRepository,
  MachinesRepository,
  NodeAgentsRepository,
  type MachineHead,
} from '@libs/persistence/runtime';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../../config.js';
import { machineRemoved } from '../refused.js';
import { WaitingRequests, type Unanswered, type Waiting } from '../waiting/waiting-requests.js';
import { MachineProgramFiles } from './machine-programs.js';

/** Composes the document of a machine at the moment of the request. The tokens in it are not stored anywhere else unsealed. */
@Injectable()
export class MachineDocuments implements OnModuleInit, OnModuleDestroy {
  private readonly waiting = new WaitingRequests<MachineId>();
  private readonly allowsPrivate: boolean;
  private stop: (() => void) | undefined;

  constructor(
    private readonly machines: MachinesRepository,
    private readonly nodes: MachineNodesRepository,
    private readonly agents: NodeAgentsRepository,
    private readonly programs: MachineProgramFiles,
    private readonly notifications: Notifications,
    @Inject(SUPERVISOR_CONFIG) { ALLOW_PRIVATE_DESTINATIONS }: SupervisorConfig,
  ) {
    this.allowsPrivate = ALLOW_PRIVATE_DESTINATIONS;
  }

  onModuleInit(): void {
    this.stop = this.notifications.on('landlord_machines', (payload) => {
      if (payload === '') this.waiting.wakeAll();
      else this.waiting.wake(Number(payload));
    });
  }

  onModuleDestroy(): void {
    this.stop?.();
    this.waiting.wakeAll();
  }

  /**
   * Returns the document when its generation differs from `since`. After a restore of the database, the generation can be lower.
   * Throws Refused for a removed machine, also while the request waits.
   */
  next(id: MachineId, since: number, waiting: Waiting): Promise<MachineDocument | Unanswered> {
    return this.waiting.next(id, waiting, async () => {
      const head = await this.machines.findHead(id);
      if (!head) throw machineRemoved();
      return head.generation === since ? null : this.compose(head);
    });
  }

  /** The generation is read before the nodes: a change between the two only makes the machine ask once more. */
  private async compose({
    id,
    generation,
    processor,
    wanted_agent,
    wanted_attempt,
  }: MachineHead): Promise<MachineDocument> {
    const placed = await this.nodes.list(id);
    const brokers = new Set(placed.map(({ broker }) => broker));
    const programs = await this.programs.find(processor, wanted_agent, brokers);
    const present = placed.filter(({ intent }) => intent === 'present');
    const tokens = await this.agents.renewedTokens(
      present.map(({ node_id, incarnation }) => ({ id: node_id, epoch: incarnation })),
    );
    const nodes = placed.map(({ copy, ...node }): MachineNode => ({
      ...node,
      ...(copy && { copy }),
      token: node.intent === 'present' ? (tokens.get(node.node_id) ?? '') : '',
    }));
    return {
      ...{ machine_id: id, generation, programs, agent_attempt: wanted_attempt ?? 0 },
      ...{ agent_trial_seconds: AGENT_TRIAL_SECONDS, allow_private_destinations: this.allowsPrivate, nodes },
    };
  }
}
