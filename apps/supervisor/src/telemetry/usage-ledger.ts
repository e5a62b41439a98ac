import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { USAGE_EVENTS } from '@libs/domain';
import { Ledger } from '@libs/ledger';
import { Database } from '@libs/persistence';
import { RuntimesRepository, type UsageSample } from '@libs/persistence/runtime';

const WORDS = { cpu: 'CPU', memory: 'Memory', disk: 'Disk' } as const;

/** Tells the notification channels of high usage and of its end, once for each spell. */
@Injectable()
export class UsageLedger {
  private readonly runtimes: RuntimesRepository;

  constructor(
    database: Database,
    private readonly ledger: Ledger,
  ) {
    this.runtimes = new RuntimesRepository(database);
  }

  /** In the transaction of the change; `since` names the spell, in milliseconds since the epoch. */
  async changed({ nodeId, name, deploymentId, kind, percent }: UsageSample, since: number, isHigh: boolean) {
    const facts = await this.runtimes.facts(deploymentId);
    if (!facts) return;
    const type = USAGE_EVENTS[kind][isHigh ? 'high' : 'resolved'];
    const place = {
      tenantId: facts.tenant_id,
      division: { id: facts.division_id, name: facts.division_name },
      environment: { id: facts.environment_id, name: facts.environment_name },
      deployment: { id: facts.id, name: facts.name },
    };
    const rounded = Math.round(percent * 10) / 10;
    const subject = `${WORDS[kind]} of node ${name} of ${facts.name} is ${isHigh ? `at ${rounded} %` : 'back to normal'}`;
    const data = { node_id: nodeId, name, percent: rounded, high_since: new Date(since).toISOString() };
    // Nobody asked for it: the trace begins here.
    const traceId = randomBytes(16).toString('hex');
    await this.ledger.announce({ type, key: `${type}:${nodeId}:${since}`, subject, data }, place, traceId);
  }
}
