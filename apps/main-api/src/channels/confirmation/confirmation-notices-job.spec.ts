import { SilentJobTimer } from '@libs/queue';
import { ChannelsRepository, ChannelNoticesRepository } from '@libs/persistence/channels';
import { MailsRepository } from '@libs/persistence/organization';
import { given, WorkflowBench } from '@libs/testing';
import { JobScheduler } from '@libs/workflow';
import { Mailbox } from '../../mail/index.js';
import { ConfirmationNoticesJob } from './confirmation-notices-job.js';

describe('Owners of e-mail channels that are older than confirmations', () => {
  let bench: WorkflowBench;
  beforeAll(async () => {
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());

  const run = (): Promise<void> => {
    const scheduler = new JobScheduler(bench.database, new SilentJobTimer(), { queue: 'none' });
    const mailbox = new Mailbox(bench.database, new MailsRepository(bench.database, bench.secrets));
    const schedule = new ConfirmationNoticesJob(
      scheduler,
      bench.database,
      new ChannelNoticesRepository(bench.database, bench.secrets),
      mailbox,
    );
    return schedule.run(new AbortController().signal);
  };

  it('get one notice about the channels whose address is not a verified member’s', async () => {
    const rows = (text: string, values?: unknown[]) => bench.rows<any>(text, values);
    const { tenantId } = await given.tenant({ rows } as never);
    const [owner] = await rows('select u.email from tenants t join users u on u.id = t.owner_id where t.id = $1', [
      tenantId,
    ]);
    const channels = new ChannelsRepository(bench.database, bench.secrets);
    const create = (name: string, destination: string, channel: 'email' | 'slack' = 'email') =>
      channels.insert(
        { tenantId, divisionId: null },
        { channel, name, destination, settings: null, remarks: null },
        null,
      );
    await create('ours', owner.email.toUpperCase());
    const foreign = await create('foreign', 'reader@elsewhere.example');
    await create('hook', 'https://hooks.example.com/in', 'slack');
    await rows(`update notification_channels set notice_due = channel = 'email'`);

    await run();
    await run();

    const mails = await new MailsRepository(bench.database, bench.secrets).take(10, 60);
    expect(mails.map(({ to }) => to)).toEqual([owner.email]);
    const { text } = new MailsRepository(bench.database, bench.secrets).contentOf(mails[0] as never);
    expect(text).toContain(`foreign (id ${foreign})`);
    expect(text).not.toMatch(/ours|hook|elsewhere\.example/);
  });
});
