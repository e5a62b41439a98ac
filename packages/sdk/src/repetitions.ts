import { LandlordError, ProblemError, UnexpectedAnswerError } from './errors.js';

/** A longer `retry-after` is for the caller: a call does not wait so long. */
const LONGEST_WAIT_MS = 60_000;
const FIRST_WAIT_MS = 250;
const LONGEST_BACK_OFF_MS = 10_000;

/** How long and how often a call may go on. */
export interface Endurance {
  retries: number;
  patienceMs: number;
  onWait: (refusal: ProblemError) => void;
}

/** The request as far as its repetition is concerned. */
interface Repeatable {
  method: string;
  /** The server repeats its first answer to the same key. */
  isKeyed: boolean;
}

/** Decides after each failed attempt of one call whether and when there is another one. */
export class Repetitions {
  private readonly beganMs = performance.now();
  private failures = 0;

  constructor(
    private readonly request: Repeatable,
    private readonly endurance: Endurance,
  ) {}

  /** The milliseconds before another attempt. Null: another attempt cannot help, or could do the change twice. */
  waitAfter(error: unknown): number | null {
    const { retries, onWait } = this.endurance;
    if (retries === 0 || !this.mayRepeat(error)) return null;
    if (isInTheWay(error)) return this.waitForOther(error, onWait);
    const waitMs = askedBy(error) ?? backOff(this.failures);
    this.failures += 1;
    return this.failures <= retries && waitMs <= LONGEST_WAIT_MS ? waitMs : null;
  }

  private waitForOther(refusal: ProblemError, onWait: Endurance['onWait']): number | null {
    const waitMs = askedBy(refusal) ?? FIRST_WAIT_MS;
    if (performance.now() - this.beganMs + waitMs > this.endurance.patienceMs) return null;
    onWait(refusal);
    return waitMs;
  }

  private mayRepeat(error: unknown): boolean {
    const isSafe = this.request.isKeyed || this.request.method === 'GET';
    if (error instanceof ProblemError) return error.isRetryable && (isSafe || hadNoEffect(error));
    return error instanceof LandlordError && isTransient(error) && isSafe;
  }
}

/** Other work is in the way, and ends by itself: an operation of the deployment, or the first request with the same key. */
const isInTheWay = (error: unknown): error is ProblemError => error instanceof ProblemError && error.status === 409;

const askedBy = (error: unknown): number | null => (error instanceof ProblemError ? error.retryAfterMs : null);

const backOff = (failures: number): number =>
  Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_BACK_OFF_MS) * (1 + Math.random());

/** A refused request changed nothing, unless the server itself does not know. After another 5xx nobody knows. */
const hadNoEffect = ({ status, problem }: ProblemError): boolean =>
  status < 500 || (status === 503 && problem['outcome'] !== 'unknown');

/** A proxy that has no server answers with 5xx. Other pages are of a server that is not Landlord. */
export const isTransient = (error: LandlordError): boolean =>
  !(error instanceof UnexpectedAnswerError) || error.status >= 502;
