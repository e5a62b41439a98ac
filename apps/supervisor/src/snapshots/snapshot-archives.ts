import { Injectable } from '@nestjs/common';
import { DomainError } from '@libs/domain';
import { Shutdown } from '@libs/http';
import { ObjectStore, ObjectStoreError } from '@libs/object-store';
import type { DiagnosticSnapshotRow } from '@libs/persistence/runtime';
import { snapshotArchive } from '../platform/index.js';
import { DownloadLinks, LINK_SECONDS, type LinkedSnapshot } from './download-links.js';
import type { OpenArchive } from './send-archive.js';

type Snapshot = Pick<DiagnosticSnapshotRow, 'id' | 'deployment_id' | 'name'>;

/** Opens the archives of snapshots for download: from the store if clients can reach it, else through this Supervisor. */
@Injectable()
export class SnapshotArchives {
  constructor(
    private readonly store: ObjectStore,
    private readonly links: DownloadLinks,
    private readonly shutdown: Shutdown,
  ) {}

  /** Returns a URL that gives anyone access to the archive for some minutes. */
  async address(snapshot: Snapshot): Promise<string> {
    const ids = { deploymentId: snapshot.deployment_id, snapshotId: snapshot.id };
    const signed = await this.store.sign(snapshotArchive(ids.deploymentId, ids.snapshotId), {
      seconds: LINK_SECONDS,
      fileName: fileNameOf(snapshot),
    });
    return signed ?? this.links.make(ids, Date.now());
  }

  /** @throws DomainError download_link_invalid */
  named(token: string): LinkedSnapshot {
    return this.links.read(token, Date.now());
  }

  /** @throws DomainError snapshot_not_found when the archive was deleted */
  async open(snapshot: Snapshot): Promise<OpenArchive> {
    const key = snapshotArchive(snapshot.deployment_id, snapshot.id);
    const body = await this.store.get(key).catch((error: unknown) => {
      if (error instanceof ObjectStoreError && error.fault === 'missing')
        throw new DomainError('snapshot_not_found', 'The archive of the snapshot no longer exists.');
      throw error;
    });
    return { body, fileName: fileNameOf(snapshot), stopping: this.shutdown.signal };
  }
}

/** Returns the file name for the browser. */
const fileNameOf = ({ name }: Snapshot): string => `${name.replaceAll(/[^A-Za-z0-9._-]+/g, '_')}.zip`;
