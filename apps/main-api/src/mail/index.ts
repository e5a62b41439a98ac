export { letter } from './letter.js';
export { MailModule } from './mail.module.js';
export { Mailbox } from './mailbox.js';
