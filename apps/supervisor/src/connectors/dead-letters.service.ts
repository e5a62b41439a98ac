import { Injectable } from '@nestjs/common';
import {
  DomainError,
  type AuditType,
  type ConnectorInstanceId,
  type DeadLetterRequest,
  type DeploymentId,
} from '@libs/domain';
import { Page, Prepared, type ActingCaller, type PageQuery } from '@libs/http';
import { Ledger } from '@libs/ledger';
import { ConnectorInstancesRepository, type ConnectorInstanceRow } from '@libs/persistence/runtime';
import type { DeadLetterCountView, DeadLetterView } from './dto/dead-letter.view.js';
import { NodeQuestions, type NodeAnswer } from './node-questions.js';

type Change = Extract<DeadLetterRequest, { action: 'replay' | 'delete' }>;

/** Refused messages of sinks, which only the node that runs the connectors has. */
@Injectable()
export class DeadLettersService {
  constructor(
    private readonly instances: ConnectorInstancesRepository,
    private readonly questions: NodeQuestions,
    private readonly ledger: Ledger,
  ) {}

  /** @throws DomainError connector_instance_not_found, node_not_responding, state_conflict */
  async list({ deployment }: ActingCaller, id: ConnectorInstanceId, query: PageQuery): Promise<Page<DeadLetterView>> {
    await this.instance(deployment.id, id);
    const { page, results } = query;
    const answer = await this.questions.ask(deployment.id, { instance_id: id, action: 'list', page, results });
    return new Page(answer.page ?? { items: [], total: 0 }, query);
  }

  /** @throws DomainError like `list` */
  replay(actor: ActingCaller, id: ConnectorInstanceId, ids: number[] | null): Promise<Prepared<DeadLetterCountView>> {
    return this.change(actor, { instance_id: id, action: 'replay', ids }, 'dead_letters_replayed');
  }

  /** @throws DomainError like `list` */
  async delete(actor: ActingCaller, id: ConnectorInstanceId): Promise<Prepared<void>> {
    const deletion = await this.change(actor, { instance_id: id, action: 'delete', ids: null }, 'dead_letters_deleted');
    return deletion.map(() => undefined);
  }

  /** Asks the node before the transaction, because the node may take seconds. */
  private async change(actor: ActingCaller, request: Change, audit: AuditType): Promise<Prepared<DeadLetterCountView>> {
    const outcome = await this.asked(actor, request).catch((refusal: unknown) => ({ refusal }));
    return new Prepared(async () => {
      if ('refusal' in outcome) throw outcome.refusal;
      const { instance, answer } = outcome;
      const { count = 0 } = answer;
      const { author, context, traceId } = actor;
      const { type, plugin, key, id, plugin_version: version } = instance;
      const of = { connector_type: type, connector_key: plugin, instance_key: key, instance_id: id, version };
      await this.ledger.record({ audit, author, context, data: { ...of, letters: count }, traceId });
      return { count };
    });
  }

  private async asked(
    { deployment }: ActingCaller,
    request: Change,
  ): Promise<{ instance: ConnectorInstanceRow; answer: NodeAnswer }> {
    const instance = await this.instance(deployment.id, request.instance_id);
    return { instance, answer: await this.questions.ask(deployment.id, request) };
  }

  private async instance(deploymentId: DeploymentId, id: ConnectorInstanceId): Promise<ConnectorInstanceRow> {
    const row = (await this.instances.list(deploymentId)).find((instance) => instance.id === id);
    if (row) return row;
    throw new DomainError('connector_instance_not_found', 'No such instance of a connector.');
  }
}
