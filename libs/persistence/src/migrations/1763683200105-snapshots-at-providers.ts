import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The data of a node is an archive in the object store, or a snapshot at its provider. */
export class SnapshotsAtProviders1763683200105 implements MigrationInterface {
  name = 'SnapshotsAtProviders1763683200105';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table backup_snapshots alter object_key drop not null');
  }

  /** Backups at providers need this release. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `delete from backups b using backup_snapshots s where s.backup_id = b.id and s.object_key is null`,
    );
    await runner.query('alter table backup_snapshots alter object_key set not null');
  }
}
