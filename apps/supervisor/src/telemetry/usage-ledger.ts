import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { USAGE_EVENTS } from '@libs/domain';
import { Ledger } from '@libs/ledger';
import { RuntimesRepository, type UsageSample } from '@libs/persistence/runtime';

const WORDS = { cpu: 'CPU', memory: 'Memory', disk: 'Disk' } as const;

/** Notifies the channels of the start and the end of high usage, once per period. */
@Injectable()
export class UsageLedger {
  constructor(
    private readonly runtimes: RuntimesRepository,
    private readonly ledger: Ledger,
  ) {}

  /** Runs in the transaction of the change. `since` identifies the period, in milliseconds since the epoch. */
  async changed({ nodeId, name, deploymentId, kind, percent }: UsageSample, since: number, isHigh: boolean) {
    const facts = await this.runtimes.facts(deploymentId);
    if (!facts) return;
    const type = USAGE_EVENTS[kind][isHigh ? 'high' : 'resolved'];
    const context = {
      tenantId: facts.tenant_id,
      division: { id: facts.division_id, name: facts.division_name },
      environment: { id: facts.environment_id, name: facts.environment_name },
      deployment: { id: facts.id, name: facts.name },
    };
    const rounded = Math.round(percent * 10) / 10;
    const subject = `${WORDS[kind]} of node ${name} of ${facts.name} is ${isHigh ? `at ${rounded} %` : 'back to normal'}`;
    const data = { node_id: nodeId, name, percent: rounded, high_since: new Date(since).toISOString() };
    // No request caused the event, so a new trace starts here.
    const traceId = randomBytes(16).toString('hex');
    await this.ledger.announce({ type, key: `${type}:${nodeId}:${since}`, subject, data }, context, traceId);
  }
}
