import type {
  OperationStatus,
  OperationType,
  ApiKeyId,
  DeploymentId,
  DivisionId,
  EnvironmentId,
  IncidentId,
  OperationId,
  TenantId,
  UserId,
} from '@libs/domain';
import type { NumberedRow } from '@libs/persistence';

/** An operation as the runner reads it with its lease. */
export interface OperationRow extends NumberedRow {
  id: OperationId;
  type: OperationType;
  queue: string;
  tenant_id: TenantId;
  division_id: DivisionId | null;
  environment_id: EnvironmentId | null;
  deployment_id: DeploymentId | null;
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
  incident_id: IncidentId | null;
  author_id: UserId | null;
  api_key_id: ApiKeyId | null;
  trace_id: string;
  created_at: Date;
  /** Seconds since the step was entered, by the database's clock. */
  step_age_seconds: number;
}
