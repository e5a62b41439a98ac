export const FINDING_LEVELS = ['ok', 'warn', 'fail'] as const;

/** What one look of the doctor found. */
export interface Finding {
  /** What was looked at, in one or two words. */
  check: string;
  level: (typeof FINDING_LEVELS)[number];
  /** What is the case. */
  what: string;
  /** What to do about it; null when nothing has to be done. */
  todo: string | null;
}

export const ok = (check: string, what: string): Finding => ({ check, level: 'ok', what, todo: null });
export const warn = (check: string, what: string, todo: string): Finding => ({ check, level: 'warn', what, todo });
export const fail = (check: string, what: string, todo: string): Finding => ({ check, level: 'fail', what, todo });
