import { createHmac, randomBytes, randomInt } from 'node:crypto';
import { isSameHash } from '@libs/domain';
import type { StoredCode } from '@libs/persistence/organization';
import type { ActionType } from './protected-action.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ23456789';
const LENGTH = 8;
const SALT_BYTES = 16;

/** What a code is bound to: it opens nothing else. */
export interface CodeSubject {
  actionType: ActionType;
  /** Of the thing itself. */
  resourceId: number;
  /** The member that the action is about, if any. */
  memberId?: number | undefined;
}

/** 8 characters of A–Z and 2–9. */
export const newCode = (): string =>
  Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');

/** What is kept of a code. */
export function hashedCode(subject: CodeSubject, code: string): StoredCode {
  const salt = randomBytes(SALT_BYTES);
  return { salt, codeHash: hash(subject, salt, code) };
}

/** Whether this is the code, in any case, with or without blanks around it: people type it. */
export const isCode = (subject: CodeSubject, { salt, codeHash }: StoredCode, code: string): boolean =>
  isSameHash(codeHash, hash(subject, salt, code.trim().toUpperCase()));

const hash = ({ actionType, resourceId, memberId }: CodeSubject, salt: Buffer, code: string): Buffer =>
  createHmac('sha256', salt)
    .update([actionType, resourceId, ...(memberId === undefined ? [] : [memberId]), code].join('\0'))
    .digest();
