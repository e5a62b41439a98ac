import { createHmac, randomBytes, randomInt } from 'node:crypto';
import { isSameHash, type UserId } from '@libs/domain';
import type { StoredCode } from '@libs/persistence/organization';
import type { ActionType } from './protected-action.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ23456789';
const LENGTH = 8;
const SALT_BYTES = 16;

/** The resource and the action of a code. The code is valid for nothing else. */
export interface CodeSubject {
  actionType: ActionType;
  /** The id of the resource itself. */
  resourceId: number;
  /** The member of the action, if any. */
  memberId?: UserId | undefined;
}

/** Returns 8 characters of A–Z and 2–9. */
export const newCode = (): string =>
  Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');

/** Returns the stored form of a code. */
export function hashedCode(subject: CodeSubject, code: string): StoredCode {
  const salt = randomBytes(SALT_BYTES);
  return { salt, codeHash: hash(subject, salt, code) };
}

/** Whether this is the code. Ignores case and surrounding blanks, because people type the code. */
export const isCode = (subject: CodeSubject, { salt, codeHash }: StoredCode, code: string): boolean =>
  isSameHash(codeHash, hash(subject, salt, code.trim().toUpperCase()));

const hash = ({ actionType, resourceId, memberId }: CodeSubject, salt: Buffer, code: string): Buffer =>
  createHmac('sha256', salt)
    .update([actionType, resourceId, ...(memberId === undefined ? [] : [memberId]), code].join('\0'))
    .digest();
