import { Injectable } from '@nestjs/common';
import { maskSecrets as maskSettings } from '@libs/broker-config';
import type { ReportConfig, SnapshotData } from '@libs/diagnostics';
import { canBeBackedUp, maskMembers, maskTexts, type BrokerDriver, type DeploymentId } from '@libs/domain';
import {
  AccessRulesRepository,
  ActivitiesRepository,
  BackupsRepository,
  ConfigVersionsRepository,
  DiagnosticFactsRepository,
  RuntimesRepository,
  type AccessRuleRow,
  type ConfigRow,
} from '@libs/persistence/runtime';

const LAST_ACTIVITIES = { page: 1, results: 50 };
const LAST_BACKUPS = 20;

/** The part of a report about the whole deployment. */
export type DeploymentPart = Pick<
  SnapshotData,
  'deployment' | 'access_rules' | 'configs' | 'operations' | 'activities' | 'backups'
>;

/** Reads the data of a deployment from the database: its row, its configuration, and its history. */
@Injectable()
export class SnapshotFacts {
  constructor(
    private readonly facts: DiagnosticFactsRepository,
    private readonly runtimes: RuntimesRepository,
    private readonly rules: AccessRulesRepository,
    private readonly configs: ConfigVersionsRepository,
    private readonly activities: ActivitiesRepository,
    private readonly backups: BackupsRepository,
  ) {}

  /** Returns null when the deployment no longer exists. `isRedacted`: secrets of the user are masked. */
  async of(id: DeploymentId, isRedacted: boolean): Promise<DeploymentPart | null> {
    const deployment = await this.deployment(id);
    if (!deployment) return null;
    const part = {
      deployment,
      access_rules: (await this.rules.list(id)).map(toRule),
      ...(await this.done(id)),
    };
    // Texts from nodes and people: a reason may contain a part of a configuration.
    const masked = isRedacted ? maskTexts(part) : part;
    return { ...masked, configs: await this.configurations(id, isRedacted) };
  }

  private async deployment(id: DeploymentId): Promise<DeploymentPart['deployment'] | null> {
    const [facts, runtime] = [await this.runtimes.facts(id), await this.runtimes.find(id)];
    if (!facts || !runtime) return null;
    const since = await this.facts.credentialsSince(id);
    return {
      ...{ id, name: facts.name, code: facts.code, cloud: facts.cloud, region: facts.region, tier: facts.tier },
      ...{ availability_mode: facts.availability_mode, storage_type: facts.storage_type },
      storage_size: facts.storage_size,
      status: runtime.status,
      status_reason: runtime.status_reason,
      status_since: runtime.status_since.toISOString(),
      network_mode: runtime.network_mode,
      credentials_since: since?.toISOString() ?? null,
      can_be_backed_up: canBeBackedUp(facts),
    };
  }

  private async done(id: DeploymentId): Promise<Pick<DeploymentPart, 'operations' | 'activities' | 'backups'>> {
    const [operations, { items: activities }, backups] = await Promise.all([
      this.facts.operations(id),
      this.activities.list(id, {}, LAST_ACTIVITIES),
      this.backups.list(id),
    ]);
    return {
      operations: operations.map((row) => ({ ...row, ...times(row) })),
      activities: activities.map(({ runtime, action, node_id, status, error, ...row }) => ({
        ...{ id: row.id, runtime, action, node_id, status, error },
        ...times(row),
      })),
      backups: backups.slice(0, LAST_BACKUPS).map(({ name, status, size_bytes, created_at, completed_at, ...row }) => ({
        ...{ id: row.id, name, status, size_bytes, created_at: created_at.toISOString() },
        completed_at: completed_at?.toISOString() ?? null,
      })),
    };
  }

  private async configurations(id: DeploymentId, isRedacted: boolean): Promise<ReportConfig[]> {
    const broker = await this.configs.broker(id);
    const rows = await this.configs.list(id, 'broker');
    return rows.map((row) => toConfig(row, broker?.driver ?? null, isRedacted));
  }
}

const times = (row: { created_at: Date; finished_at: Date | null }) => ({
  created_at: row.created_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
});

const toRule = ({ id, name, cidr_blocks, rules, valid_to }: AccessRuleRow) => ({
  ...{ id, name, cidr_blocks },
  protocols: Object.entries(rules).flatMap(([flag, allowed]) => (allowed ? [flag.replace('broker_', '')] : [])),
  valid_to: valid_to?.toISOString() ?? null,
});

/** Masks by the schema of the release that the values were saved for, and by patterns. */
function toConfig(row: ConfigRow, driver: BrokerDriver | null, isRedacted: boolean): ReportConfig {
  const bySchema = driver === null ? row.values : maskSettings(driver, row.runtime_version, row.values);
  return {
    id: row.id,
    name: row.name,
    version: row.version,
    is_primary: row.primary,
    runtime_version: row.runtime_version,
    created_at: row.created_at.toISOString(),
    values: isRedacted ? (maskMembers(bySchema) as Record<string, unknown>) : row.values,
  };
}
