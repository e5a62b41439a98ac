import { bytesText, secondsText } from '../quantity.js';
import type { ReportNode, ReportSeries, SnapshotData } from '../snapshot-data.js';
import { against, bad, eachNode, eachReport, inGroup, ok, percent, unknown, warn, type Finding } from './check.js';

const FULL = { raised: 80, high: 90 };
const GIB = 1024 ** 3;
const MIB = 1024 ** 2;
const DAY_SECONDS = 86_400;
const SOON_DAYS = { raised: 30, high: 7 };

/** Connectors report their usage next to that of the broker. */
const usedBy = ({ gauges }: ReportNode, name: 'cpu_percent' | 'memory_bytes'): number | undefined =>
  gauges[name] === undefined ? undefined : gauges[name] + (gauges[`connectors_${name}`] ?? 0);

/** Checks of the resource usage of nodes, now and over time. */
export const RESOURCE_CHECKS = inGroup('Resources', [
  {
    id: 'cpu_now',
    name: 'CPU usage is normal now',
    advice: 'Check the load of the clients, or choose a larger tier.',
    look: eachNode((node) => {
      const used = usedBy(node, 'cpu_percent');
      if (used === undefined) return unknown('did not report CPU usage');
      const share = used / (node.told?.machine.cpus ?? 1);
      return against(share, FULL.raised, FULL.high, `${Math.round(used)} % of one core`);
    }, 'No node uses more than 80 % of its cores.'),
  },
  {
    id: 'cpu_day',
    name: 'CPU usage was normal in the last day',
    advice: 'Choose a larger tier if the load stays near the limit.',
    look: eachNode((node, data) => {
      const values = seriesOf(data, node, 'day', 'cpu_percent');
      if (values.length === 0) return unknown('has no metrics');
      const share = highest(values) / (node.told?.machine.cpus ?? 1);
      return against(share, FULL.raised, FULL.high, `up to ${Math.round(highest(values))} % of one core`);
    }, 'No five-minute average was above 80 % of the cores.'),
  },
  {
    id: 'memory_now',
    name: 'Memory usage is normal now',
    advice: 'Choose a larger tier. The agent restarts a broker that exceeds its memory limit.',
    look: eachNode((node) => memory(node, usedBy(node, 'memory_bytes')), 'No node uses more than 80 % of its memory.'),
  },
  {
    id: 'memory_day',
    name: 'Memory usage was normal in the last day',
    advice: 'If the usage grows constantly, look for clients that do not read their subscriptions.',
    look: eachNode((node, data) => {
      const values = seriesOf(data, node, 'day', 'memory_bytes');
      return values.length === 0 ? unknown('has no metrics') : memory(node, highest(values));
    }, 'No node used more than 80 % of its memory.'),
  },
  {
    id: 'storage_now',
    name: 'The ordered storage has free capacity',
    advice: 'Upgrade the storage, or set a shorter retention of messages.',
    look: eachNode((node) => {
      const used = node.told?.data.bytes ?? node.gauges['disk_bytes'];
      if (used === undefined) return unknown('did not report storage usage');
      const share = percent(used, node.storage_size * GIB);
      return against(share, FULL.raised, FULL.high, `${bytesText(used)} of ${node.storage_size} GiB`);
    }, 'No node uses more than 80 % of its storage.'),
  },
  {
    id: 'storage_growth',
    name: 'Storage lasts for a month at the current growth',
    advice: 'Upgrade the storage before that day, or set a shorter retention of messages.',
    look: eachNode(
      (node, data) => growth(node, data),
      'At the growth of the last week, no storage becomes full within a month.',
    ),
  },
  {
    id: 'disk_free',
    name: 'The volume of the data has free space',
    advice: 'Check the machine. Other files fill the volume, or the volume is smaller than the ordered storage.',
    look: eachReport((report) => {
      const { disk_total_bytes: total, disk_free_bytes: free } = report.machine;
      if (total === null || free === null) return unknown('did not report this value');
      return against(100 - percent(free, total), FULL.raised, 95, `${bytesText(free)} free of ${bytesText(total)}`);
    }, 'Every volume is at most 80 % full.'),
  },
  {
    id: 'machine_memory',
    name: 'The machines have free memory',
    advice: 'Check the other processes of the machine. The system stops the broker when memory runs out.',
    look: eachReport((report) => {
      const { memory_total_bytes: total, memory_free_bytes: free } = report.machine;
      return against(100 - percent(free, total), 90, 96, `${bytesText(free)} free of ${bytesText(total)}`);
    }, 'Every machine has at least 10 % of its memory free.'),
  },
  {
    id: 'load',
    name: 'The load of the machines is normal',
    advice: 'Check the other processes of the machine. The processes need more cores than the machine has.',
    look: eachReport((report) => {
      const { load, cpus } = report.machine;
      const perCpu = (load[1] ?? 0) / Math.max(cpus, 1);
      return against(perCpu, 1.5, 4, `load ${(load[1] ?? 0).toFixed(1)} on ${cpus} cores`);
    }, 'The five-minute load is at most 1.5 for each core.'),
  },
  {
    id: 'file_descriptors',
    name: 'Brokers can open more files and connections',
    advice: 'Raise the open file limit of the service, or find the reason for the many connections.',
    look: eachReport((report) => {
      const { open_files: open, open_files_limit: limit } = report.processes['broker'] ?? {};
      if (typeof open !== 'number' || typeof limit !== 'number') return unknown('did not report this value');
      return against(percent(open, limit), 70, 90, `${open} of ${limit} open`);
    }, 'No broker uses more than 70 % of its open file limit.'),
  },
  {
    id: 'usage_alerts',
    name: 'No usage alert is active',
    advice: 'Check the charts. The alert ends automatically when the usage falls.',
    look: eachNode(
      ({ alerts }) => (alerts.length === 0 ? ok('no alert') : bad(`high ${alerts.join(', ')}`)),
      'No node has an active alert for CPU, memory or disk.',
    ),
  },
  {
    id: 'machine_uptime',
    name: 'No machine has restarted recently',
    advice: 'Do nothing if the restart was planned. Otherwise read the log of the machine.',
    look: eachReport((report) => {
      const seconds = report.machine.uptime_seconds;
      return seconds < 900 ? warn(`has run for ${secondsText(seconds)}`) : ok(secondsText(seconds));
    }, 'All machines have run for 15 minutes or more.'),
  },
]);

function memory(node: ReportNode, used: number | undefined): Finding {
  if (used === undefined) return unknown('did not report memory usage');
  if (node.memory_mib === null) return unknown('has no memory limit');
  const seen = `${bytesText(used)} of ${bytesText(node.memory_mib * MIB)}`;
  return against(percent(used, node.memory_mib * MIB), FULL.raised, FULL.high, seen);
}

/** A straight line from the first to the last value. This is precise enough to distinguish days from months. */
function growth(node: ReportNode, data: SnapshotData): Finding {
  const found = data.series.find((one) => isOf(one, node, 'week'));
  const points = (found?.values.disk_bytes ?? []).flatMap((value, index) =>
    value === null ? [] : [{ value, at: found?.at[index] ?? 0 }],
  );
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || last.at - first.at < DAY_SECONDS / 2) return unknown('is too new for this check');
  const perDay = ((last.value - first.value) / (last.at - first.at)) * DAY_SECONDS;
  if (perDay <= 0) return ok('does not grow');
  const days = (node.storage_size * GIB - last.value) / perDay;
  const seen = `full in about ${Math.max(0, Math.round(days))} days (${bytesText(perDay)} a day)`;
  if (days < SOON_DAYS.high) return bad(seen);
  return days < SOON_DAYS.raised ? warn(seen) : ok(seen);
}

const isOf = (series: ReportSeries, node: ReportNode, window: ReportSeries['window']): boolean =>
  series.node_id === node.id && series.runtime === 'broker' && series.window === window;

function seriesOf(
  { series }: SnapshotData,
  node: ReportNode,
  window: ReportSeries['window'],
  metric: 'cpu_percent' | 'memory_bytes',
): number[] {
  const values = series.find((one) => isOf(one, node, window))?.values[metric] ?? [];
  return values.filter((value) => value !== null);
}

const highest = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), 0);
