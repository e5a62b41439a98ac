import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DomainError, type DeploymentId } from '@libs/domain';
import { Database } from '@libs/persistence';
import { DeploymentCertificatesRepository, RuntimesRepository, type RenewalTerms } from '@libs/persistence/runtime';
import { Reconciler } from '@libs/workflow';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';
import { askedByNobody, DeploymentOperations } from '../platform/index.js';
import { CertificateLedger } from './certificate-ledger.js';
import { EXPIRING_DAYS, RENEWAL_DAYS } from './certificate-terms.js';

const PERIOD_MS = 20_000;
/** Time until a failed renewal is retried, so that a deployment that cannot be renewed is not changed all the time. */
const RETRY_HOURS = 6;
/** Maximum renewals that one pass starts. After a long time without a Supervisor, all certificates may be due at once. */
const RENEWALS_A_PASS = 10;

/**
 * Gives every deployment a certificate that is valid for more than 30 days and for all its names. Starts the rotation
 * of other certificates, and sends an event when that has not helped. Several processes may look at once. Of two
 * rotations of one deployment the second is refused. The process that marks an expiring certificate sends its event.
 */
@Injectable()
export class CertificateReconciler extends Reconciler {
  private readonly terms: RenewalTerms;

  constructor(
    private readonly database: Database,
    private readonly certificates: DeploymentCertificatesRepository,
    private readonly runtimes: RuntimesRepository,
    private readonly operations: DeploymentOperations,
    private readonly ledger: CertificateLedger,
    @Inject(SUPERVISOR_CONFIG) { SUPERVISOR_CELL: cell, BASE_DOMAIN: baseDomain }: SupervisorConfig,
  ) {
    super('CertificateReconciler', PERIOD_MS);
    this.terms = { cell, baseDomain, days: RENEWAL_DAYS, retryHours: RETRY_HOURS, limit: RENEWALS_A_PASS };
  }

  protected async pass(stopping: AbortSignal): Promise<void> {
    for (const id of await this.certificates.findDue(this.terms)) {
      if (stopping.aborted) return;
      await this.renew(id).catch((error: unknown) => this.leave(id, error));
    }
    await this.database.transaction(() => this.warn(this.terms.cell));
  }

  private async renew(deploymentId: DeploymentId): Promise<void> {
    await this.database.transaction(async () => {
      // Checks again after the lock: another process may have renewed the certificate, or a request may have deleted
      // the deployment.
      await this.runtimes.findStatusForUpdate(deploymentId);
      const facts = await this.runtimes.facts(deploymentId);
      if (!facts || !(await this.certificates.isDue(deploymentId, this.terms))) return;
      const asker = askedByNobody();
      await this.operations.open(facts, asker, { type: 'rotate_certificates' });
      await this.ledger.renewing(facts, asker.traceId);
    });
  }

  /** Another process was faster, or an operation changes the deployment. The next pass does the remaining work. */
  private leave(deployment: DeploymentId, error: unknown): void {
    if (error instanceof DomainError && error.code === 'state_conflict') return;
    this.logger.warn({ deployment, error: String(error) }, 'certificate could not be renewed');
  }

  private async warn(cell: string): Promise<void> {
    for (const ending of await this.certificates.markExpiring(cell, EXPIRING_DAYS)) {
      const facts = await this.runtimes.facts(ending.deploymentId);
      // No request caused the event, so a new trace starts here.
      if (facts) await this.ledger.expiring(ending, facts, randomBytes(16).toString('hex'));
    }
  }
}
