import { TASK_TYPES, type TaskType } from '@libs/domain';
import { Example, IsOneOf } from '@libs/http';

/** A new task: the configuration to apply on every node. */
@Example<CreateTaskDto>({ type: 'broker:reconfigure' })
export class CreateTaskDto {
  @IsOneOf(TASK_TYPES, 'Applies the active version of that runtime.')
  type: TaskType;
}
