/** A refusal of the API (C-2.2). */
export interface ErrorSpec {
  /** HTTP status of the answer. */
  readonly status: number;
  /** Short, constant, human-readable summary. */
  readonly title: string;
  /** What the caller can do about it. */
  readonly remedy: string;
}

export const spec = (status: number, title: string, remedy: string): ErrorSpec => ({ status, title, remedy });
