import type { Supervisor } from '@landlord/sdk';
import { queryOptions } from '@tanstack/react-query';
import { landlordOf } from '../client.js';
import { keepPrevious } from '../keep-previous.js';
import { serverNow } from '../clock.js';

/** Nodes report more often than a step of a series is long. */
const SERIES_MS = 15_000;
const MS_OF_MINUTE = 60_000;

/** What the broker on each node has reported in the last minutes. */
export const seriesQuery = (tenantId: number, deploymentId: number, nodes: readonly number[], minutes: number) =>
  queryOptions({
    queryKey: ['tenant', tenantId, 'metrics', { deployment_id: deploymentId }, nodes, minutes],
    queryFn: (): Promise<Supervisor.MetricSeriesView[]> => {
      const from = new Date(serverNow() - minutes * MS_OF_MINUTE).toISOString();
      return Promise.all(
        nodes.map((node_id) =>
          landlordOf(tenantId).nodeMetrics.getSeries({
            ...{ deployment_id: deploymentId, node_id, runtime: 'broker', from },
          }),
        ),
      );
    },
    refetchInterval: SERIES_MS,
    placeholderData: keepPrevious(tenantId, 'metrics', { deployment_id: deploymentId }),
    throwOnError: false,
  });
