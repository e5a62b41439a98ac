import { GROUPS } from './generated/groups.js';

/** The verb of a group that is named alone, where it is not the first one that the group has of COMMON_VERBS. */
const OWN_VERBS: Readonly<Record<string, string>> = { metrics: 'get-latest', billing: 'get-info', network: 'get-info' };
const COMMON_VERBS = ['list', 'get'];
const HELP = ['-h', '--help'];
const FOLLOW = ['-f', '--follow'];

/**
 * The words with their verb: `keys` is `keys list`, and `logs -f` is `logs stream`. Words with a verb, and words that ask for help,
 * stay as they are.
 */
export function withVerb(words: readonly string[]): readonly string[] {
  const [group = '', ...rest] = words;
  const [next] = rest;
  const isAlone = next === undefined || (next.startsWith('-') && !rest.some((word) => HELP.includes(word)));
  if (!isAlone) return words;
  if (group === 'logs' && rest.some((word) => FOLLOW.includes(word)))
    return [group, 'stream', ...rest.filter((word) => !FOLLOW.includes(word))];
  const verb = verbOf(group);
  return verb === undefined ? words : [group, verb, ...rest];
}

function verbOf(group: string): string | undefined {
  if (!Object.hasOwn(GROUPS, group)) return undefined;
  const verbs = GROUPS[group]?.split(', ') ?? [];
  return OWN_VERBS[group] ?? COMMON_VERBS.find((verb) => verbs.includes(verb));
}
