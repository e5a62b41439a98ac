import { Injectable } from '@nestjs/common';
import { Ledger } from '@libs/ledger';
import type { DeploymentFacts, ExpiringCertificate } from '@libs/persistence/runtime';
import { contextOf } from '../platform/index.js';

const SYSTEM = { user: null, apiKey: null };

/** Records the actions of the certificate reconciler, in the transaction of each action. */
@Injectable()
export class CertificateLedger {
  constructor(private readonly ledger: Ledger) {}

  /** Records that the reconciler has started a rotation. */
  async renewing(facts: DeploymentFacts, traceId: string): Promise<void> {
    const context = contextOf(facts);
    await this.ledger.record({
      audit: 'deployment_certificates_rotated',
      author: SYSTEM,
      context,
      data: null,
      traceId,
    });
  }

  /** Sends one event for each certificate. */
  async expiring({ id, serial, notAfter }: ExpiringCertificate, facts: DeploymentFacts, traceId: string) {
    const event = {
      type: 'certificate_expiring',
      key: `certificate_expiring:${id}`,
      subject: `The certificate of ${facts.name} ends on ${notAfter.toISOString().slice(0, 10)}`,
      data: { name: facts.name, code: facts.code, serial, not_after: notAfter.toISOString() },
    } as const;
    await this.ledger.announce(event, contextOf(facts), traceId);
  }
}
