/** What the diagnosis of an account at a cloud has found. */
export interface CloudFinding {
  check: string;
  level: 'ok' | 'warn' | 'fail';
  what: string;
  /** What the operator does about it. Null: nothing. */
  todo: string | null;
}

export const finding = (
  check: string,
  level: CloudFinding['level'],
  what: string,
  todo: string | null,
): CloudFinding => ({
  ...{ check, level, what, todo },
});
