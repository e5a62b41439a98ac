import type { NewMail, ProtectedResource } from '@libs/persistence/organization';
import { rendered } from '../mail/index.js';
import { PROTECTED_ACTIONS, type ActionType } from './protected-action.js';

/** The user or key that requested a code, by the names that the reader of the mail knows. */
export interface CodeAsker {
  user: string;
  /** Null for a signed-in user. */
  key: string | null;
}

/** Returns the mail with a code. The code is alone on its line, for readers and for scripts. */
export function codeMail(
  actionType: ActionType,
  resource: ProtectedResource,
  { to, code, expiresAt, asker }: { to: string; code: string; expiresAt: Date; asker: CodeAsker },
): NewMail {
  const { words, warning } = PROTECTED_ACTIONS[actionType];
  const [thing = '', ...parents] = [
    resource.deployment,
    resource.environment,
    resource.division,
    resource.tenant,
  ].flatMap((named) => (named ? [named.name] : []));
  const means = asker.key === null ? 'signed in' : `API key "${asker.key}"`;
  const where = [thing, ...parents].map((name) => `"${name}"`).join(' in ');
  const content = rendered({
    paragraphs: [`${asker.user} (${means}) asked for a code to ${words} ${where}.`, 'The code is:'],
    codes: [code],
    closing: [
      `The code works once, until ${minuteOf(expiresAt)}. Five wrong attempts end the code.`,
      `${warning} If you do not expect this request, do nothing, and check who can use this name.`,
    ],
  });
  return { to, subject: `Code to ${words} ${thing}`, ...content };
}

const minuteOf = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
