import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '@libs/domain';
import { Database, Secrets } from '@libs/persistence';
import { DeploymentCertificatesRepository, RuntimesRepository, type RenewalTerms } from '@libs/persistence/runtime';
import { Reconciler } from '@libs/workflow';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';
import { askedByNobody, DeploymentOperations } from '../platform/index.js';
import { CertificateLedger } from './certificate-ledger.js';
import { EXPIRING_DAYS, RENEWAL_DAYS } from './certificate-terms.js';

const PERIOD_MS = 20_000;
/** What failed is tried again after that, so that a deployment that cannot is not always being changed. */
const RETRY_HOURS = 6;
/** Begun in one pass: after a long time without a supervisor all may be due at once. */
const RENEWALS_A_PASS = 10;

/**
 * Standing truth: every deployment shows a certificate that is good for weeks and for all its names. Starts the rotation of
 * those that do not, and tells people where that has not helped. Several processes may look at once: of two rotations of one
 * deployment the second is refused, and of an ending certificate the one that marks it tells.
 */
@Injectable()
export class CertificateReconciler extends Reconciler {
  private readonly certificates: DeploymentCertificatesRepository;
  private readonly runtimes: RuntimesRepository;
  private readonly terms: RenewalTerms;

  constructor(
    private readonly database: Database,
    secrets: Secrets,
    private readonly operations: DeploymentOperations,
    private readonly ledger: CertificateLedger,
    @Inject(SUPERVISOR_CONFIG) { SUPERVISOR_CELL: cell, BASE_DOMAIN: baseDomain }: SupervisorConfig,
  ) {
    super('CertificateReconciler', PERIOD_MS);
    this.certificates = new DeploymentCertificatesRepository(database, secrets);
    this.runtimes = new RuntimesRepository(database);
    this.terms = { cell, baseDomain, days: RENEWAL_DAYS, retryHours: RETRY_HOURS, limit: RENEWALS_A_PASS };
  }

  protected async pass(stopping: AbortSignal): Promise<void> {
    for (const id of await this.certificates.findDue(this.terms)) {
      if (stopping.aborted) return;
      await this.renew(id).catch((error: unknown) => this.leave(id, error));
    }
    await this.database.transaction(() => this.warn(this.terms.cell));
  }

  private async renew(deploymentId: number): Promise<void> {
    await this.database.transaction(async () => {
      // Whoever waits here looks again: meanwhile it may have been renewed by another, or its deletion asked for.
      await this.runtimes.lock(deploymentId);
      const facts = await this.runtimes.facts(deploymentId);
      if (!facts || !(await this.certificates.isDue(deploymentId, this.terms))) return;
      const asker = askedByNobody();
      await this.operations.open(facts, asker, { type: 'rotate_certificates' });
      await this.ledger.renewing(facts, asker.traceId);
    });
  }

  /** Somebody was faster, or changes it: the next pass sees what is left to do. */
  private leave(deployment: number, error: unknown): void {
    if (error instanceof DomainError && error.code === 'state_conflict') return;
    this.logger.warn({ deployment, error: String(error) }, 'certificate could not be renewed');
  }

  private async warn(cell: string): Promise<void> {
    for (const ending of await this.certificates.markExpiring(cell, EXPIRING_DAYS)) {
      const facts = await this.runtimes.facts(ending.deploymentId);
      // Nobody asked for it: the trace begins here.
      if (facts) await this.ledger.expiring(ending, facts, randomBytes(16).toString('hex'));
    }
  }
}
