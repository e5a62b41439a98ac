import { Body, Get, Post } from '@nestjs/common';
import { Accepts, Actor, FailsWith, Reads, Routes, Writes, type ActingCaller } from '@libs/http';
import { type Written } from '@libs/domain';
import { CreateTaskDto } from './dto/create-task.dto.js';
import { TaskView } from './dto/task.view.js';
import { TasksService } from './tasks.service.js';

@Routes('deployments/:deployment_id/tasks', 'Tasks')
export class TasksController {
  constructor(private readonly tasks: TasksService) {}

  /** Lists the newest 50 tasks, newest first, with the result of each node. */
  @Get()
  @Reads('deployment:read', [TaskView])
  list(@Actor() actor: ActingCaller): Promise<TaskView[]> {
    return this.tasks.list(actor);
  }

  /**
   * Applies the active configuration, one node at a time. A node that does not start with the new configuration returns
   * to the old one. The following nodes stay unchanged, and the task is rejected with the message of the runtime.
   */
  @Post()
  @Writes('deployment:task:manage', 'task_requested')
  @Accepts(TaskView, 'deployment', 'task')
  @FailsWith('state_conflict')
  create(@Actor() actor: ActingCaller, @Body() dto: CreateTaskDto): Promise<Written<TaskView>> {
    return this.tasks.create(actor, dto);
  }
}
