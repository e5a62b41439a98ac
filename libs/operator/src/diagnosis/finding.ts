export const FINDING_LEVELS = ['ok', 'warn', 'fail'] as const;

/** The result of one check of the doctor. */
export interface Finding {
  /** The checked part, in one or two words. */
  check: string;
  level: (typeof FINDING_LEVELS)[number];
  /** The observation. */
  what: string;
  /** The action to take. Null for none. */
  todo: string | null;
}

export const ok = (check: string, what: string): Finding => ({ check, level: 'ok', what, todo: null });
export const warn = (check: string, what: string, todo: string): Finding => ({ check, level: 'warn', what, todo });
export const fail = (check: string, what: string, todo: string): Finding => ({ check, level: 'fail', what, todo });
