import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The names of deployments get drivers of their own, and certificates are no cloud resources any more. The names of living
 * deployments stay: only the driver `local` has published names. The driver `machines` only recorded them, and no certificate
 * of a cloud had an effect. No provider is called.
 */
export class NamesOutsideClouds1763683200098 implements MigrationInterface {
  name = 'NamesOutsideClouds1763683200098';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`update cloud_resources set driver = 'local' where kind = 'dns_record'`);
    await runner.query(`delete from cloud_resources where kind = 'certificate'`);
    await runner.query(`delete from machine_resources where kind in ('dns_record', 'certificate')`);
  }

  /** The previous release needs no rows for a deletion: it derives the names of both kinds. */
  async down(): Promise<void> {}
}
