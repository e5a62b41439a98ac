/** What a start came to. */
export interface IggyStart {
  /** Whether the server reported its configuration. It does so when all listeners are open. */
  started: boolean;
  /** The configuration that the server reports, by dotted key. Empty if it did not start. */
  report: Record<string, unknown>;
  /** Exit code of a server that ended by itself. Null: it ran until the end of the test, or it never got ready. */
  exit: number | null;
  /** Standard output and standard error. */
  output: string;
}

export const FREE_PORTS: Readonly<Record<string, string>>;
export function iggyEnvironment(variables?: Record<string, string>): Record<string, string>;
export function iggyRelease(binary: string): string;
export function startIggy(
  binary: string,
  keys: Record<string, unknown>,
  options?: { deadlineMs?: number; during?: (report: Record<string, unknown>) => Promise<void> },
): Promise<IggyStart>;
export function dottedKeys(table: Record<string, unknown>, path?: string): Record<string, unknown>;
