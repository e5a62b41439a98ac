import { Injectable } from '@nestjs/common';
import { domainOf } from '@libs/domain';
import type { ActingCaller } from '@libs/http';
import { UsersRepository } from '@libs/persistence/organization';

/** An address with an unquoted local part. In a quoted one, its owner could write a sentence. */
const PLAIN_ADDRESS = /^[^\s"<>@]{1,64}@[^\s"<>@]+$/;

/** Returns the address as mails show it to strangers, or only its domain if the address has room for a sentence. */
export const shownAddress = (email: string): string =>
  PLAIN_ADDRESS.test(email) ? email : `A user of ${domainOf(email)}`;

/**
 * The words for a caller in mails to addresses that nobody has proved: the verified address of the user, and the id of the key. Names
 * are free text.
 */
@Injectable()
export class MailedCallers {
  constructor(private readonly users: UsersRepository) {}

  /** Returns for example `ann@example.com (signed in)`, or `ann@example.com (API key 7)`. */
  async wordsOf({ caller }: Pick<ActingCaller, 'caller'>): Promise<string> {
    const means = caller.key === null ? 'signed in' : `API key ${caller.key.id}`;
    return `${await this.addressOf(caller)} (${means})`;
  }

  /** Returns the verified address of the user. */
  async addressOf({ user }: Pick<ActingCaller['caller'], 'user'>): Promise<string> {
    return shownAddress((await this.users.find(user.id))?.email ?? '');
  }
}
