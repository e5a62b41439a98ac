import { readFileSync } from 'node:fs';

/**
 * The settings that are present, also those in the files that `NAME_FILE` names. Empty values count as absent. `unread`: the
 * settings whose file cannot be read, and why.
 */
export function presentSettings(environment: NodeJS.ProcessEnv): {
  present: Map<string, string>;
  unread: Map<string, string>;
} {
  const present = new Map(Object.entries(environment).filter((entry): entry is [string, string] => Boolean(entry[1])));
  const unread = new Map<string, string>();
  for (const [name, file] of [...present].filter(([key]) => key.endsWith('_FILE'))) {
    const target = name.slice(0, -'_FILE'.length);
    if (present.has(target)) continue;
    const content = readOr(file, (code) => unread.set(target, `${file} cannot be read (${code})`));
    if (content) present.set(target, content);
  }
  return { present, unread };
}

/** The text of a file without blanks at its ends. Passes the code of the error to `onError` when the file cannot be read. */
export function readOr(file: string, onError: (code: string) => void): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    onError((error as NodeJS.ErrnoException).code ?? 'error');
    return undefined;
  }
}
