import { LauncherError } from '../launcher-error.js';

/**
 * The keys for existing and restored secrets: first the keys of this installation, so that its encrypting key stays first, then
 * missing keys of the backup. Throws LauncherError when one id has two different keys.
 */
export function mergeKeys(current: string, restored: string): string {
  const currentKeys = new Map(entries(current));
  const missing = entries(restored).filter(([id, key]) => {
    if (currentKeys.has(id) && currentKeys.get(id) !== key)
      throw new LauncherError(
        `The secret key ${id} of the backup differs from the secret key ${id} here. Give one of the keys another id.`,
      );
    return !currentKeys.has(id);
  });
  return [...currentKeys, ...missing].map(([id, key]) => `${id}:${key}`).join(',');
}

function entries(text: string): [string, string][] {
  return text
    .trim()
    .split(',')
    .map((entry) => {
      const colon = entry.indexOf(':');
      return [entry.slice(0, colon).trim(), entry.slice(colon + 1).trim()];
    });
}
