export { MailModule } from './mail.module.js';
export { Mailbox } from './mailbox.js';
