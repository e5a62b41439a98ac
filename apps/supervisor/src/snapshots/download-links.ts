import { Inject, Injectable } from '@nestjs/common';
import { DomainError, type DeploymentId, type DiagnosticSnapshotId } from '@libs/domain';
import { Secrets } from '@libs/persistence';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';

const PURPOSE = 'snapshot_download';
/** Seconds until a link expires. */
export const LINK_SECONDS = 300;

/** The snapshot of a link. */
export interface LinkedSnapshot {
  deploymentId: DeploymentId;
  snapshotId: DiagnosticSnapshotId;
}

/**
 * Links at this Supervisor that give access to one archive for some minutes, for stores without signed URLs. The token
 * contains the snapshot and the end time, signed with a key of the installation. So no row is needed, and every
 * Supervisor can verify it.
 */
@Injectable()
export class DownloadLinks {
  private readonly base: string;

  constructor(
    private readonly secrets: Secrets,
    @Inject(SUPERVISOR_CONFIG) config: SupervisorConfig,
  ) {
    this.base = config.SUPERVISOR_PUBLIC_URL.replace(/\/$/, '');
  }

  make({ deploymentId, snapshotId }: LinkedSnapshot, nowMs: number): string {
    const until = Math.floor(nowMs / 1000) + LINK_SECONDS;
    const claim = [deploymentId, snapshotId, until].join('-');
    return `${this.base}/downloads/${claim}.${this.secrets.prove(PURPOSE, claim)}`;
  }

  /** @throws DomainError download_link_invalid, the same for a forged link and an expired one */
  read(token: string, nowMs: number): LinkedSnapshot {
    const dot = token.indexOf('.');
    const [claim, proof] = [token.slice(0, Math.max(dot, 0)), token.slice(dot + 1)];
    const [deploymentId = 0, snapshotId = 0, until = 0] = claim.split('-').map(Number);
    if (!this.secrets.isProof(PURPOSE, claim, proof) || until * 1000 < nowMs)
      throw new DomainError('download_link_invalid', 'The download link is invalid or has expired.');
    return { deploymentId, snapshotId };
  }
}
