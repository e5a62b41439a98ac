import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { MainApiConfig } from '../config.js';
import { FileTransport } from './file.transport.js';
import { mailFolder } from './mail-folder.js';
import { MailReconciler } from './mail-reconciler.js';
import { MailGauges } from './mail-gauges.js';
import { MailTransport } from './mail-transport.js';
import { Mailbox } from './mailbox.js';
import { MailedCallers } from './mailed-callers.js';
import { SmtpTransport } from './smtp.transport.js';

/** The mailbox for every module. In worker processes also the mail sender and its gauges. */
@Global()
@Module({})
export class MailModule {
  static forRoot(config: MainApiConfig): DynamicModule {
    const workProviders = [
      { provide: MailTransport, useFactory: () => transportOf(config) },
      MailReconciler,
      MailGauges,
    ];
    const isWorking = config.LANDLORD_ROLE !== 'api';
    return {
      module: MailModule,
      providers: [Mailbox, MailedCallers, ...(isWorking ? workProviders : [])],
      exports: [Mailbox, MailedCallers, ...(isWorking ? [MailTransport] : [])],
    };
  }
}

function transportOf(config: MainApiConfig): MailTransport {
  const { SMTP_URL, MAIL_FROM, BASE_DOMAIN } = config;
  const sender = { from: MAIL_FROM ?? `Landlord <no-reply@${BASE_DOMAIN}>`, domain: BASE_DOMAIN };
  return SMTP_URL ? new SmtpTransport(SMTP_URL, sender) : new FileTransport(mailFolder(config), sender);
}
