import { countText, secondsText } from '../quantity.js';
import type { SnapshotData } from '../snapshot-data.js';
import { against, bad, eachNode, ok, unknown, warn, type Check } from './check.js';

const STALE_BACKUP_SECONDS = { raised: 2 * 86_400, high: 14 * 86_400 };
const MINUTES_A_DAY = 1_440;
const LATEST_MINUTES = 15;

const age = (since: string, { snapshot }: SnapshotData): number =>
  (Date.parse(snapshot.built_at) - Date.parse(since)) / 1000;

/** Checks of log lines. */
export const LOG_CHECKS: readonly Check[] = [
  {
    id: 'errors_rate',
    group: 'Logs',
    name: 'Errors are rare',
    advice: 'Filter the log below by level error: what comes most often comes first.',
    look: eachNode(
      ({ errors }) => against(errors / MINUTES_A_DAY, 0.01, 1, `${errors} errors in a day`),
      'No node logged more than one error in a hundred minutes.',
    ),
  },
  {
    id: 'warnings_rate',
    group: 'Logs',
    name: 'Warnings are rare',
    advice: 'Filter the log below by level warn.',
    look: eachNode(
      ({ warnings }) => against(warnings / MINUTES_A_DAY, 0.1, 10, `${warnings} warnings in a day`),
      'No node logged more than one warning in ten minutes.',
    ),
  },
  {
    id: 'recent_errors',
    group: 'Logs',
    name: 'There was no error just now',
    advice: 'The last lines of that log tell what is going on now.',
    look: (data) => {
      const since = Date.parse(data.snapshot.built_at) - LATEST_MINUTES * 60_000;
      const fresh = data.logs.flatMap(({ lines }) =>
        lines.filter(([at, level]) => level === 'error' && Number(at) > since),
      );
      if (data.logs.length === 0) return unknown('There are no logs.');
      if (fresh.length === 0) return ok(`None in the last ${LATEST_MINUTES} minutes.`);
      return warn(
        `${countText(fresh.length, 'error')} in the last ${LATEST_MINUTES} minutes, last: ${fresh.at(-1)?.[2]}`,
      );
    },
  },
  {
    id: 'log_drops',
    group: 'Logs',
    name: 'No lines of logs were left out',
    advice: 'Nodes send a bounded number of lines a second: lower the log level, or see what prints so much.',
    look: eachNode(
      ({ log_drops: drops }) => (drops === 0 ? ok('none') : warn(`${drops} times in a day`)),
      'All lines of the last day were taken.',
    ),
  },
];

/** Checks of operations and their results. */
export const HISTORY_CHECKS: readonly Check[] = [
  {
    id: 'open_incidents',
    group: 'History',
    name: 'No incident is open',
    advice: 'The operator is told of it: ask there, with the number of the operation.',
    look: ({ operations }) => {
      const open = operations.flatMap(({ id, incident }) => (incident ? [`operation ${id}: ${incident.detail}`] : []));
      return open.length === 0 ? ok('None is.') : bad(`${open.join('; ')}.`);
    },
  },
  {
    id: 'failed_operations',
    group: 'History',
    name: 'No operation failed in the last week',
    advice: 'Its reason says what was in the way; what it had done was undone.',
    look: ({ operations }) => {
      const failed = operations.filter(({ status }) => status === 'failed');
      const words = failed.map(({ id, type, reason }) => `${type} ${id}${reason === null ? '' : ` (${reason})`}`);
      return failed.length === 0 ? ok('None did.') : warn(`${words.join('; ')}.`);
    },
  },
  {
    id: 'hanging_operations',
    group: 'History',
    name: 'No operation hangs',
    advice: 'See what it waits for; the operator can try its step again.',
    look: (data) => {
      const hanging = data.operations.filter(
        ({ status, type, created_at: at }) =>
          ['pending', 'running'].includes(status) && type !== 'take_snapshot' && age(at, data) > 3_600,
      );
      const words = hanging.map(({ id, type, step }) => `${type} ${id}, at ${step}`);
      return hanging.length === 0 ? ok('None is older than an hour.') : warn(`${words.join('; ')}.`);
    },
  },
  {
    id: 'rejected_activities',
    group: 'History',
    name: 'No activity was rejected',
    advice: 'The words of the node say why.',
    look: ({ activities }) => {
      const rejected = activities.filter(({ status }) => status === 'rejected');
      const words = rejected.slice(0, 5).map(({ action, error }) => `${action}${error === null ? '' : ` (${error})`}`);
      return rejected.length === 0 ? ok('None was.') : warn(`${rejected.length} of the last: ${words.join('; ')}.`);
    },
  },
  {
    id: 'backup_age',
    group: 'History',
    name: 'There is a recent backup',
    advice: 'Take one: POST …/backups.',
    look: (data) => {
      if (!data.deployment.can_be_backed_up) return ok('Backups do not apply to this deployment.');
      const last = data.backups.find(({ status }) => status === 'completed');
      if (!last) return warn('There is none.');
      const seconds = age(last.completed_at ?? last.created_at, data);
      const seen = `The last is ${secondsText(Math.max(0, seconds))} old: ${last.name}.`;
      return against(seconds, STALE_BACKUP_SECONDS.raised, STALE_BACKUP_SECONDS.high, seen);
    },
  },
  {
    id: 'failed_backups',
    group: 'History',
    name: 'The last backup did not fail',
    advice: 'See the reason of its operation, and take another.',
    look: ({ backups, deployment }) => {
      const [last] = backups;
      if (!deployment.can_be_backed_up || !last) return ok('There is none that could.');
      return last.status === 'failed' ? bad(`${last.name} failed.`) : ok(`${last.name} is ${last.status}.`);
    },
  },
];

/** Checks that the snapshot is complete. */
export const SNAPSHOT_CHECKS: readonly Check[] = [
  {
    id: 'nodes_told',
    group: 'Snapshot',
    name: 'Every node told about itself',
    advice: 'What is shown of the others is what was stored before they fell silent.',
    look: eachNode(
      ({ missing }) => (missing === null ? ok('told') : warn(missing)),
      'All nodes told about themselves.',
    ),
  },
  {
    id: 'facts_whole',
    group: 'Snapshot',
    name: 'No fact is missing',
    advice: 'The reasons say what the node could not read; the rest is whole.',
    look: eachNode((node) => {
      if (!node.told) return null;
      const words = node.told.failures.map(({ what, why }) => `${what} (${why})`);
      return words.length === 0 ? ok('whole') : warn(`lacks ${words.join(', ')}`);
    }, 'All nodes told all that was asked.'),
  },
  {
    id: 'secrets_masked',
    group: 'Snapshot',
    name: 'Secrets are masked',
    advice: 'Give this snapshot only to whom you would give the secrets, and delete it after.',
    look: ({ snapshot }) =>
      snapshot.is_redacted ? ok('They are.') : warn('It was asked for with redact_secrets false: secrets are in it.'),
  },
];
