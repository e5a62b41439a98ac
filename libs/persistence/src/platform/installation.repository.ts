import { Injectable } from '@nestjs/common';
import { statement, Database } from '../database.js';

const FIND = statement('installation.find', 'select name, timeline from installation');
const IS_HELD = statement(
  'installation.is_destruction_held',
  'select destruction_held_since is not null as is_held from installation',
);
const ENSURE_PARTITIONS = statement('installation.ensure_partitions', 'select ensure_partitions()');
const DROP_EXPIRED_PARTITIONS = statement(
  'installation.drop_expired_partitions',
  'select drop_expired_partitions() as dropped',
);

/** The name of the installation and the timeline of its database. */
@Injectable()
export class InstallationRepository {
  constructor(private readonly database: Database) {}

  async find(): Promise<{ name: string; timeline: number } | null> {
    return this.database.first<{ name: string; timeline: number }>(FIND);
  }

  /** After a restore nothing is destroyed until an operator ends the hold. Running resources may be newer than the rows. */
  async isDestructionHeld(): Promise<boolean> {
    const [row] = await this.database.query<{ is_held: boolean }>(IS_HELD);
    return row?.is_held ?? false;
  }

  /** Creates the partitions of the coming months. */
  async ensurePartitions(): Promise<void> {
    await this.database.execute(ENSURE_PARTITIONS);
  }

  /** Drops the months whose retention is over. Returns the names of the partitions. */
  async dropExpiredPartitions(): Promise<string[]> {
    const [row] = await this.database.query<{ dropped: string[] }>(DROP_EXPIRED_PARTITIONS);
    return row?.dropped ?? [];
  }
}
