import type { Main, Supervisor } from '@landlord/sdk';
import type { Style } from './frame.js';
import type { NodeLine } from './state.js';
import { bars, short } from './text.js';

/** A column of a list. The first one is as wide as the others leave. */
export interface Column<T> {
  title: string;
  columns: number;
  text: (item: T) => string;
  style?: (item: T) => Style;
}

const GOOD = ['initialized', 'running', 'succeeded'];
const BAD = ['failed', 'degraded', 'unreachable', 'cancelled'];
const styleOf = (status: string): Style => (GOOD.includes(status) ? 'good' : BAD.includes(status) ? 'bad' : 'busy');
const spaced = (name: string): string => name.replaceAll('_', ' ');

/** Columns at the end are left out first in a narrow window. */
export const DEPLOYMENT_COLUMNS: readonly Column<Main.DeploymentItemView>[] = [
  { title: 'DEPLOYMENT', columns: 0, text: ({ name }) => name },
  { title: 'STATUS', columns: 12, text: ({ status }) => spaced(status), style: ({ status }) => styleOf(status) },
  { title: 'TIER', columns: 7, text: ({ tier }) => tier },
  { title: 'NODES', columns: 5, text: ({ nodes_count }) => String(nodes_count) },
  { title: 'REGION', columns: 14, text: ({ region }) => region },
  { title: 'ID', columns: 6, text: ({ id }) => String(id) },
  { title: 'REASON', columns: 24, text: ({ status_reason }) => status_reason ?? '' },
];

export const operationColumns = (names: ReadonlyMap<number, string>): readonly Column<Main.OperationView>[] => [
  { title: 'OPERATION', columns: 0, text: ({ id, type }) => `${id} ${spaced(type)}` },
  { title: 'STATUS', columns: 9, text: ({ status }) => status, style: ({ status }) => styleOf(status) },
  { title: 'DONE', columns: 4, text: ({ progress }) => `${progress}%` },
  { title: 'DEPLOYMENT', columns: 16, text: ({ deployment_id: id }) => names.get(id ?? 0) ?? String(id ?? '-') },
  { title: 'REASON', columns: 24, text: ({ reason, incident }) => incident?.detail ?? reason ?? '' },
];

const HISTORY = 12;
const number = (value: number | undefined): string => short(value).padStart(5);

export const NODE_COLUMNS: readonly Column<NodeLine>[] = [
  { title: 'NODE', columns: 0, text: ({ name }) => name },
  { title: 'STATUS', columns: 11, text: ({ status }) => status, style: ({ status }) => styleOf(status) },
  { title: ' CPU%', columns: 5, text: ({ cpuPercent }) => number(cpuPercent) },
  { title: '  MEM', columns: 5, text: ({ memoryBytes }) => number(memoryBytes) },
  { title: 'MSG/S', columns: 5, text: ({ messages }) => number(messages) },
  { title: 'CLNTS', columns: 5, text: ({ clients }) => number(clients) },
  { title: '  B/S', columns: 5, text: ({ bytes }) => number(bytes) },
  { title: ' DISK', columns: 5, text: ({ diskBytes }) => number(diskBytes) },
  { title: 'CPU', columns: HISTORY, text: ({ history }) => bars(history, 100, HISTORY), style: () => 'dim' },
];

const TIME = { from: 11, to: 19 };

export const LOG_STYLES: Readonly<Record<Supervisor.LogLineView['level'], Style>> = {
  ...{ debug: 'dim', info: 'plain', warn: 'busy', error: 'bad' },
};
/** @param node the name of the node, when the deployment has several */
export const logText = ({ at, level, runtime, message }: Supervisor.LogLineView, node = ''): string =>
  [at.slice(TIME.from, TIME.to), level.padEnd(5), ...(node === '' ? [] : [node]), runtime.padEnd(10), message].join(
    ' ',
  );
