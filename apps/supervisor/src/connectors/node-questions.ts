import { Inject, Injectable } from '@nestjs/common';
import { DomainError, type DeadLetterRequest, type DeploymentId } from '@libs/domain';
import { NodeRequestsRepository, NodesRepository } from '@libs/persistence/runtime';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';

const TIMEOUT_MS = 10_000;
const LOOK_MS = 60;

/** The answer of a node, which is not trusted. */
const answerSchema = z.object({
  /** The process of the connectors does not run. */
  stopped: z.boolean().optional(),
  count: z.number().int().nonnegative().optional(),
  page: z
    .object({
      total: z.number().int().nonnegative(),
      dropped: z.number().int().nonnegative(),
      items: z
        .array(
          z.object({
            id: z.number().int().nonnegative(),
            message_id: z.string(),
            topic: z.string(),
            error: z.string(),
            attempts: z.number().int().nonnegative(),
            failed_at: z.iso.datetime(),
            payload: z.base64(),
            payload_bytes: z.number().int().nonnegative(),
            is_truncated: z.boolean(),
          }),
        )
        .max(100),
    })
    .optional(),
});
export type NodeAnswer = z.output<typeof answerSchema>;

/** Asks the node that runs the connectors of a deployment (C-18.9), and waits for its answer. Never call it in a transaction. */
@Injectable()
export class NodeQuestions {
  constructor(
    private readonly requests: NodeRequestsRepository,
    private readonly nodes: NodesRepository,
    @Inject(SUPERVISOR_CONFIG) private readonly config: SupervisorConfig,
  ) {}

  /** @throws DomainError node_not_responding, state_conflict */
  async ask(deploymentId: DeploymentId, body: DeadLetterRequest): Promise<NodeAnswer> {
    const [node] = await this.nodes.list(deploymentId);
    const silentMs = Date.now() - (node?.last_seen_at?.getTime() ?? 0);
    if (!node || silentMs > this.config.NODE_UNREACHABLE_SECONDS * 1000)
      throw new DomainError('node_not_responding', 'The node does not report.');
    const id = await this.requests.ask(node.id, body);
    if (id === null) throw new DomainError('node_not_responding', 'The node has too many open requests.');
    const deadline = Date.now() + TIMEOUT_MS;
    while (Date.now() < deadline) {
      const answered = await this.requests.take(id);
      if (answered) return read(answered.answer, answered.error);
      await sleep(LOOK_MS);
    }
    await this.requests.withdraw(id);
    throw new DomainError('node_not_responding', `The node did not answer within ${TIMEOUT_MS / 1000} seconds.`);
  }
}

function read(answer: string | null, error: string | null): NodeAnswer {
  if (error !== null)
    throw new DomainError('state_conflict', `The node refused: ${error}.`, { members: { state: 'refused' } });
  const parsed = answerSchema.safeParse(jsonOf(answer ?? ''));
  if (!parsed.success) throw new DomainError('node_not_responding', 'The node sent an answer that cannot be read.');
  if (parsed.data.stopped)
    throw new DomainError('state_conflict', 'The connectors of the deployment are stopped. Start them first.', {
      members: { state: 'stopped' },
    });
  return parsed.data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
