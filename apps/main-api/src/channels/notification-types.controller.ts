import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { EVENTS } from '@libs/domain';
import { RequirePermission, Returns } from '@libs/http';
import { NotificationTypeView } from './dto/notification-type.view.js';

@ApiTags('Notifications')
@Controller('notifications')
export class NotificationTypesController {
  /** Lists the event types that channels can receive. */
  @Get('types')
  @RequirePermission('notifications:read', { withoutTenant: true })
  @Returns([NotificationTypeView])
  types(): NotificationTypeView[] {
    return Object.entries(EVENTS).map(([type, name]) => ({ type, name }));
  }
}
