import { ProblemError, type Supervisor } from '@landlord/sdk';
import { Status } from '../../../ui/text/status.js';
import { Time } from '../../../ui/text/time.js';
import { DeploymentButton, DeploymentForm } from '../deployment-request.js';
import { Facts } from '../../../ui/text/facts.js';
import { ReadProblem } from '../../../ui/read-problem.js';
import { Section } from '../../../ui/section.js';
import { useLive } from '../use-deployment.js';

/** When the deployment is backed up. */
export function Schedule() {
  // The browser reports each answer that there is no schedule as an error, so the read is not repeated.
  const { data, error, refetch } = useLive('backupSchedules.get', {}, false);
  const hasNone = error instanceof ProblemError && error.status === 404;
  const schedule = hasNone ? undefined : data;
  return (
    <Section title="Schedule">
      {!hasNone && <ReadProblem of={{ error, refetch }} />}
      {hasNone && <p>The deployment is not backed up by a schedule.</p>}
      {schedule && <Current schedule={schedule} />}
      <DeploymentForm
        key={schedule?.updated_at}
        request="backupSchedules.put"
        own={{
          cron: { label: 'Times (cron)', hint: 'Five fields in UTC, such as 0 3 * * *. Or give the hours.' },
          every_hours: { label: 'Hours from one backup to the next', hint: '' },
          keep: {
            label: 'Backups that stay',
            hint: 'At most the backups that the plan allows. Older ones are deleted.',
          },
        }}
        initial={{ ...schedule }}
        action="Save the schedule"
      />
      <DeploymentButton
        request="backupSchedules.delete"
        action="End the schedule"
        question="End the schedule? Its backups stay until they expire."
        disabledReason={schedule ? null : 'There is no schedule.'}
      />
    </Section>
  );
}

function Current({ schedule }: { schedule: Supervisor.BackupScheduleView }) {
  const { cron, every_hours, keep, status, status_reason, next_at, last_run_at, last_error } = schedule;
  return (
    <Facts
      values={{
        Status: (
          <>
            <Status of={status} /> {status_reason}
          </>
        ),
        Times: cron === null ? `every ${every_hours} hours` : <code>{cron}</code>,
        'Backups that stay': keep,
        Next: <Time at={next_at} />,
        Last: last_run_at === null ? 'none yet' : <Time at={last_run_at} />,
        ...(last_error !== null && { 'Last error': last_error }),
      }}
    />
  );
}
