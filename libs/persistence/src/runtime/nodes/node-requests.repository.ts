import { Injectable } from '@nestjs/common';
import type { DeadLetterRequest, NodeId, NodeRequestId } from '@libs/domain';
import { IsNull } from 'typeorm';
import { statement, Database } from '../../database.js';
import { NodeRequest } from './entities/node-request.entity.js';

export type OpenRequest = Pick<NodeRequest, 'id' | 'body'>;
export type AnsweredRequest = Pick<NodeRequest, 'answer' | 'error'>;

/** Open requests of one node at once. */
const MOST_OPEN = 20;
/** After this time nobody waits for the answer. */
const STALE_SECONDS = 30;

const FORGET_STALE = statement(
  'node_request.forget_stale',
  `delete from node_requests where node_id = $1 and created_at < now() - interval '${STALE_SECONDS} seconds'`,
);
const ASK = statement(
  'node_request.ask',
  `insert into node_requests (node_id, body)
   select $1, $2 where (select count(*) from node_requests where node_id = $1) < ${MOST_OPEN} returning id`,
);
const NOTIFY = statement('node_request.notify', `select pg_notify('landlord_requests', $1::text)::text`);
const LIST_OPEN = statement(
  'node_request.open',
  `select id, body from node_requests
    where node_id = $1 and answered_at is null and created_at > now() - interval '${STALE_SECONDS} seconds'
    order by id limit 5`,
);
const TAKE = statement(
  'node_request.take',
  'delete from node_requests where id = $1 and answered_at is not null returning answer, error',
);

/** Requests to nodes. A row exists only while somebody waits for its answer. */
@Injectable()
export class NodeRequestsRepository {
  constructor(private readonly database: Database) {}

  /** Null when the node has too many open requests. */
  async ask(nodeId: NodeId, body: DeadLetterRequest): Promise<NodeRequestId | null> {
    await this.database.execute(FORGET_STALE, [nodeId]);
    const [row] = await this.database.query<{ id: NodeRequestId }>(ASK, [nodeId, JSON.stringify(body)]);
    if (!row) return null;
    await this.database.execute(NOTIFY, [nodeId]);
    return row.id;
  }

  async listOpen(nodeId: NodeId): Promise<OpenRequest[]> {
    return this.database.query<OpenRequest>(LIST_OPEN, [nodeId]);
  }

  async answer(id: NodeRequestId, nodeId: NodeId, { answer, error }: AnsweredRequest): Promise<void> {
    // A node answers only its own requests, and the first answer counts.
    const open = { id, node_id: nodeId, answered_at: IsNull() };
    await this.database.repository(NodeRequest).update(open, { answer, error, answered_at: () => 'now()' });
  }

  /** Removes the request with its answer. Null when the node has not answered. */
  async take(id: NodeRequestId): Promise<AnsweredRequest | null> {
    return this.database.first<AnsweredRequest>(TAKE, [id]);
  }

  async withdraw(id: NodeRequestId): Promise<void> {
    await this.database.repository(NodeRequest).delete({ id });
  }
}
