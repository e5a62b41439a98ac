import type { OperationStatus, OperationType } from '@libs/domain';

/** An operation as the runner holds it after taking its lease. */
export interface OperationRow {
  id: number;
  type: OperationType;
  queue: string;
  tenant_id: number;
  division_id: number | null;
  environment_id: number | null;
  deployment_id: number | null;
  status: OperationStatus;
  step: string;
  step_seq: number;
  step_entered_at: Date;
  /** Attempts of the current step that ended in an error. */
  attempt: number;
  memo: Record<string, unknown>;
  /** Undo steps still to run, oldest first. */
  undo: string[];
  undoing: boolean;
  lease_token: number;
  signal_seq: number;
  /** The step that an operator wants passed over; of no effect once it has ended by itself. */
  skip_step: string | null;
  /** Why an operator wants it ended. */
  cancel_reason: string | null;
  reason: string | null;
  incident_id: number | null;
  author_id: number | null;
  api_key_id: number | null;
  trace_id: string;
  created_at: Date;
  /** Seconds since the step was entered, by the database's clock. */
  step_age_seconds: number;
}
