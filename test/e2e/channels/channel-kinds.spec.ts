import { eventually, given, MailFolder, TestCloud, WebhookReceiver, type FiledMail } from '@libs/testing';

describe('Other kinds of channels', () => {
  let cloud: TestCloud;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    cloud = await TestCloud.borrow({ env: await WebhookReceiver.env() });
    receiver = await WebhookReceiver.start();
  });
  afterAll(async () => {
    await cloud.stop();
    await receiver.stop();
  });
  afterEach(() => cloud.rows('delete from notification_channels'));

  const channel = async (asked: object): Promise<string> => {
    const { status, body } = await cloud.main().post(`${cloud.tenant}/channels`, { name: 'ops', ...asked });
    expect([status, body.code]).toEqual([201, undefined]);
    return `${cloud.tenant}/channels/${body.id}`;
  };
  const divide = (name: string) => cloud.main().post(`${cloud.tenant}/divisions`, { name });
  const delivered = (url: string) =>
    eventually('it is noted', async () => {
      const { body } = await cloud.main().get(`${url}/deliveries?status=delivered`);
      return body.items[0];
    });

  it('Slack gets a text through its webhook, with the channel and the name from the settings', async () => {
    const settings = { slack: { channel: '#ops', username: 'Landlord' } };
    const url = await channel({ channel: 'slack', destination: `${receiver.url}/services/T/B/x`, settings });
    await divide('<!everyone> & *co*');

    await delivered(url);
    const [request] = receiver.at('/services/T/B/x');
    expect(request?.headers['content-type']).toBe('application/json');
    expect(request?.headers).not.toHaveProperty('webhook-signature');
    expect(request?.body).toMatchObject({ channel: '#ops', username: 'Landlord' });
    const lines = request?.body.text.split('\n');
    expect(lines[0]).toBe('*Division &lt;!everyone&gt; &amp; ∗co∗ was created*');
    expect(lines[1]).toMatch(/^Division: &lt;!everyone&gt; &amp; \*co\* \(id \d+\)$/);
  });

  describe('mail', () => {
    let mails: MailFolder;
    let number = 0;
    beforeAll(() => {
      mails = new MailFolder(cloud.directory);
    });
    beforeEach(() => cloud.rows('delete from channel_confirmations'));

    const address = (): string => `reader-${(number += 1)}@people.example`;
    const mailChannel = (destination: string, more: object = {}): Promise<string> =>
      channel({ channel: 'email', name: `to ${destination}`, destination, ...more });
    const asked = (email: string, count = 1): Promise<FiledMail> =>
      eventually('a mail has come', async () => (await mails.to(email))[count - 1]);
    const tokenOf = ({ text }: FiledMail): string => /^[\w-]{43}$/m.exec(text)?.[0] ?? '';
    const confirm = (token: string) => cloud.main(null).post('/notifications/confirm', { token });
    async function confirmed(destination: string, more: object = {}): Promise<string> {
      const url = await mailChannel(destination, more);
      expect((await confirm(tokenOf(await asked(destination)))).status).toBe(204);
      return url;
    }
    const isConfirmed = async (url: string): Promise<boolean> => (await cloud.main().get(url)).body.confirmed;
    const ended = (url: string, status: string) =>
      eventually(`a delivery is ${status}`, async () => {
        const { body } = await cloud.main().get(`${url}/deliveries?status=${status}`);
        return body.items[0];
      });

    it('contains text and HTML, and the reason for the mail', async () => {
      const email = address();
      const url = await confirmed(email, { name: 'On call' });
      const mail = await mails.after(email, () => divide('Payments <b>'));

      expect(mail.headers).toMatchObject({ to: [email], 'auto-submitted': ['auto-generated'] });
      expect(mail.headers['subject']?.[0]).toMatch(/^\[.+\] Division Payments <b> was created$/);
      const paragraphs = mail.text.trim().split('\n\n');
      expect(paragraphs[0]).toBe('Division Payments <b> was created');
      expect(paragraphs[1]).toMatch(/^Division: Payments <b> \(id \d+\)$/);
      expect(paragraphs.at(-4)).toMatch(/^At 20\d\d-/);
      expect(paragraphs.at(-3)).toMatch(
        /^You get this mail because .+ sends notifications to this address \(On call\)\.$/,
      );
      expect(mail.html).toContain('<p>Division Payments &lt;b&gt; was created</p>');
      const item = await delivered(url);
      expect(mail.headers['message-id']?.[0]).toContain(item.message_id);
    });

    it('is not sent to an address without a confirmation', async () => {
      const email = address();
      const url = await mailChannel(email);
      const request = await asked(email);
      expect((await cloud.main().get(url)).body).toMatchObject({ destination: email, confirmed: false });

      expect((await cloud.main().post(`${url}/test`)).status).toBe(204);
      await divide(`unheard ${number}`);

      const deliveries = await eventually('both have ended', async () => {
        const { body } = await cloud.main().get(`${url}/deliveries?status=suppressed`);
        return body.total_results === 2 ? body.items : null;
      });
      expect(deliveries[0]).toMatchObject({ status_reason: 'unconfirmed', attempts: 0, next_attempt_at: null });
      expect((await cloud.main().get(`${url}/notifications`)).body.items).toEqual([]);
      expect((await mails.to(email)).map(({ file }) => file)).toEqual([request.file]);
    });

    it('is sent after the reader has pressed the button, and not after a view of the page', async () => {
      const email = address();
      const url = await mailChannel(email);
      const request = await asked(email);
      const link = new URL(/http\S+\/console\/confirm-address#\S+/.exec(request.text)?.[0] ?? '');

      expect((await fetch(link)).status).toBe(200);
      expect(link.hash).toBe(`#${tokenOf(request)}`);
      expect(await isConfirmed(url)).toBe(false);
      const [kept] = await cloud.rows<any>('select token_hash::text as hash from channel_confirmations');
      expect(kept.hash).not.toContain(tokenOf(request));

      expect((await confirm(tokenOf(request))).status).toBe(204);
      expect(await confirm(tokenOf(request))).toBeProblem('email_token_invalid');
      expect(await isConfirmed(url)).toBe(true);
      expect(await cloud.main().post(`${url}/confirmation`)).toBeProblem('state_conflict');
      const [entry] = (await cloud.main().get(`/audit${cloud.tenant}?types=channel_confirmed`)).body.items;
      expect(entry).toMatchObject({ author: null, data: { channel: 'email', name: `to ${email}` } });
      await cloud.main().post(`${url}/test`);
      expect(await ended(url, 'delivered')).toMatchObject({ status_reason: null });
    });

    it('needs a new link after a week, and for another address', async () => {
      const email = address();
      const url = await mailChannel(email);
      const old = tokenOf(await asked(email));
      await cloud.rows(`update channel_confirmations set expires_at = now() - interval '1 second'`);
      expect(await confirm(old)).toBeProblem('email_token_invalid');

      const other = address();
      await cloud.rows(`update channel_confirmations set expires_at = now() + interval '1 day'`);
      expect((await cloud.main().put(url, { destination: other })).status).toBe(204);
      expect(await confirm(old)).toBeProblem('email_token_invalid');
      expect((await confirm(tokenOf(await asked(other)))).status).toBe(204);
      expect(await isConfirmed(url)).toBe(true);
      expect((await cloud.main().put(url, { name: `renamed ${number}` })).status).toBe(204);
      expect(await isConfirmed(url)).toBe(true);
      await cloud.main().put(url, { destination: email });
      expect(await isConfirmed(url)).toBe(false);
    });

    it('requests a confirmation of an address once an hour across all tenants, and of 20 addresses a day', async () => {
      const email = address();
      const url = await mailChannel(email);
      const again = await cloud.main().post(`${url}/confirmation`);
      expect(again).toBeProblem('confirmation_too_soon', { status: 429 });
      expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(3_500);
      await cloud.main().delete(url);
      const second = await mailChannel(email.toUpperCase());
      expect(await cloud.main().post(`${second}/confirmation`)).toBeProblem('confirmation_too_soon');
      await cloud.rows(`update channel_confirmations set created_at = created_at - interval '61 minutes'`);
      expect((await cloud.main().post(`${second}/confirmation`)).status).toBe(204);

      await cloud.rows(
        `insert into channel_confirmations (tenant_id, channel_id, address_hash, token_hash, expires_at)
         select $1, 0, sha256(n::text::bytea), sha256(n::text::bytea), now() from generate_series(1, 19) n`,
        [cloud.installation.tenant_id],
      );
      const late = await mailChannel(address());
      const refused = await cloud.main().post(`${late}/confirmation`);
      expect(refused).toBeProblem('confirmation_too_soon');
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(82_000);
      const rows = await cloud.rows(`select from channel_confirmations where channel_id = $1`, [
        late.split('/').at(-1),
      ]);
      expect(rows).toEqual([]);
    });

    it('needs no link for a member with this verified address, as long as the membership lasts', async () => {
      const email = address();
      const member = await given.person(cloud, { email, member: { roles: ['viewer'] } });
      const url = await mailChannel(email.toUpperCase());
      expect(await isConfirmed(url)).toBe(true);
      expect(await cloud.rows('select from channel_confirmations')).toEqual([]);
      await cloud.main().post(`${url}/test`);
      await ended(url, 'delivered');
      const mail = (await mails.all()).find(({ headers }) => headers['to']?.[0]?.toLowerCase() === email);
      expect(mail).toBeDefined();
      expect(mail?.text).not.toContain('/console/unsubscribe');

      await cloud.main().delete(`${cloud.tenant}/members/${member.id}`);

      expect(await isConfirmed(url)).toBe(false);
      await divide(`after ${number}`);
      expect(await ended(url, 'suppressed')).toMatchObject({ status_reason: 'unconfirmed' });
      const outsider = address();
      await given.user(cloud, { email: outsider });
      expect(await isConfirmed(await mailChannel(outsider))).toBe(false);
      const unverified = address();
      await given.person(cloud, { email: unverified, verified: false, member: { roles: ['viewer'] } });
      expect(await isConfirmed(await mailChannel(unverified))).toBe(false);
    });

    it('has a link to unsubscribe', async () => {
      const email = address();
      const url = await confirmed(email);
      await cloud.main().post(`${url}/test`);
      await ended(url, 'delivered');
      const mail = await asked(email, 2);
      const link = new URL(/http\S+\/console\/unsubscribe#\S+/.exec(mail.text)?.[0] ?? '');
      expect((await fetch(link)).status).toBe(200);
      expect(await isConfirmed(url)).toBe(true);
      const token = link.hash.slice(1);
      const leave = (text: string) => cloud.main(null).post('/notifications/unsubscribe', { token: text });

      expect(await leave(`${token.slice(0, -2)}AA`)).toBeProblem('email_token_invalid');
      expect((await leave(token)).status).toBe(204);

      expect(await isConfirmed(url)).toBe(false);
      expect(await leave(token)).toBeProblem('email_token_invalid');
      await divide(`unread ${number}`);
      await ended(url, 'suppressed');
      expect(await mails.to(email)).toHaveLength(2);
    });
  });
});
