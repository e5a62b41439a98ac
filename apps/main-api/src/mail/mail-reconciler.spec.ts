import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { MailsRepository, type NewMail } from '@libs/persistence/organization';
import { eventually, freePorts, MailFolder, SmtpReceiver, WorkflowBench } from '@libs/testing';
import { FileTransport } from './file.transport.js';
import { MailReconciler } from './mail-reconciler.js';
import type { MailTransport } from './mail-transport.js';
import { Mailbox } from './mailbox.js';
import { SmtpTransport } from './smtp.transport.js';

const SENDER = { from: 'Landlord <no-reply@cloud.test>', domain: 'cloud.test' };
const MAIL = { to: 'ann@example.org', subject: 'Hello', text: 'The text.\n' };

class Undone extends Error {}

describe('Mail', () => {
  let bench: WorkflowBench;
  let receiver: SmtpReceiver;
  let reconcilers: MailReconciler[];
  let lines: unknown[];

  beforeAll(async () => {
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());
  beforeEach(async () => {
    reconcilers = [];
    lines = [];
    const say = (...line: unknown[]): void => void lines.push(line);
    Logger.overrideLogger({ log: () => undefined, warn: say, error: say });
    receiver = await SmtpReceiver.start();
    await bench.rows('delete from mails');
  });
  afterEach(async () => {
    await Promise.all(reconcilers.map((reconciler) => reconciler.onModuleDestroy()));
    await receiver.stop();
    Logger.overrideLogger(false);
  });

  const mailbox = (): Mailbox => new Mailbox(bench.database, new MailsRepository(bench.database, bench.secrets));
  const post = (box: Mailbox, mail: NewMail = MAIL): Promise<void> => bench.database.transaction(() => box.post(mail));
  function start(box: Mailbox = mailbox(), transport: MailTransport = new SmtpTransport(receiver.url, SENDER)) {
    const reconciler = new MailReconciler(new MailsRepository(bench.database, bench.secrets), box, transport);
    reconcilers.push(reconciler);
    reconciler.onApplicationBootstrap();
    return reconciler;
  }
  const row = async () => (await bench.rows<any>('select * from mails'))[0];
  const isDue = () => bench.rows('update mails set next_attempt_at = now()');

  it('is sent after the commit, and is not sent after a rollback', async () => {
    const box = mailbox();
    start(box);

    const undone = bench.database.transaction(async () => {
      await box.post({ ...MAIL, subject: 'Undone' });
      throw new Undone();
    });
    await expect(undone).rejects.toThrow(Undone);
    await post(box);

    const [mail] = await eventually('it has come', () => (receiver.mails.length > 0 ? receiver.mails : null));
    expect(mail).toMatchObject({ recipients: ['ann@example.org'], sender: 'no-reply@cloud.test', text: 'The text.\n' });
    expect(mail?.headers).toMatchObject({ subject: ['Hello'], 'auto-submitted': ['auto-generated'] });
    await eventually('it is delivered', async () => (await row()).status === 'delivered');
    expect(await row()).toMatchObject({ body: '', attempts: 1 });
    expect(receiver.mails).toHaveLength(1);
  });

  it('is encrypted in the database while it waits', async () => {
    await post(mailbox(), { ...MAIL, text: 'secret word', html: '<p>secret word</p>' });

    expect(JSON.stringify(await row())).not.toContain('secret word');
    expect((await row()).body).toMatch(/^k1\./);
    expect((await row()).html).toMatch(/^k1\./);
  });

  it('contains text and HTML if both are given, and its content is deleted after the delivery', async () => {
    const box = mailbox();
    start(box);

    await post(box, { ...MAIL, html: '<p>The <b>text</b>.</p>' });

    const [mail] = await eventually('it has come', () => (receiver.mails.length > 0 ? receiver.mails : null));
    expect(mail).toMatchObject({ text: 'The text.\n', html: '<p>The <b>text</b>.</p>' });
    await eventually('it is delivered', async () => (await row()).status === 'delivered');
    expect(await row()).toMatchObject({ body: '', html: null });
  });

  it('arrives once when several processes deliver', async () => {
    const box = mailbox();
    for (let n = 0; n < 30; n += 1) await post(box, { ...MAIL, subject: `Mail ${n}` });

    for (let n = 0; n < 3; n += 1) start();

    await eventually('all are delivered', async () => {
      const [{ count }] = (await bench.rows<any>(`select count(*)::int from mails where status = 'delivered'`)) as [
        any,
      ];
      return count === 30;
    });
    expect(new Set(receiver.mails.map(({ headers }) => headers['subject']?.[0])).size).toBe(30);
    expect(receiver.mails).toHaveLength(30);
  });

  it('is retried with the same Message-ID after a growing pause, and the log contains none of its content', async () => {
    receiver.refusal = `no mailbox for ${MAIL.to}`;
    const box = mailbox();
    start(box);
    await post(box, { ...MAIL, subject: 'Confidential' });
    const pause = async () => {
      const [{ seconds }] = (await bench.rows<any>(
        `select extract(epoch from next_attempt_at - now())::float8 as seconds from mails where last_error is not null`,
      )) as [any];
      return seconds as number;
    };
    await eventually('it was refused', async () => (await row()).last_error !== null);
    const first = await pause();
    await isDue();
    await eventually('it was refused again', async () => (await row()).attempts === 2 && lines.length === 2);
    const second = await pause();
    receiver.refusal = null;
    await isDue();

    await eventually('it is delivered', async () => (await row()).status === 'delivered');
    expect(receiver.mails[0]?.headers['message-id']).toEqual([`<${(await row()).message_id}@cloud.test>`]);
    expect([first > 10, first <= 15, second > 25, second <= 30]).toEqual([true, true, true, true]);
    expect((await row()).last_error).toBeNull();
    expect(JSON.stringify(lines)).not.toMatch(/ann@|Confidential|no mailbox/);
  });

  it('waits for a server that does not answer', async () => {
    const [port = 0] = await freePorts(1);
    const box = mailbox();
    start(box, new SmtpTransport(`smtp://127.0.0.1:${port}`, SENDER));
    await post(box);
    await eventually('it was not delivered', async () => (await row()).last_error !== null);

    const late = await SmtpReceiver.start(port);
    await isDue();
    await eventually('it has come', () => late.mails.length === 1);
    await eventually('it is delivered', async () => (await row()).status === 'delivered');

    await late.stop();
    expect(JSON.stringify(lines)).toMatch(/"error":"E[A-Z]+"/);
  });

  it('has the same Message-ID in both deliveries when the result of the first one is unknown', async () => {
    let isHeld = true;
    receiver.acknowledge = () => (isHeld ? new Promise(() => undefined) : Promise.resolve());
    const box = mailbox();
    const dying = start(box);
    await post(box);
    await eventually('it has come', () => receiver.mails.length === 1);

    await dying.onModuleDestroy();
    isHeld = false;
    await isDue();
    start();
    await eventually('it is delivered', async () => (await row()).status === 'delivered');

    const ids = receiver.mails.map(({ headers }) => headers['message-id']?.[0]);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  it('is taken over from a worker that died, and later writes of that worker have no effect', async () => {
    const mails = new MailsRepository(bench.database, bench.secrets);
    await post(mailbox());
    const [mail] = await mails.take(10, 120);

    expect(await mails.take(10, 120)).toEqual([]);
    await isDue();
    const [again] = await mails.take(10, 120);

    expect([mail?.attempt, again?.attempt]).toEqual([1, 2]);
    expect(mail && (await mails.postpone(mail, 1, 'late'))).toBe(false);
    expect(mail && (await mails.fail(mail, 'late'))).toBe(false);
    expect(again && (await mails.postpone(again, 1, 'busy'))).toBe(true);
  });

  it('fails after a day with one line in the log, and its row is deleted later', async () => {
    receiver.refusal = 'not today';
    await post(mailbox());
    await bench.rows(`update mails set created_at = now() - interval '25 hours'`);
    start();

    await eventually('it has failed', async () => (await row()).status === 'failed');
    const ended = await row();
    const mails = new MailsRepository(bench.database, bench.secrets);
    await mails.forget();
    const rows = await bench.rows('select 1 from mails');
    await bench.rows(`update mails set status = 'delivered', ended_at = now() - interval '25 hours'`);
    await mails.forget();

    expect(ended).toMatchObject({ body: '', last_error: expect.stringContaining('451') });
    expect(lines).toHaveLength(1);
    expect(rows).toHaveLength(1);
    expect(await row()).toBeUndefined();
  });

  it('cannot get headers or recipients from the names in it', async () => {
    const box = mailbox();
    start(box);

    await post(box, {
      to: MAIL.to,
      subject: 'Ä\r\nBcc: eve@example.org\r\n\r\nBody of mine',
      text: 'Line\r\n.\r\nRCPT TO:<eve@example.org>\r\nÜmlaut\n',
    });
    await eventually('it has come', () => receiver.mails.length === 1);
    await post(box, { ...MAIL, to: 'ann@example.org, eve@example.org' });
    await post(box, { ...MAIL, to: 'ann@example.org>\r\nRCPT TO:<eve@example.org' });
    await eventually('all were tried', async () => {
      const waiting = await bench.rows(`select 1 from mails where status = 'waiting' and last_error is null`);
      return waiting.length === 0;
    });

    const [mail] = receiver.mails;
    expect(receiver.mails.flatMap(({ recipients }) => recipients).filter((name) => name === 'eve@example.org')).toEqual(
      [],
    );
    expect(mail?.recipients).toEqual([MAIL.to]);
    expect(mail?.headers['bcc']).toBeUndefined();
    expect(mail?.headers['subject']?.[0]).toMatch(/^=\?UTF-8\?/);
    expect(mail?.text).toBe('Line\n.\nRCPT TO:<eve@example.org>\nÜmlaut\n');
  });

  it('is a complete file for its owner only when no server is set, for any name of the recipient', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'landlord-mail-'));
    try {
      const folder = new MailFolder(directory);
      const box = mailbox();
      start(box, new FileTransport(folder.directory, SENDER));
      await post(box, { to: 'a/../../b c@example.org', subject: 'Ärger\nX-Mine: 1', text: 'ABCDEFGH\n' });
      await post(box, MAIL);
      await eventually('both are there', async () => (await folder.all()).length === 2);

      // Both mails can have the same millisecond. Their order is then random.
      const all = await folder.all();
      const plain = all.find(({ file }) => file.endsWith('-ann@example.org.eml'));
      const odd = all.find((mail) => mail !== plain);
      expect(odd?.file).toMatch(/^\d{8}T\d{9}Z-[0-9a-f]{8}-a_.._.._b_c@example\.org\.eml$/);
      expect(odd?.headers['x-mine']).toBeUndefined();
      expect([odd?.mode, plain?.mode]).toEqual([0o600, 0o600]);
      expect(plain).toMatchObject({ text: 'The text.\n', headers: { to: ['ann@example.org'] } });
      expect((await readdir(folder.directory)).filter((name) => !name.endsWith('.eml'))).toEqual([]);
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it('waits when its file cannot be written', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'landlord-mail-'));
    try {
      await writeFile(join(directory, 'mail'), 'in the way');
      const box = mailbox();
      start(box, new FileTransport(join(directory, 'mail'), SENDER));
      await post(box);

      await eventually('it was tried', async () => (await row()).last_error !== null);
      expect(await row()).toMatchObject({ status: 'waiting', attempts: 1 });
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
