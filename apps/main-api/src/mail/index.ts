export { renderMail } from '@libs/domain';
export { DeliveryAbandoned, mailErrorName, within } from './mail-attempt.js';
export { MailModule } from './mail.module.js';
export { MailTransport } from './mail-transport.js';
export { Mailbox } from './mailbox.js';
export { MailedCallers, shownAddress } from './mailed-callers.js';
export { shownMailFolder } from './mail-folder.js';
