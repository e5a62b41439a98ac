import type { NewMail, ProtectedResource } from '@libs/persistence/organization';
import { renderMail } from '../mail/index.js';
import { PROTECTED_ACTIONS, type ActionType } from './protected-action.js';

interface MailedCode {
  to: string;
  code: string;
  expiresAt: Date;
  /** The words of `MailedCallers` for the user or key that requested the code. */
  asker: string;
}

/**
 * Returns the mail with a code. The code is alone on its line, for readers and for scripts. Nobody has proved the address of an
 * organization, so the mail has ids instead of names.
 */
export function codeMail(
  actionType: ActionType,
  resource: ProtectedResource,
  { to, code, expiresAt, asker }: MailedCode,
): NewMail {
  const { words, warning } = PROTECTED_ACTIONS[actionType];
  const [[, id] = ['', 0], ...parents] = [
    ['deployment', resource.deployment?.id] as const,
    ['environment', resource.environment?.id] as const,
    ['division', resource.division?.id] as const,
    ['organization', resource.tenant.id] as const,
  ].filter(([, level]) => level !== undefined);
  const where = [id, ...parents.map(([kind, parent]) => `${kind} ${parent}`)].join(' of ');
  const content = renderMail({
    paragraphs: [`${asker} asked for a code to ${words} ${where}.`, 'The code is:'],
    codes: [code],
    closing: [
      `The code works once, until ${minuteOf(expiresAt)}. Five wrong attempts end the code.`,
      `${warning} If you do not expect this request, do nothing, and check who can act as this user.`,
    ],
  });
  return { to, subject: `Code to ${words} ${id}`, ...content };
}

const minuteOf = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
