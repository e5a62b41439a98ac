import type { ConnectorReport, NodeConnectors, ConnectorInstanceId } from '@libs/domain';

/** Data about connectors without a report of the connectors process. */
export interface Unspoken {
  /** The connectors process does not start. */
  isHopeless: boolean;
  reason: string | null;
  /** By instance. */
  moved: ReadonlyMap<ConnectorInstanceId, { messages: number; failed: number }>;
  /** The instances whose plugin is not on the node, and why. Null: the plugin is being fetched. */
  absent: ReadonlyMap<ConnectorInstanceId, string | null>;
}

const NONE_MOVED = { messages: 0, failed: 0 };

/**
 * A report for every wanted instance: its own report if the connectors process has one, otherwise a report that follows from
 * the absence of that process or of the plugin.
 */
export function connectorReports(
  { want, instances }: NodeConnectors,
  reported: readonly ConnectorReport[],
  { isHopeless, reason, moved, absent }: Unspoken,
): ConnectorReport[] {
  return instances.map(({ instance_id, config }): ConnectorReport => {
    const own = reported.find((report) => report.instance_id === instance_id);
    const counts = own ?? { instance_id, config_id: config.id, ...(moved.get(instance_id) ?? NONE_MOVED) };
    const why = absent.get(instance_id);
    if (why !== undefined) return { ...counts, status: why === null ? 'starting' : 'failed', error: why };
    if (own) return own;
    const isWanted = want === 'running' && config.values.enabled;
    const unspoken = isHopeless ? 'failed' : 'starting';
    return { ...counts, status: isWanted ? unspoken : 'stopped', error: isWanted ? reason : null };
  });
}
