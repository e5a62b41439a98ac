import { Resource } from '@libs/http';
/** A type of events that channels can subscribe to. */
@Resource<NotificationTypeView>({ columns: ['type', 'name'] })
export class NotificationTypeView {
  /** The type, as `message_types` of a subscription takes it. */
  type: string;

  /** Display name of the type. */
  name: string;
}
