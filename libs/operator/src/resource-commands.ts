import { ResourceCommandsRepository, type OperatorResource, type ResourceFilter } from '@libs/persistence/operator';
import type { OperatorSession } from './operator-session.js';

/** The cloud resources of all deployments, as their rows say. */
export class ResourceCommands {
  private readonly rows: ResourceCommandsRepository;

  constructor(session: OperatorSession) {
    this.rows = new ResourceCommandsRepository(session.database);
  }

  list(filter: ResourceFilter): Promise<OperatorResource[]> {
    return this.rows.list(filter);
  }
}
