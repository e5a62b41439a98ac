import { Injectable } from '@nestjs/common';
import { changedKeys, maskSecrets, valuesBySection } from '@libs/broker/schema';
import { DomainError } from '@libs/domain';
import { Database, Secrets } from '@libs/persistence';
import { ConfigVersionsRepository, type ConfigGround, type ConfigRow } from '@libs/persistence/runtime';
import type { ConfigView } from './dto/config.view.js';

/** Configurations as callers see them, against the broker that is installed and what its nodes run by. */
@Injectable()
export class ConfigViews {
  private readonly configs: ConfigVersionsRepository;

  constructor(database: Database, secrets: Secrets) {
    this.configs = new ConfigVersionsRepository(database, secrets);
  }

  /** @throws DomainError deployment_not_found */
  async ground(deploymentId: number): Promise<ConfigGround> {
    const ground = await this.configs.ground(deploymentId);
    if (!ground) throw new DomainError('deployment_not_found', 'The deployment has no nodes any more.');
    return ground;
  }

  /** In the order of the rows. */
  async of(deploymentId: number, rows: readonly ConfigRow[]): Promise<ConfigView[]> {
    const ground = await this.ground(deploymentId);
    const applied = await this.configs.findAll(deploymentId, 'broker', ground.applied);
    return rows.map((row) => toView(row, ground, applied));
  }

  async ofOne(deploymentId: number, row: ConfigRow): Promise<ConfigView> {
    const [view] = await this.of(deploymentId, [row]);
    return view as ConfigView;
  }
}

function toView(row: ConfigRow, { driver, release }: ConfigGround, applied: readonly ConfigRow[]): ConfigView {
  const restarts = ({ values }: ConfigRow): boolean =>
    changedKeys(driver, release, values, row.values).some((key) => key.restart_required);
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    version: row.version,
    primary: row.primary,
    // By the release that it was saved for: a key that a later one lacks may have been a secret.
    values: valuesBySection(maskSecrets(driver, row.runtime_version, row.values)),
    runtime_version: row.runtime_version,
    runtime_outdated: row.runtime_version !== release,
    restart_required: applied.some(restarts),
    author_id: row.author_id,
    created_at: row.created_at.toISOString(),
  };
}
