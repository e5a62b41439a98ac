/** A type of events for channels. */
export class NotificationTypeView {
  /** The type, as `message_types` of a subscription takes it. */
  type: string;

  /** Display name of the type. */
  name: string;
}
