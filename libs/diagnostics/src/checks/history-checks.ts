import { countText, secondsText } from '../quantity.js';
import { against, age, bad, eachNode, eachReport, inGroup, ok, unknown, warn } from './check.js';

const STALE_BACKUP_SECONDS = { raised: 2 * 86_400, high: 14 * 86_400 };
const MINUTES_A_DAY = 1_440;
const LATEST_MINUTES = 15;

/** Checks of log lines. */
export const LOG_CHECKS = inGroup('Logs', [
  {
    id: 'errors_rate',
    name: 'Errors are rare',
    advice: 'Filter the log below by level error. Start with the most frequent error.',
    look: eachNode(
      ({ errors }) => against(errors / MINUTES_A_DAY, 0.01, 1, `${errors} errors in a day`),
      'No node logged more than one error in a hundred minutes.',
    ),
  },
  {
    id: 'warnings_rate',
    name: 'Warnings are rare',
    advice: 'Filter the log below by level warn.',
    look: eachNode(
      ({ warnings }) => against(warnings / MINUTES_A_DAY, 0.1, 10, `${warnings} warnings in a day`),
      'No node logged more than one warning in ten minutes.',
    ),
  },
  {
    id: 'recent_errors',
    name: 'The log has no recent error',
    advice: 'Read the last lines of the log. They show the current problem.',
    look: (data) => {
      const since = Date.parse(data.snapshot.built_at) - LATEST_MINUTES * 60_000;
      const fresh = data.logs.flatMap(({ lines }) =>
        lines.filter(([at, level]) => level === 'error' && Number(at) > since),
      );
      if (data.logs.length === 0) return unknown('The snapshot has no logs.');
      if (fresh.length === 0) return ok(`No error in the last ${LATEST_MINUTES} minutes.`);
      return warn(
        `${countText(fresh.length, 'error')} in the last ${LATEST_MINUTES} minutes, last: ${fresh.at(-1)?.[2]}`,
      );
    },
  },
  {
    id: 'log_drops',
    name: 'No log line was dropped',
    advice:
      'Log less: change the log level, or find the source of the lines. A node sends a limited number of lines a second.',
    look: eachNode(
      ({ log_drops: drops }) => (drops === 0 ? ok('no drops') : warn(`dropped lines ${drops} times in a day`)),
      'No node dropped lines in the last day.',
    ),
  },
]);

/** Checks of operations and their results. */
export const HISTORY_CHECKS = inGroup('History', [
  {
    id: 'open_incidents',
    name: 'No incident is open',
    advice: 'Landlord has notified the operator. Ask the operator, with the number of the operation.',
    look: ({ operations }) => {
      const open = operations.flatMap(({ id, incident }) => (incident ? [`operation ${id}: ${incident.detail}`] : []));
      return open.length === 0 ? ok('No incident is open.') : bad(`${open.join('; ')}.`);
    },
  },
  {
    id: 'failed_operations',
    name: 'No operation failed in the last week',
    advice: 'Read the reason of the operation. Landlord has undone the finished steps.',
    look: ({ operations }) => {
      const failed = operations.filter(({ status }) => status === 'failed');
      const words = failed.map(({ id, type, reason }) => `${type} ${id}${reason === null ? '' : ` (${reason})`}`);
      return failed.length === 0 ? ok('No operation failed.') : warn(`${words.join('; ')}.`);
    },
  },
  {
    id: 'hanging_operations',
    name: 'No operation takes longer than an hour',
    advice: 'Read what the operation waits for. The operator can retry the step.',
    look: (data) => {
      const hanging = data.operations.filter(
        ({ status, type, created_at: at }) =>
          ['pending', 'running'].includes(status) && type !== 'take_snapshot' && age(at, data) > 3_600,
      );
      const words = hanging.map(({ id, type, step }) => `${type} ${id}, at step ${step}`);
      return hanging.length === 0 ? ok('No open operation is older than an hour.') : warn(`${words.join('; ')}.`);
    },
  },
  {
    id: 'rejected_activities',
    name: 'No activity was rejected',
    advice: 'Read the error of the activity. It contains the reason of the node.',
    look: ({ activities }) => {
      const rejected = activities.filter(({ status }) => status === 'rejected');
      const words = rejected.slice(0, 5).map(({ action, error }) => `${action}${error === null ? '' : ` (${error})`}`);
      return rejected.length === 0
        ? ok('No activity was rejected.')
        : warn(`Rejected activities: ${rejected.length}. ${words.join('; ')}.`);
    },
  },
  {
    id: 'backup_age',
    name: 'The deployment has a recent backup',
    advice: 'Create a backup: POST …/backups.',
    look: (data) => {
      if (!data.deployment.can_be_backed_up) return ok('This deployment does not support backups.');
      const last = data.backups.find(({ status }) => status === 'completed');
      if (!last) return warn('The deployment has no completed backup.');
      const seconds = age(last.completed_at ?? last.created_at, data);
      const seen = `The last backup, ${last.name}, is ${secondsText(Math.max(0, seconds))} old.`;
      return against(seconds, STALE_BACKUP_SECONDS.raised, STALE_BACKUP_SECONDS.high, seen);
    },
  },
  {
    id: 'failed_backups',
    name: 'The last backup did not fail',
    advice: 'Read the reason of its operation, then create another backup.',
    look: ({ backups, deployment }) => {
      const [last] = backups;
      if (!deployment.can_be_backed_up || !last) return ok('The deployment has no backup.');
      return last.status === 'failed' ? bad(`${last.name} failed.`) : ok(`${last.name} is ${last.status}.`);
    },
  },
]);

/** Checks that the snapshot is complete. */
export const SNAPSHOT_CHECKS = inGroup('Snapshot', [
  {
    id: 'nodes_told',
    name: 'Every node sent its report',
    advice: 'Check the nodes without a report. For these nodes the page shows stored data.',
    look: eachNode(
      ({ missing }) => (missing === null ? ok('sent its report') : warn(missing)),
      'All nodes sent their reports.',
    ),
  },
  {
    id: 'facts_whole',
    name: 'The reports of the nodes are complete',
    advice: 'Read the reasons. The node could not read these parts. All other parts are complete.',
    look: eachReport((report) => {
      const words = report.failures.map(({ what, why }) => `${what} (${why})`);
      return words.length === 0 ? ok('complete') : warn(`did not report ${words.join(', ')}`);
    }, 'All nodes reported all requested data.'),
  },
  {
    id: 'secrets_masked',
    name: 'Secrets are masked',
    advice: 'Share this snapshot only with people who may read the secrets. Delete the snapshot after use.',
    look: ({ snapshot }) =>
      snapshot.is_redacted
        ? ok('All secrets are masked.')
        : warn('The snapshot contains secrets. The request had redact_secrets false.'),
  },
]);
