import type { ConnectorReport, NodeConnectors, ConnectorInstanceId } from '@libs/domain';

/** Data about connectors without a report of the connectors process. */
export interface Unspoken {
  /** The connectors process does not start. */
  isHopeless: boolean;
  reason: string | null;
  /** By instance. */
  moved: ReadonlyMap<ConnectorInstanceId, { messages: number; failed: number }>;
}

/**
 * A report for every wanted instance: its own report if the connectors process has one, otherwise a report that follows from
 * the absence of that process.
 */
export function connectorReports(
  { want, instances }: NodeConnectors,
  reported: readonly ConnectorReport[],
  { isHopeless, reason, moved }: Unspoken,
): ConnectorReport[] {
  return instances.map(({ instance_id, config }): ConnectorReport => {
    const own = reported.find((report) => report.instance_id === instance_id);
    if (own) return own;
    const isWanted = want === 'running' && config.values.enabled;
    const absent = isHopeless ? 'failed' : 'starting';
    return {
      instance_id,
      status: isWanted ? absent : 'stopped',
      config_id: config.id,
      error: isWanted ? reason : null,
      ...(moved.get(instance_id) ?? { messages: 0, failed: 0 }),
    };
  });
}
