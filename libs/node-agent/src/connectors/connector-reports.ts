import type { ConnectorReport, NodeConnectors } from '@libs/domain';

/** What is known of connectors that no runner speaks for. */
export interface Unspoken {
  /** The runner does not come up. */
  isHopeless: boolean;
  reason: string | null;
  /** By instance. */
  moved: ReadonlyMap<number, number>;
}

/** A report of every wanted instance: its own words where a runner tells them, else what follows from the runner's absence. */
export function connectorReports(
  { want, instances }: NodeConnectors,
  told: readonly ConnectorReport[],
  { isHopeless, reason, moved }: Unspoken,
): ConnectorReport[] {
  return instances.map(({ instance_id, config }): ConnectorReport => {
    const own = told.find((report) => report.instance_id === instance_id);
    if (own) return own;
    const isWanted = want === 'running' && config.values.enabled;
    const absent = isHopeless ? 'failed' : 'starting';
    return {
      instance_id,
      status: isWanted ? absent : 'stopped',
      config_id: config.id,
      error: isWanted ? reason : null,
      messages: moved.get(instance_id) ?? 0,
    };
  });
}
