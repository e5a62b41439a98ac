import { usage } from '../../exit.js';

const STEP = /\.([\w-]+)|\[(\d*)\]/y;

/**
 * The parts of a value that a path names: `.name` is a member, `[0]` an item, and `[]` every item. What does not exist is left out.
 * @throws CommandError for another expression
 */
export function selected(value: unknown, path: string): unknown[] {
  const steps = stepsOf(path);
  let parts: unknown[] = [value];
  for (const step of steps) parts = parts.flatMap((part) => inside(part, step));
  return parts;
}

type Step = { member: string } | { at: number | null };

function stepsOf(path: string): Step[] {
  const steps: Step[] = [];
  const text = path.replace(/^\.(?=\[|$)/, '');
  for (STEP.lastIndex = 0; STEP.lastIndex < text.length;) {
    const match = STEP.exec(text);
    if (!match) throw usage(`"${path}" is not a path.`, 'such as .items[].name or .items[0].id');
    const [, member, at] = match;
    steps.push(member === undefined ? { at: at === '' ? null : Number(at) } : { member });
  }
  return steps;
}

function inside(part: unknown, step: Step): unknown[] {
  if (typeof part !== 'object' || part === null) return [];
  if ('member' in step) return Object.hasOwn(part, step.member) ? [(part as Record<string, unknown>)[step.member]] : [];
  if (!Array.isArray(part)) return [];
  return step.at === null ? (part as unknown[]) : (part as unknown[]).slice(step.at, step.at + 1);
}
