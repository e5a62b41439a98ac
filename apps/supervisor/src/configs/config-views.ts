import type { DeploymentId } from '@libs/domain';
import type { ConfigRow, ConfigVersionsRepository } from '@libs/persistence/runtime';
import type { ConfigView } from './dto/config.view.js';
import type { ConfigKind } from './kinds/config-kind.js';

/** Shows configurations to callers, compared with the installed release and the applied configurations. */
export class ConfigViews {
  constructor(private readonly configs: ConfigVersionsRepository) {}

  /** Returns the views in the order of the rows. */
  async of(deploymentId: DeploymentId, kind: ConfigKind, rows: readonly ConfigRow[]): Promise<ConfigView[]> {
    const applied = await this.configs.findAll(deploymentId, kind.key, kind.applied);
    return rows.map((row) => toView(row, kind, applied));
  }

  async ofOne(deploymentId: DeploymentId, kind: ConfigKind, row: ConfigRow): Promise<ConfigView> {
    const [view] = await this.of(deploymentId, kind, [row]);
    return view as ConfigView;
  }
}

function toView(row: ConfigRow, kind: ConfigKind, applied: readonly ConfigRow[]): ConfigView {
  const restarts = ({ values }: ConfigRow): boolean =>
    kind.changes(values, row.values).some((key) => key.restart_required);
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    version: row.version,
    primary: row.primary,
    values: kind.shown(row.values, row.runtime_version),
    runtime_version: row.runtime_version,
    runtime_outdated: row.runtime_version !== kind.release,
    restart_required: applied.some((one) => isOfTheSame(one, row) && restarts(one)),
    author_id: row.author_id,
    created_at: row.created_at.toISOString(),
  };
}

/** Every configuration of the broker can replace every other. Each instance of a connector has its own. */
const isOfTheSame = (one: ConfigRow, other: ConfigRow): boolean => one.kind === 'broker' || one.name === other.name;
