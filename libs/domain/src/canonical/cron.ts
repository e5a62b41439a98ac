const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
/** A day, a range of days, or all days, with or without a step. */
const DAY_ITEM = /^(?:\*|([0-7]|[A-Z]{3})(?:-([0-7]|[A-Z]{3}))?)(?:\/([1-9]))?$/;

/**
 * Returns a cron expression in the form that every parser takes: one space between fields, each entry of a list once, and Sunday as 0
 * (crontab also takes 7, and both beside each other). Other texts keep their fields.
 */
export function canonicalCron(text: string): string {
  const fields = text
    .trim()
    .toUpperCase()
    .split(/[ \t]+/);
  return fields.map((field, index) => (index === 4 ? daysOf(field) : once(field.split(',')))).join(' ');
}

const once = (items: readonly string[]): string => [...new Set(items)].join(',');

/** A list of days, or one with a 7, as the days that it names. */
function daysOf(field: string): string {
  if (!/[,7]/.test(field)) return field;
  const days = field.split(',').map(daysOfItem);
  if (days.some((one) => one === null)) return once(field.split(','));
  const named = new Set(days.flatMap((one) => one ?? []));
  return [...named].sort((one, other) => one - other).join(',');
}

/** Null for what is no item of a list of days. */
function daysOfItem(item: string): number[] | null {
  const match = DAY_ITEM.exec(item);
  if (!match) return null;
  const [, from, to, step] = match;
  const first = from === undefined ? 0 : dayOf(from);
  const last = to === undefined ? (from === undefined || step !== undefined ? 6 : first) : dayOf(to);
  if (first < 0 || last < first) return null;
  const days: number[] = [];
  for (let day = first; day <= last; day += Number(step ?? 1)) days.push(day % 7);
  return days;
}

const dayOf = (text: string): number => (/\d/.test(text) ? Number(text) : DAYS.indexOf(text));
