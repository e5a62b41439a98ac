import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  Accepts,
  Actor,
  Audited,
  FailsWith,
  Idempotent,
  OfDeployment,
  RequirePermission,
  Returns,
  type ActingCaller,
} from '@libs/http';
import { type Written } from '@libs/domain';
import { CreateTaskDto } from './dto/create-task.dto.js';
import { TaskView } from './dto/task.view.js';
import { TasksService } from './tasks.service.js';

@ApiTags('Tasks')
@Controller('deployments/:deployment_id/tasks')
export class TasksController {
  constructor(private readonly tasks: TasksService) {}

  /** Lists the newest 50 tasks, newest first, with the result of each node. */
  @Get()
  @RequirePermission('deployment:read')
  @OfDeployment()
  @Returns([TaskView])
  list(@Actor() actor: ActingCaller): Promise<TaskView[]> {
    return this.tasks.list(actor);
  }

  /**
   * Applies the active configuration, one node at a time. A node that does not start with the new configuration returns
   * to the old one. The following nodes stay unchanged, and the task is rejected with the message of the runtime.
   */
  @Post()
  @RequirePermission('deployment:task:manage')
  @Idempotent()
  @Audited('task_requested')
  @OfDeployment()
  @Accepts(TaskView, 'deployment', 'task')
  @FailsWith('state_conflict')
  create(@Actor() actor: ActingCaller, @Body() dto: CreateTaskDto): Promise<Written<TaskView>> {
    return this.tasks.create(actor, dto);
  }
}
