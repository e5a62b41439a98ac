import { Injectable } from '@nestjs/common';
import { Metrics } from '@libs/http';
import { MailsRepository } from '@libs/persistence/organization';

/** Gauges of mails for Prometheus. Failed and waiting mails are visible there before a user misses a code. */
@Injectable()
export class MailGauges {
  constructor(metrics: Metrics, mails: MailsRepository) {
    const read = async (value: 'mails' | 'age_seconds') =>
      (await mails.census()).map((row) => ({ labels: { status: row.status }, value: row[value] }));
    metrics.gauge({
      name: 'landlord_mails',
      help: 'Mails, by status; delivered ones are kept for a day, failed ones for a month.',
      labels: ['status'],
      read: () => read('mails'),
    });
    metrics.gauge({
      name: 'landlord_mail_age_seconds',
      help: 'How long ago the oldest mail was posted, by status.',
      labels: ['status'],
      read: () => read('age_seconds'),
    });
  }
}
