/** A difference up to this is no fault of a clock. */
const TOLERANCE_MS = 60_000;

/** How far the clock of the installation is ahead of the clock of this machine, in milliseconds. */
let aheadMs = 0;

/** Reads the time of an answer: the header `date`. */
export function noteTime(date: string | undefined): void {
  const at = Date.parse(date ?? '');
  if (!Number.isNaN(at) && Math.abs(at - Date.now()) > TOLERANCE_MS) aheadMs = at - Date.now();
}

/** The time of the installation, which judges the times of requests. */
export const timeOfInstallation = (): number => Date.now() + aheadMs;

/** What a person should know about the clock of this machine. Null: the clock is right, or nothing has answered. */
export function clockNotice(): string | null {
  if (aheadMs === 0) return null;
  const minutes = Math.round(Math.abs(aheadMs) / 60_000);
  return `The clock of this machine is ${minutes} minutes ${aheadMs > 0 ? 'behind' : 'ahead of'} the clock of the installation.`;
}
