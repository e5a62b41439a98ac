import { Injectable } from '@nestjs/common';
import { Page, type ActingCaller } from '@libs/http';
import { Ledger } from '@libs/ledger';
import { ActivitiesRepository, type ActivityRow } from '@libs/persistence/runtime';
import { Written } from '@libs/domain';
import type { AcceptedOperationView } from '../platform/index.js';
import { ActivityRequests } from './activity-requests.js';
import type { ActivitiesQuery } from './dto/activities.query.js';
import type { ActivityView } from './dto/activity.view.js';
import type { RequestActivityDto } from './dto/request-activity.dto.js';
import { readAction } from './read-action.js';

/** Actions of users on the runtimes of nodes. */
@Injectable()
export class ActivitiesService {
  constructor(
    private readonly activities: ActivitiesRepository,
    private readonly requests: ActivityRequests,
    private readonly ledger: Ledger,
  ) {}

  async list({ deployment }: ActingCaller, query: ActivitiesQuery): Promise<Page<ActivityView>> {
    return Page.of(await this.activities.list(deployment.id, query, query), toView, query);
  }

  /** @throws DomainError validation_failed, config_not_found, state_conflict */
  async request(
    actor: ActingCaller,
    runtime: string,
    action: string,
    { nodes }: RequestActivityDto,
  ): Promise<Written<AcceptedOperationView>> {
    const operation = await this.requests.start(actor, readAction(runtime, action), nodes);
    const { author, context, traceId } = actor;
    const data = { runtime, action, nodes: nodes ?? null };
    await this.ledger.record({ audit: 'activity_requested', author, context, data, traceId });
    const { id } = actor.deployment;
    return new Written({ deployment_id: id, operation_id: operation }, { deployment: id, operation });
  }
}

const toView = (row: ActivityRow): ActivityView => ({
  id: row.id,
  tenant_id: row.tenant_id,
  division_id: row.division_id,
  environment_id: row.environment_id,
  deployment_id: row.deployment_id,
  author_id: row.author_id,
  runtime: row.runtime,
  action: row.action,
  node_id: row.node_id,
  status: row.status,
  error: row.error,
  created_at: row.created_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
});
