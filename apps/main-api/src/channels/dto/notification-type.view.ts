/** A type of event that channels can be told of. */
export class NotificationTypeView {
  /** As subscriptions name it in `message_types`. */
  type: string;

  /** For people. */
  name: string;
}
