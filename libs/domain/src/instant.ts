const INSTANT = /^(\d{4}-\d{2}-(\d{2}))(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/**
 * Reads an instant in ISO 8601: a date and a time with its offset, to the millisecond. A date alone is its first
 * instant in UTC. Returns null for any other text, also for a day that its month does not have.
 */
export function parseInstant(text: string): Date | null {
  const match = INSTANT.exec(text);
  const [, date = '', day] = match ?? [];
  const instant = new Date(text);
  if (!match || Number.isNaN(instant.getTime())) return null;
  return new Date(date).getUTCDate() === Number(day) ? instant : null;
}
