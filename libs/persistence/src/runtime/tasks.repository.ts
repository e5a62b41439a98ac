import { Injectable } from '@nestjs/common';
import type { ConfigId, DeploymentId, OperationId, TaskId, TaskType, UserId } from '@libs/domain';
import { statement, Database } from '../database.js';
import type { ActivityRow } from './activities.repository.js';
import { Task } from './entities/task.entity.js';
import type { Operation } from '../platform/entities/operation.entity.js';

/** A task with its result on each node (C-17.2). */
export interface TaskRow extends Pick<Task, 'id' | 'type' | 'config_id' | 'author_id' | 'created_at'> {
  /** The status of its operation. */
  operation_status: Operation['status'];
  nodes: Pick<ActivityRow, 'node_id' | 'status' | 'error'>[];
  finished_at: Date | null;
}

/** Older tasks can be read as operations. */
const RECENT = 50;

const SELECT = `select t.id, t.type, o.status as operation_status, t.config_id, t.author_id, t.created_at, o.finished_at,
          coalesce((select jsonb_agg(jsonb_build_object('node_id', a.node_id, 'status', a.status, 'error', a.error) order by a.id)
                      from activities a where a.operation_id = t.operation_id), '[]') as nodes
     from tasks t join operations o on o.id = t.operation_id`;
const LIST = statement('task.list', `${SELECT} where t.deployment_id = $1 order by t.id desc limit ${RECENT}`);
const FIND = statement('task.find', `${SELECT} where t.deployment_id = $1 and t.id = $2`);

// An operation that several changes joined is one task.
const RECORD = statement(
  'task.record',
  `insert into tasks (deployment_id, operation_id, type, config_id, author_id)
   select $1, $2, 'connectors:reconfigure', $3, $4 where not exists (select from tasks where operation_id = $2)`,
);

/** A reconfiguration of connectors that a change triggered. */
export interface TriggeredTask {
  deploymentId: DeploymentId;
  operationId: OperationId;
  configId: ConfigId | null;
  authorId: UserId | null;
}

/** Inserts the task of an operation that a request of another kind has started. */
export async function recordTask(database: Database, task: TriggeredTask): Promise<void> {
  await database.execute(RECORD, [task.deploymentId, task.operationId, task.configId, task.authorId]);
}

/** Tasks of deployments. Their progress is in their operations. */
@Injectable()
export class TasksRepository {
  constructor(private readonly database: Database) {}

  /** The most recent tasks, newest first. */
  async list(deploymentId: DeploymentId): Promise<TaskRow[]> {
    return this.database.query<TaskRow>(LIST, [deploymentId]);
  }

  async find(deploymentId: DeploymentId, id: TaskId): Promise<TaskRow | null> {
    return this.database.first<TaskRow>(FIND, [deploymentId, id]);
  }

  async record(task: TriggeredTask): Promise<void> {
    await recordTask(this.database, task);
  }

  async insert(task: {
    deploymentId: DeploymentId;
    operationId: OperationId;
    type: TaskType;
    configId: ConfigId | null;
    authorId: UserId | null;
  }): Promise<TaskId> {
    const { deploymentId, operationId, type, configId, authorId } = task;
    const { identifiers } = await this.database.repository(Task).insert({
      ...{ deployment_id: deploymentId, operation_id: operationId, type, config_id: configId, author_id: authorId },
    });
    return Number(identifiers[0]?.['id']);
  }
}
