import { built } from './apps.mjs';

/** Lists that API clients depend on: the removal of a line breaks clients. */
export async function catalogueFiles() {
  const { AUDIT_TYPES, ERRORS, EVENTS, isRetryable } = await built('libs/domain/src/index.js');
  const errors = Object.entries(ERRORS)
    .sort(([a, x], [b, y]) => x.status - y.status || (a < b ? -1 : 1))
    .map(([code, { status, title }]) => `${status} ${code}${isRetryable(code) ? ' (retryable)' : ''}: ${title}`);
  return {
    'errors.txt': text(errors),
    'events.txt': text(['# events', ...named(EVENTS), '', '# audit types', ...named(AUDIT_TYPES)]),
  };
}

const named = (catalogue) =>
  Object.entries(catalogue)
    .map(([name, title]) => `${name}: ${title}`)
    .sort();
const text = (lines) => `${lines.join('\n')}\n`;
