import type { OperationStatus, OperationType } from '@libs/domain';

/** An operation as the runner reads it with its lease. */
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
  /** Failed attempts of the current step. */
  attempt: number;
  memo: Record<string, unknown>;
  /** Undo steps that must still run, oldest first. */
  undo: string[];
  undoing: boolean;
  lease_token: number;
  signal_seq: number;
  /** The step that an operator wants to skip. No effect after the step has ended. */
  skip_step: string | null;
  /** The reason of an operator's cancellation. */
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
