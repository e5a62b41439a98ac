import { Injectable } from '@nestjs/common';
import { DomainError, type NodeRuntime, Written, type DeploymentId, type TaskId } from '@libs/domain';
import { type ActingCaller } from '@libs/http';
import { Ledger } from '@libs/ledger';
import { TasksRepository, type TaskRow } from '@libs/persistence/runtime';
import { ActivityRequests } from '../activities/index.js';
import type { CreateTaskDto } from './dto/create-task.dto.js';
import type { TaskStatus, TaskView } from './dto/task.view.js';

/** Applies active configurations on nodes. */
@Injectable()
export class TasksService {
  constructor(
    private readonly tasks: TasksRepository,
    private readonly requests: ActivityRequests,
    private readonly ledger: Ledger,
  ) {}

  async list({ deployment }: ActingCaller): Promise<TaskView[]> {
    return (await this.tasks.list(deployment.id)).map(toView);
  }

  /** @throws DomainError state_conflict */
  async create(actor: ActingCaller, { type }: CreateTaskDto): Promise<Written<TaskView>> {
    const { id } = actor.deployment;
    const runtime = type.split(':')[0] as NodeRuntime;
    const { operation, configId } = await this.requests.applyPrimary(actor, runtime);
    const authorId = actor.author.user.id;
    const task = await this.tasks.insert({ deploymentId: id, operationId: operation, type, configId, authorId });
    const { author, context, traceId } = actor;
    const data = { task_id: task, type, config_id: configId };
    await this.ledger.record({ audit: 'task_requested', author, context, data, traceId });
    return new Written(toView(await this.found(id, task)), { deployment: id, task, operation });
  }

  private async found(deploymentId: DeploymentId, id: TaskId): Promise<TaskRow> {
    const task = await this.tasks.find(deploymentId, id);
    if (!task) throw new DomainError('deployment_not_found', 'The deployment is gone.');
    return task;
  }
}

const STATUSES: Record<TaskRow['operation_status'], TaskStatus> = {
  pending: 'pending',
  running: 'processing',
  succeeded: 'completed',
  failed: 'rejected',
  cancelled: 'rejected',
};

const toView = ({ operation_status, nodes, created_at, finished_at, ...task }: TaskRow): TaskView => ({
  id: task.id,
  type: task.type,
  status: STATUSES[operation_status],
  config_id: task.config_id,
  nodes: nodes.map(({ node_id, status, error }) => ({ node_id, status, ...(error !== null && { error }) })),
  author_id: task.author_id,
  created_at: created_at.toISOString(),
  finished_at: finished_at?.toISOString() ?? null,
});
