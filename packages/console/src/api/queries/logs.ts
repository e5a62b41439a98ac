import type { Supervisor } from '@landlord/sdk';
import { queryOptions } from '@tanstack/react-query';
import { landlordOf } from '../client.js';
import { joined } from '../../lib/log-lines.js';

const FIRST_LINES = 100;

export type LogLine = Supervisor.LogLineView;

export interface LogFilter {
  level?: LogLine['level'];
  text?: string;
  runtime?: LogLine['runtime'];
  node?: number;
}

/** The filter as both requests for lines take it. */
export const inputOf = ({ text, ...others }: LogFilter) => ({ ...others, ...(text && { message: text }) });

/** Lines of the nodes, newest last. The stream adds lines. */
export const logsQuery = (tenantId: number, deploymentId: number, filter: LogFilter) =>
  queryOptions({
    queryKey: ['tenant', tenantId, 'logs', deploymentId, filter],
    queryFn: async ({ client, queryKey }): Promise<readonly LogLine[]> => {
      const { items } = await landlordOf(tenantId).logs.list({
        ...{ deployment_id: deploymentId, results: FIRST_LINES, ...inputOf(filter) },
      });
      return joined(client.getQueryData<readonly LogLine[]>(queryKey) ?? [], items);
    },
    refetchOnWindowFocus: false,
    throwOnError: false,
  });
