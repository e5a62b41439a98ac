import { Get } from '@nestjs/common';
import { EVENTS } from '@libs/domain';
import { Reads, Routes, withoutTenant } from '@libs/http';
import { NotificationTypeView } from './dto/notification-type.view.js';

@Routes('notifications', 'Notifications')
export class NotificationTypesController {
  /** Lists the event types that channels can receive. */
  @Get('types')
  @Reads(withoutTenant('notifications:read'), [NotificationTypeView])
  types(): NotificationTypeView[] {
    return Object.entries(EVENTS).map(([type, name]) => ({ type, name }));
  }
}
