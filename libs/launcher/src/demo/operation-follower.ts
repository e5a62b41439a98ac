import type { OperationId } from '@libs/domain';
import { LauncherError } from '../launcher-error.js';
import { until } from '@libs/host/os';
import type { ApiClient } from './api-client.js';
import type { Progress } from './progress.js';

const LOOK_EVERY_MS = 200;
/** Longer than any successful operation. After it a person should look. */
const PATIENCE_MS = 10 * 60_000;

interface OperationStep {
  name: string;
  status: string;
  attempts: number;
  started_at: string | null;
  finished_at: string | null;
  error: string | null;
}

/** An operation in the format of the API. */
interface Operation {
  id: number;
  type: string;
  status: string;
  steps: OperationStep[];
  reason: string | null;
}

/** Shows the steps of operations as they end. */
export class OperationFollower {
  constructor(
    private readonly api: ApiClient,
    /** URL of the tenant on the main API. */
    private readonly tenantUrl: string,
    private readonly progress: Progress,
  ) {}

  /**
   * Follows an operation to its end. Throws LauncherError when it does not succeed within `patienceMs`, and the reason of
   * `signal` when it is aborted.
   */
  async follow(operationId: OperationId, signal: AbortSignal, patienceMs = PATIENCE_MS): Promise<void> {
    const url = `${this.tenantUrl}/operations/${operationId}`;
    let printed = 0;
    let operation: Operation | undefined;
    const isOver = async (): Promise<boolean> => {
      operation = await this.api.get<Operation>(url, signal);
      printed = this.show(operation, printed);
      return !isOpen(operation);
    };
    const ended = await until(isOver, { timeoutMs: patienceMs, everyMs: LOOK_EVERY_MS, hurry: signal });
    signal.throwIfAborted();
    if (!ended || !operation)
      throw new LauncherError(`Operation ${operationId} did not finish within ${patienceMs / 1000} s. See ${url}`);
    if (operation.status !== 'succeeded') throw new LauncherError(failureOf(operation));
  }

  /** Shows the steps that ended since the last call. Returns the number of shown steps. */
  private show(operation: Operation, printed: number): number {
    const ended = operation.steps.filter(({ finished_at: finished }) => finished !== null);
    for (const step of ended.slice(printed)) this.progress.step(step.name, lengthOf(step), remarkOf(step));
    const current = operation.steps.at(-1);
    if (current && current.finished_at === null)
      this.progress.underWay(current.name, lengthOf(current), operation.reason);
    return ended.length;
  }
}

const isOpen = ({ status }: Operation): boolean => status === 'pending' || status === 'running';

/** By the clock of the database. A running step uses the local clock, which is precise enough for a live line. */
function lengthOf({ started_at: started, finished_at: finished }: OperationStep): number {
  if (started === null) return 0;
  const end = finished === null ? Date.now() : Date.parse(finished);
  return Math.max(0, end - Date.parse(started));
}

function remarkOf({ status, attempts, error }: OperationStep): string {
  const tries = attempts > 1 ? `${attempts} attempts` : '';
  const end = status === 'succeeded' ? '' : `${status}${error ? `: ${error}` : ''}`;
  return [tries, end].filter(Boolean).join(', ');
}

function failureOf({ id, type, status, reason }: Operation): string {
  return `Operation ${id} (${type}) has ${status === 'failed' ? 'failed' : `the status ${status}`}: ${reason ?? 'no reason given'}`;
}
