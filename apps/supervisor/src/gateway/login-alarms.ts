import { Injectable, Logger } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import type { NodeId, RefusedLogins } from '@libs/domain';
import { Ledger, type FoundEvent } from '@libs/ledger';
import { Database } from '@libs/persistence';
import {
  LoginRefusalsRepository,
  RuntimesRepository,
  type DeploymentFacts,
  type RefusalAlarm,
  type ReportedRefusal,
} from '@libs/persistence/runtime';
import { contextOf } from '../platform/index.js';

/** Nodes whose newest refusal is remembered. Saves a statement for each repeated report. */
const REMEMBERED_NODES = 20_000;

/** Tells the channels that brokers refuse sign-ins: at most once an hour for each address of a deployment. */
@Injectable()
export class LoginAlarms {
  private readonly logger = new Logger('LoginAlarms');
  private readonly newest = new Map<NodeId, number>();

  constructor(
    private readonly database: Database,
    private readonly refusals: LoginRefusalsRepository,
    private readonly runtimes: RuntimesRepository,
    private readonly ledger: Ledger,
  ) {}

  /** Takes the refusals that one report of each node contains. Never rejects: the next report contains them again. */
  async take(reports: readonly { nodeId: NodeId; refusedLogins: readonly RefusedLogins[] }[]): Promise<void> {
    const fresh = reports.flatMap(({ nodeId, refusedLogins }) =>
      refusedLogins
        .filter(({ at }) => at > (this.newest.get(nodeId) ?? 0))
        .map(({ address, at }): ReportedRefusal => ({ nodeId, address, at })),
    );
    if (fresh.length === 0) return;
    try {
      await this.database.transaction(async () => {
        await this.announce(await this.refusals.record(fresh));
      });
      if (this.newest.size >= REMEMBERED_NODES) this.newest.clear();
      for (const { nodeId, at } of fresh) this.newest.set(nodeId, Math.max(at, this.newest.get(nodeId) ?? 0));
    } catch (error) {
      this.logger.warn({ err: error }, 'refused sign-ins were not recorded, the next report has them again');
    }
  }

  private async announce(alarms: readonly RefusalAlarm[]): Promise<void> {
    if (alarms.length === 0) return;
    const facts = await this.runtimes.factsOf(alarms.map(({ deploymentId }) => deploymentId));
    await this.ledger.announceOnce(
      alarms.flatMap(({ deploymentId, address }) => {
        const deployment = facts.get(deploymentId);
        return deployment ? [toFound(deployment, address)] : [];
      }),
    );
  }
}

/** No request caused the event, so a new trace starts here. */
const toFound = (facts: DeploymentFacts, address: string): FoundEvent => ({
  event: {
    type: 'broker_login_refused',
    key: `broker_login_refused:${facts.id}:${address}:${Date.now()}`,
    subject: `The broker of ${facts.name} refused a sign-in from ${address}`,
    data: { name: facts.name, code: facts.code, address },
  },
  context: contextOf(facts),
  traceId: randomBytes(16).toString('hex'),
});
