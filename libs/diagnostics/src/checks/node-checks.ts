import { momentText, secondsText } from '../quantity.js';
import type { ReportNode } from '../snapshot-data.js';
import { against, bad, eachNode, ok, unknown, warn, type Check } from './check.js';

const SILENT_SECONDS = { raised: 30, high: 120 };
const GAP_SECONDS = { raised: 120, high: 900 };
const RESTARTS = { raised: 0, high: 5 };
const YOUNG_SECONDS = 600;
const MINUTES_A_DAY = 1_440;

const broker = ({ runtimes }: ReportNode) => runtimes.find(({ runtime }) => runtime === 'broker');
const shallRun = ({ is_stopped }: ReportNode, status: string): boolean => !is_stopped && status !== 'stopped';

/** Checks that nodes are alive, and checks their processes. */
export const NODE_CHECKS: readonly Check[] = [
  {
    id: 'nodes_reachable',
    group: 'Nodes',
    name: 'Every node can be reached',
    advice: 'Look at the machine and at its network: its agent must reach the gateway. Start the agent again.',
    look: eachNode((node) => {
      if (node.unreachable_since !== null) return bad(`unreachable since ${momentText(node.unreachable_since)}`);
      if (node.silent_seconds === null) return bad('was never heard of');
      const seen = `last heard of ${secondsText(node.silent_seconds)} ago`;
      return against(node.silent_seconds, SILENT_SECONDS.raised, SILENT_SECONDS.high, seen);
    }, 'All nodes were heard of within half a minute.'),
  },
  {
    id: 'brokers_running',
    group: 'Nodes',
    name: 'The broker runs on every node',
    advice:
      'Read its last words below, and its log. A configuration that it refuses is taken back by activating another.',
    look: eachNode((node, { deployment }) => {
      const status = broker(node)?.status ?? node.status;
      if (!shallRun(node, deployment.status)) return ok('stopped, as it should be');
      if (status === 'running') return ok('runs');
      return status === 'starting' ? warn('is starting') : bad(`is ${status}`);
    }, 'All brokers run, or are stopped as they should be.'),
  },
  {
    id: 'connectors_running',
    group: 'Nodes',
    name: 'The connectors runtime runs where there is one',
    advice: 'Read its last words and its log; restart the connectors runtime of the node.',
    look: eachNode((node) => {
      const connectors = node.runtimes.find(({ runtime }) => runtime === 'connectors');
      if (!connectors) return ok('has none');
      if (connectors.status === 'failed') return bad('has failed');
      return connectors.status === 'starting' ? warn('is starting') : ok(`is ${connectors.status}`);
    }, 'No node has a connectors runtime that failed.'),
  },
  {
    id: 'status_initialized',
    group: 'Nodes',
    name: 'The deployment is in service',
    advice: 'See the reason of the status, and the operation that is running or has failed.',
    look: ({ deployment: { status, status_reason: reason } }) => {
      const seen = reason === null ? `It is ${status}.` : `It is ${status}: ${reason}.`;
      if (status === 'initialized') return ok(seen);
      return status === 'failed' ? bad(seen) : warn(seen);
    },
  },
  {
    id: 'broker_restarts',
    group: 'Nodes',
    name: 'No broker is started again and again',
    advice: 'What it died of stands in its last words; out of memory needs a larger tier.',
    look: eachNode((node) => {
      const count = broker(node)?.restarts ?? 0;
      return against(count, RESTARTS.raised, RESTARTS.high, `${count} restarts since its agent started`);
    }, 'No broker was restarted since its agent started.'),
  },
  {
    id: 'last_errors',
    group: 'Nodes',
    name: 'No runtime has last words',
    advice: 'They say why it does not run, or what it last died of.',
    look: eachNode((node) => {
      const words = node.runtimes.flatMap(({ last_error: error }) => (error === null ? [] : [error]));
      return words.length === 0 ? ok('none') : warn(words.join(', '));
    }, 'No runtime tells of an error.'),
  },
  {
    id: 'broker_uptime',
    group: 'Nodes',
    name: 'Brokers have been up for a while',
    advice: 'Nothing, if it was just started or changed; else see why it was restarted.',
    look: eachNode((node, { snapshot, deployment }) => {
      if (!shallRun(node, deployment.status)) return ok('stopped, as it should be');
      const started = broker(node)?.started_at;
      if (!started) return unknown('tells no start');
      const seconds = (Date.parse(snapshot.built_at) - Date.parse(started)) / 1000;
      return seconds < YOUNG_SECONDS ? warn(`was started ${secondsText(seconds)} ago`) : ok(secondsText(seconds));
    }, 'All brokers have been up for ten minutes or more.'),
  },
  {
    id: 'heartbeat_gaps',
    group: 'Nodes',
    name: 'Nodes were heard of without gaps for a day',
    advice: 'Gaps at one node point at its network or its load; at all nodes, at the gateway.',
    look: eachNode((node) => {
      const gap = node.longest_gap_seconds;
      if (gap === null) return unknown('too young to tell');
      return against(gap, GAP_SECONDS.raised, GAP_SECONDS.high, `silent for up to ${secondsText(gap)}`);
    }, 'The longest silence of the last day was under two minutes.'),
  },
  {
    id: 'minutes_heard',
    group: 'Nodes',
    name: 'Nodes were heard of in nearly every minute of the day',
    advice: 'As for gaps; a node that was created today has fewer minutes.',
    look: eachNode((node, { snapshot }) => {
      const minutes = Math.min(MINUTES_A_DAY, ageMinutes(node, snapshot.built_at));
      if (minutes < 10) return ok('is new');
      const missed = Math.max(0, minutes - node.minutes_heard - 1);
      return against(missed / minutes, 0.02, 0.2, `${missed} of the last ${minutes} minutes are missing`);
    }, 'No more than 2 % of the minutes are missing.'),
  },
  {
    id: 'clock_skew',
    group: 'Nodes',
    name: 'Clocks of nodes agree with the server',
    advice: 'Let the machine keep its time (chrony, systemd-timesyncd).',
    look: eachNode((node) => {
      if (!node.told) return null;
      const ms = Math.abs(node.told.machine.clock_offset_ms);
      return against(ms, 1_000, 30_000, `${(ms / 1000).toFixed(1)} s off`);
    }, 'All clocks are within a second of the server.'),
  },
  {
    id: 'ports_answer',
    group: 'Nodes',
    name: 'Ports for clients take connections',
    advice: 'Another process may hold the port, or the broker is not ready: see its log.',
    look: eachNode((node, { deployment }) => {
      if (!node.told) return null;
      if (!shallRun(node, deployment.status)) return ok('stopped, as it should be');
      const silent = node.told.ports.filter(({ answers }) => !answers);
      return silent.length === 0 ? ok('all answer') : bad(silent.map(({ name, port }) => `${name} ${port}`).join(', '));
    }, 'All ports that were tried take connections.'),
  },
];

/** Minutes since the first known start of its agent or its broker. */
function ageMinutes({ told, runtimes }: ReportNode, now: string): number {
  const starts = [told?.processes['agent']?.started_at, ...runtimes.map(({ started_at: at }) => at)];
  const known = starts.flatMap((at) => (at ? [Date.parse(at)] : []));
  return known.length === 0 ? 0 : Math.floor((Date.parse(now) - Math.min(...known)) / 60_000);
}
