import { OPERATIONS, OPEN_STATUSES } from '@libs/domain';
import type { OperationDetail } from '@libs/persistence/platform';
import type { OperationStepView, OperationView } from './operation.view.js';

const iso = (date: Date | string | null): string | null => (date === null ? null : new Date(date).toISOString());

/** An operation in the format of the contract (C-14.2). */
export function toOperationView(row: OperationDetail): OperationView {
  const isOpen = (OPEN_STATUSES as readonly string[]).includes(row.status);
  const past: OperationStepView[] = row.steps.map((step) => ({
    ...step,
    started_at: iso(step.started_at),
    finished_at: iso(step.finished_at),
  }));
  return {
    id: row.id,
    type: row.type,
    status: row.status,
    deployment_id: row.deployment_id,
    steps: isOpen ? [...past, currentStep(row)] : past,
    progress: progressOf(row, past.length),
    reason: row.reason,
    incident: row.incident && { ...row.incident, opened_at: new Date(row.incident.opened_at).toISOString() },
    author_id: row.author_id,
    created_at: row.created_at.toISOString(),
    started_at: iso(row.started_at),
    finished_at: iso(row.finished_at),
    next_attempt_at: isOpen ? iso(row.wake_at) : null,
  };
}

const currentStep = (row: OperationDetail): OperationStepView => ({
  name: row.step,
  status: row.attempt > 0 || row.reason !== null ? 'waiting' : 'running',
  attempts: row.attempt + (row.step_started_at ? 1 : 0),
  started_at: iso(row.step_started_at),
  finished_at: null,
  error: row.last_error,
});

/** Computed from completed steps. Repeated steps can delay the progress but never reduce it. */
function progressOf(row: OperationDetail, stepsDone: number): number {
  if (row.status === 'succeeded') return 100;
  return Math.min(99, Math.floor((100 * stepsDone) / OPERATIONS[row.type].steps));
}
