import { Injectable } from '@nestjs/common';
import type { TenantId } from '@libs/domain';
import { Database } from '@libs/persistence';
import { ChannelNoticesRepository, type UnconfirmedChannel } from '@libs/persistence/channels';
import type { NewMail } from '@libs/persistence/organization';
import { ScheduledJob, JobScheduler } from '@libs/workflow';
import { renderMail, Mailbox } from '../../mail/index.js';

const BATCH = 200;

/**
 * Notifies owners once about e-mail channels that are older than confirmations and send nothing now. Addresses are
 * encrypted, so the migration could not find these channels.
 */
@Injectable()
export class ConfirmationNoticesJob extends ScheduledJob {
  constructor(
    scheduler: JobScheduler,
    private readonly database: Database,
    private readonly notices: ChannelNoticesRepository,
    private readonly mailbox: Mailbox,
  ) {
    super(scheduler, 'channel_notices', '1h');
  }

  async run(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted && (await this.database.transaction(() => this.tellSome())) === BATCH);
  }

  /** Returns the number of checked channels. */
  private async tellSome(): Promise<number> {
    const { taken, unconfirmed } = await this.notices.takeUnscoped(BATCH);
    await this.mailbox.post(...byTenant(unconfirmed).map(noticeOf));
    return taken;
  }
}

function byTenant(channels: readonly UnconfirmedChannel[]): UnconfirmedChannel[][] {
  const groups = new Map<TenantId, UnconfirmedChannel[]>();
  for (const channel of channels) groups.set(channel.tenantId, [...(groups.get(channel.tenantId) ?? []), channel]);
  return [...groups.values()];
}

function noticeOf(channels: UnconfirmedChannel[]): NewMail {
  const { ownerEmail = '', tenantName = '', tenantId = 0 } = channels[0] ?? {};
  const content = renderMail({
    paragraphs: [
      `E-mail channels of ${tenantName} send nothing until the owner of the address agrees. These channels wait:`,
      ...channels.map(
        ({ id, name, divisionName }) => `${name} (id ${id}${divisionName === null ? '' : `, of ${divisionName}`})`,
      ),
    ],
    closing: [
      `To send a mail with a link, call POST /tenants/${tenantId}/channels/{channel_id}/confirmation. For channels of a ` +
        'division, use the same path below the division.',
      'Verified addresses of active members need no link.',
    ],
  });
  return { to: ownerEmail, subject: 'E-mail channels need a confirmation', ...content };
}
