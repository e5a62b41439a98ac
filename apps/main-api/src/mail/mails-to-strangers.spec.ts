import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Invitation, NewMail, ProtectedResource } from '@libs/persistence/organization';
import { AccountMails } from '../account/account-mails.js';
import { InvoiceMails } from '../billing/invoices/invoice-mails.js';
import { confirmationMail } from '../channels/confirmation/confirmation-mail.js';
import type { MainApiConfig } from '../config.js';
import { invitationMail } from '../invitations/invitation-mail.js';
import { approvalMail, rejectionMail } from '../join-requests/answer-mail.js';
import { OwnershipAnnouncements } from '../ownership/ownership-announcements.js';
import { codeMail } from '../protection-codes/code-mail.js';
import { ACTION_TYPES } from '../protection-codes/protected-action.js';
import { AddressChange } from '../tenants/address-change.js';
import type { Mailbox } from './mailbox.js';
import { MailedCallers } from './mailed-callers.js';

const HOSTILE = [
  'Your account is locked, visit evil.example/login',
  'evil。example',
  'http:evil.example',
  'https://evil.example/x',
  'Call 555-0100\u202E now',
];
/** Verified addresses of users who write, each of which is also a domain of its own. */
const WRITERS = ['ann@writer.example', '"Your account is locked, visit evil.example/login"@writer.example'];
const OURS = 'https://cloud.example.com';
const EMAIL = 'victim@people.example';
const TOKEN = 'a-token';

const config = { LANDLORD_PUBLIC_URL: OURS, MAIN_API_PORT: 3000 } as MainApiConfig;

/** What people chose: a name, and the verified address of the user who writes. */
interface Chosen {
  name: string;
  writer: string;
}
type Mailer = (chosen: Chosen, mailbox: Mailbox) => Promise<unknown>;

const post =
  (...templates: ((chosen: Chosen) => NewMail)[]): Mailer =>
  async (chosen, mailbox) => {
    for (const template of templates) await mailbox.post(template(chosen));
  };

/** The mails of each file, to readers of whom the writer is a stranger. */
const TO_STRANGERS: Record<string, Mailer[]> = {
  'account/account-mails.ts': [
    ({ name }, mailbox) => new AccountMails(mailbox, config).verification(reader(name), TOKEN),
    ({ name }, mailbox) => new AccountMails(mailbox, config).passwordReset(reader(name), TOKEN),
    ({ name }, mailbox) => new AccountMails(mailbox, config).accountExists(reader(name), TOKEN),
    ({ name }, mailbox) => new AccountMails(mailbox, config).passwordChanged(reader(name)),
    (chosen, mailbox) => new AccountMails(mailbox, config).joined(newcomer(chosen)),
    (chosen, mailbox) => new AccountMails(mailbox, config).joinRequested(newcomer(chosen), 3),
  ],
  'invitations/invitation-mail.ts': [post(({ name }) => invitationMail(invitation(name), `${OURS}/console/account/7`))],
  'channels/confirmation/confirmation-mail.ts': [
    async (chosen, mailbox) => {
      const { caller } = actorOf(chosen);
      const asker = await callersOf(chosen).addressOf(caller);
      await mailbox.post({ to: EMAIL, ...confirmationMail({ url: `${OURS}/console/x`, token: TOKEN, asker }) });
    },
  ],
  'join-requests/answer-mail.ts': [
    post(({ name }) => approvalMail(joinRequest(name), OURS)),
    post(({ name }) => rejectionMail(joinRequest(name))),
  ],
  'ownership/ownership-announcements.ts': [
    (chosen, mailbox) => {
      const announcements = new OwnershipAnnouncements(mailbox, { record: () => Promise.resolve() } as never, config);
      return announcements.offered(actorOf(chosen), { id: 2, ...reader(chosen.name) } as never, 3, new Date());
    },
  ],
  'billing/invoices/invoice-mails.ts': [
    ({ name }, mailbox) => {
      const invoice = { id: 1, number: 'I-1', tenantId: 1, month: '2026-11', provider: 'card', totalUsd: '1.00' };
      const row = { ...invoice, tenantName: name, dueAt: new Date(), email: EMAIL };
      return new InvoiceMails(mailbox, config).issued([row as never]);
    },
  ],
  'protection-codes/code-mail.ts': [
    async (chosen, mailbox) => {
      const asker = await callersOf(chosen).wordsOf(actorOf(chosen));
      for (const type of ACTION_TYPES)
        await mailbox.post(
          codeMail(type, resource(chosen.name), { to: EMAIL, code: 'ABCDEFGH', expiresAt: new Date(), asker }),
        );
    },
  ],
  'tenants/address-change.ts': [
    async (chosen, mailbox) => {
      for (const until of [new Date(), null]) {
        const tenants = { keepCodeAddress: () => Promise.resolve({ addresses: [EMAIL], until }) };
        const changes = new AddressChange(tenants as never, mailbox, callersOf(chosen));
        for (const next of ['', 'locked@evil.example'])
          await changes.announce(actorOf(chosen), { id: 1, name: chosen.name } as never, next);
      }
    },
  ],
};

/** The files with other mails, their number, and why names may stand in them. */
const TO_PEOPLE: Record<string, [count: number, reason: string]> = {
  'channels/delivery/email.sender.ts': [1, 'The reader proved the address and agreed to the notifications.'],
  'channels/delivery/channel-disabler.ts': [1, 'The reader is the owner, and members chose the names.'],
  'channels/confirmation/confirmation-notices-job.ts': [1, 'The reader is the owner, and members chose the names.'],
  'ownership/ownership-announcements.ts': [2, 'The reader offered the organization to the member who answers.'],
};

const reader = (name: string): { email: string; name: string } => ({ email: EMAIL, name });

const joinRequest = (name: string): { email: string } => ({ ...reader(name), tenant_name: name }) as { email: string };

/** The owner knows the name of the own organization. */
const newcomer = ({ name, writer }: Chosen) => ({
  user: { email: writer, name },
  tenant: { id: 1, name: 'Acme' },
  owner: { email: EMAIL, name: 'Olga' },
});

const invitation = (name: string): Invitation =>
  ({
    ...{ id: 7, email: EMAIL, tenant_name: name, division_name: name, inviter_name: name },
    ...{ roles: [{ id: 1, name }], expires_at: new Date() },
  }) as unknown as Invitation;

const resource = (name: string): ProtectedResource => ({
  ...{ tenant: { id: 1, name }, division: { id: 2, name }, environment: { id: 3, name }, deployment: { id: 4, name } },
  ...{ address: EMAIL, owner: { id: 5, email: EMAIL } },
});

const actorOf = ({ name }: Chosen) =>
  ({
    tenant: { id: 1, name },
    caller: { user: { id: 1, name }, key: { id: 6, name } },
    author: { user: { id: 1, name } },
  }) as never as Parameters<OwnershipAnnouncements['offered']>[0];

const callersOf = ({ writer }: Chosen) => new MailedCallers({ find: () => ({ email: writer }) } as never);

async function mailsOf(mailer: Mailer, chosen: Chosen): Promise<NewMail[]> {
  const mails: NewMail[] = [];
  await mailer(chosen, { post: async (...more: NewMail[]) => void mails.push(...more) } as unknown as Mailbox);
  return mails;
}

const wordsOf = ({ subject, text, html = '' }: NewMail): string => [subject, text, html].join('\n');

const ROWS = Object.entries(TO_STRANGERS).flatMap(([file, mailers]) =>
  mailers.map((mailer, index) => [`${file}, ${index + 1}`, mailer] as const),
);

describe.each(ROWS)('The mail %s to a stranger', (_, mailer) => {
  it.each(HOSTILE.flatMap((name) => WRITERS.map((writer) => ({ name, writer }))))(
    'has neither the name $name, nor a sentence of $writer, nor an address that is not ours',
    async (chosen) => {
      const mails = await mailsOf(mailer, chosen);

      expect(mails).not.toEqual([]);
      for (const all of mails.map(wordsOf)) {
        for (const word of [chosen.name, 'evil', 'locked', '555-0100']) expect(all).not.toContain(word);
        const addresses = [...all.matchAll(/[a-z]+:\/\/[^\s"<]+/g)].map(([address]) => address);
        expect(addresses.filter((address) => !address.startsWith(OURS))).toEqual([]);
      }
    },
  );
});

describe('The mails that a caller causes', () => {
  it.each(['protection-codes/code-mail.ts', 'tenants/address-change.ts', 'channels/confirmation/confirmation-mail.ts'])(
    '%s name the verified address of the caller',
    async (file) => {
      for (const mailer of TO_STRANGERS[file] ?? [])
        for (const mail of await mailsOf(mailer, { name: 'Ann', writer: 'ann@writer.example' }))
          expect(mail.text).toMatch(/^ann@writer\.example /);
    },
  );
});

describe('The table of mails', () => {
  const sources = join(import.meta.dirname, '..');
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((file) => /^(?!.*\.spec\.ts$).*\.ts$/.test(file))
    .map((file) => ({ file, source: readFileSync(join(sources, file), 'utf8') }));
  const numberOf = (file: string): number => (TO_STRANGERS[file]?.length ?? 0) + (TO_PEOPLE[file]?.[0] ?? 0);

  it('has each mail that the app renders', () => {
    const rendering = files.map(
      ({ file, source }) => [file, source.match(/(?<!function )\brenderMail\(/g)?.length ?? 0] as const,
    );
    const all = rendering.filter(([, count]) => count > 0);

    expect(all).toEqual(all.map(([file]) => [file, numberOf(file)]));
    expect(all.map(([file]) => file).sort()).toEqual(
      [...new Set([...Object.keys(TO_STRANGERS), ...Object.keys(TO_PEOPLE)])].sort(),
    );
  });

  it('leaves out no mail that is written without rendering', () => {
    const posting = files.filter(({ source }) => /mailbox\.post\(|transport\.deliver\(/.test(source));
    const unknown = posting.filter(({ file, source }) => numberOf(file) === 0 && !/from '.*-mail\.js'/.test(source));

    // The loop that sends what is in the mailbox.
    expect(unknown.map(({ file }) => file)).toEqual(['mail/mail-reconciler.ts']);
  });
});
