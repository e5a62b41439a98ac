import { momentText, secondsText } from '../quantity.js';
import type { ReportNode } from '../snapshot-data.js';
import { against, age, bad, brokerOf, eachNode, eachReport, inGroup, ok, unknown, warn } from './check.js';

const SILENT_SECONDS = { raised: 30, high: 120 };
const GAP_SECONDS = { raised: 120, high: 900 };
const RESTARTS = { raised: 0, high: 5 };
const YOUNG_SECONDS = 600;
const MINUTES_A_DAY = 1_440;

const shallRun = ({ is_stopped }: ReportNode, status: string): boolean => !is_stopped && status !== 'stopped';

/** Checks that nodes are alive, and checks their processes. */
export const NODE_CHECKS = inGroup('Nodes', [
  {
    id: 'nodes_reachable',
    name: 'Every node is reachable',
    advice: 'Check the machine and its network. The agent must reach the gateway. Then restart the agent.',
    look: eachNode((node) => {
      if (node.unreachable_since !== null) return bad(`unreachable since ${momentText(node.unreachable_since)}`);
      if (node.silent_seconds === null) return bad('has never sent a heartbeat');
      const seen = `sent its last heartbeat ${secondsText(node.silent_seconds)} ago`;
      return against(node.silent_seconds, SILENT_SECONDS.raised, SILENT_SECONDS.high, seen);
    }, 'All nodes sent a heartbeat within the last 30 seconds.'),
  },
  {
    id: 'brokers_running',
    name: 'The broker runs on every node',
    advice:
      'Read its last error below and its log. If the broker refuses its configuration, activate another configuration.',
    look: eachNode((node, { deployment }) => {
      const status = brokerOf(node)?.status ?? node.status;
      if (!shallRun(node, deployment.status)) return ok('stopped by a user');
      if (status === 'running') return ok('runs');
      return status === 'starting' ? warn('is starting') : bad(`is ${status}`);
    }, 'All brokers run, or a user stopped them.'),
  },
  {
    id: 'connectors_running',
    name: 'Every connectors runtime works',
    advice: 'Read its last error and its log. Then restart the connectors runtime of the node.',
    look: eachNode((node) => {
      const connectors = node.runtimes.find(({ runtime }) => runtime === 'connectors');
      if (!connectors) return ok('has no connectors runtime');
      if (connectors.status === 'failed') return bad('has failed');
      return connectors.status === 'starting' ? warn('is starting') : ok(`is ${connectors.status}`);
    }, 'No connectors runtime has failed.'),
  },
  {
    id: 'status_initialized',
    name: 'The deployment is in service',
    advice: 'Read the reason of the status. Check the operation that is running or has failed.',
    look: ({ deployment: { status, status_reason: reason } }) => {
      const seen = reason === null ? `The deployment is ${status}.` : `The deployment is ${status}: ${reason}.`;
      if (status === 'initialized') return ok(seen);
      return status === 'failed' ? bad(seen) : warn(seen);
    },
  },
  {
    id: 'broker_restarts',
    name: 'No broker restarts repeatedly',
    advice: 'Read the last error of the broker. If the broker runs out of memory, choose a larger tier.',
    look: eachNode((node) => {
      const count = brokerOf(node)?.restarts ?? 0;
      return against(count, RESTARTS.raised, RESTARTS.high, `${count} restarts since its agent started`);
    }, 'No broker was restarted since its agent started.'),
  },
  {
    id: 'last_errors',
    name: 'No runtime reports an error',
    advice: 'Read the errors. An error explains why the runtime does not run or why it last stopped.',
    look: eachNode((node) => {
      const words = node.runtimes.flatMap(({ last_error: error }) => (error === null ? [] : [error]));
      return words.length === 0 ? ok('no error') : warn(words.join(', '));
    }, 'No runtime reports an error.'),
  },
  {
    id: 'broker_uptime',
    name: 'Brokers run for at least ten minutes',
    advice: 'Do nothing if a user has just started or changed the broker. Otherwise find the reason of the restart.',
    look: eachNode((node, data) => {
      if (!shallRun(node, data.deployment.status)) return ok('stopped by a user');
      const started = brokerOf(node)?.started_at;
      if (!started) return unknown('did not report the start time');
      const seconds = age(started, data);
      return seconds < YOUNG_SECONDS ? warn(`was started ${secondsText(seconds)} ago`) : ok(secondsText(seconds));
    }, 'All brokers have run for ten minutes or more.'),
  },
  {
    id: 'heartbeat_gaps',
    name: 'Nodes sent heartbeats without gaps in the last day',
    advice: 'For gaps of one node, check its network and its load. For gaps of all nodes, check the gateway.',
    look: eachNode((node) => {
      const gap = node.longest_gap_seconds;
      if (gap === null) return unknown('is too new for this check');
      return against(gap, GAP_SECONDS.raised, GAP_SECONDS.high, `the longest gap was ${secondsText(gap)}`);
    }, 'The longest gap of the last day was under two minutes.'),
  },
  {
    id: 'minutes_heard',
    name: 'Nodes sent heartbeats in nearly every minute of the day',
    advice: 'For one node, check its network and its load. For all nodes, check the gateway.',
    look: eachNode((node, { snapshot }) => {
      const minutes = Math.min(MINUTES_A_DAY, ageMinutes(node, snapshot.built_at));
      if (minutes < 10) return ok('is new');
      const missed = Math.max(0, minutes - node.minutes_heard - 1);
      return against(missed / minutes, 0.02, 0.2, `${missed} of the last ${minutes} minutes are missing`);
    }, 'No more than 2 % of the minutes are missing.'),
  },
  {
    id: 'clock_skew',
    name: 'Clocks of the nodes match the clock of the server',
    advice: 'Synchronize the clock of the machine with NTP (chrony, systemd-timesyncd).',
    look: eachReport((report) => {
      const ms = Math.abs(report.machine.clock_offset_ms);
      return against(ms, 1_000, 30_000, `differs by ${(ms / 1000).toFixed(1)} s`);
    }, 'All clocks differ by at most one second from the server.'),
  },
  {
    id: 'ports_answer',
    name: 'Client ports accept connections',
    advice: 'Read the log of the broker. Another process uses the port, or the broker is not ready.',
    look: eachReport((report, { deployment }, node) => {
      if (!shallRun(node, deployment.status)) return ok('stopped by a user');
      const silent = report.ports.filter(({ answers }) => !answers);
      return silent.length === 0
        ? ok('all ports answer')
        : bad(`no answer from ${silent.map(({ name, port }) => `${name} ${port}`).join(', ')}`);
    }, 'All tested ports accept connections.'),
  },
]);

/** Minutes since the first known start of its agent or its broker. */
function ageMinutes({ told, runtimes }: ReportNode, now: string): number {
  const starts = [told?.processes['agent']?.started_at, ...runtimes.map(({ started_at: at }) => at)];
  const known = starts.flatMap((at) => (at ? [Date.parse(at)] : []));
  return known.length === 0 ? 0 : Math.floor((Date.parse(now) - Math.min(...known)) / 60_000);
}
