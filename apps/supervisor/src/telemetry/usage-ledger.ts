import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { USAGE_EVENTS } from '@libs/domain';
import { Ledger } from '@libs/ledger';
import { RuntimesRepository, type UsageSample } from '@libs/persistence/runtime';
import { contextOf } from '../platform/index.js';

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
    const rounded = Math.round(percent * 10) / 10;
    const subject = `${WORDS[kind]} of node ${name} of ${facts.name} is ${isHigh ? `at ${rounded} %` : 'back to normal'}`;
    const data = { node_id: nodeId, name, percent: rounded, high_since: new Date(since).toISOString() };
    // No request caused the event, so a new trace starts here.
    const traceId = randomBytes(16).toString('hex');
    await this.ledger.announce({ type, key: `${type}:${nodeId}:${since}`, subject, data }, contextOf(facts), traceId);
  }
}
