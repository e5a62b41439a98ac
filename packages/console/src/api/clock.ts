/** How far the clock of the installation is ahead of the clock of this computer. */
let aheadMs = 0;

/** Learns the time of the installation from an answer of the main API. The clock of a computer can be a day wrong. */
export function noticeTime({ headers }: Response): void {
  const at = Date.parse(headers.get('date') ?? '');
  if (!Number.isNaN(at)) aheadMs = at - Date.now();
}

/** The time of the installation. */
export const serverNow = (): number => Date.now() + aheadMs;
