import { eventually, MailFolder, TestCloud, WebhookReceiver } from '@libs/testing';

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

  it('Slack gets a text by its hook, in the channel and by the name of the settings', async () => {
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

  it('mail reads well as text and as HTML, and says why it came', async () => {
    const mails = new MailFolder(cloud.directory);
    const url = await channel({ channel: 'email', name: 'On call', destination: 'ops@people.example' });
    const mail = await mails.after(() => divide('Payments <b>'));

    expect(mail.headers).toMatchObject({ to: ['ops@people.example'], 'auto-submitted': ['auto-generated'] });
    expect(mail.headers['subject']?.[0]).toMatch(/^\[.+\] Division Payments <b> was created$/);
    const paragraphs = mail.text.trim().split('\n\n');
    expect(paragraphs[0]).toBe('Division Payments <b> was created');
    expect(paragraphs[1]).toMatch(/^Division: Payments <b> \(id \d+\)$/);
    expect(paragraphs.at(-2)).toMatch(/^At 20\d\d-/);
    expect(paragraphs.at(-1)).toMatch(
      /^You get this mail because .+ sends notifications to this address \(On call\)\.$/,
    );
    expect(mail.html).toContain('<p>Division Payments &lt;b&gt; was created</p>');
    const item = await delivered(url);
    expect(mail.headers['message-id']?.[0]).toContain(item.message_id);
  });
});
