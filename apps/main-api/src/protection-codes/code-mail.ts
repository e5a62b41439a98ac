import type { NewMail, ProtectedPlace } from '@libs/persistence/organization';
import { PROTECTED_ACTIONS, type ActionType } from './protected-action.js';

/** Who asked for a code, by whose names the reader knows them. */
export interface CodeAsker {
  user: string;
  /** Null for somebody who is signed in. */
  key: string | null;
}

/** The mail that carries a code; the code is alone on its line, for people and for scripts. */
export function codeMail(
  actionType: ActionType,
  place: ProtectedPlace,
  { code, expiresAt, asker }: { code: string; expiresAt: Date; asker: CodeAsker },
): NewMail {
  const { words } = PROTECTED_ACTIONS[actionType];
  const [thing = '', ...parents] = [place.deployment, place.environment, place.division, place.tenant].flatMap(
    (named) => (named ? [printable(named.name)] : []),
  );
  const means = asker.key === null ? 'signed in' : `API key "${printable(asker.key)}"`;
  const text = [
    `${printable(asker.user)} (${means}) asked for a code to ${words}`,
    `"${thing}"${parents.map((name) => ` in "${name}"`).join('')}.`,
    '',
    'The code is:',
    '',
    code,
    '',
    `It works once, until ${minuteOf(expiresAt)}, and five wrong tries end it.`,
    'Whoever has it can delete this for good. If nobody should, do nothing, and',
    'look for who could do that in this name.',
    '',
  ];
  return { to: place.address, subject: `Code to ${words} ${thing}`, text: text.join('\n') };
}

const minuteOf = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Names are what people choose: none may begin a line of its own, where it could pass for the code. */
const printable = (name: string): string => name.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ');
