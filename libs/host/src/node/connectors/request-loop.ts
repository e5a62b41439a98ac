import { ConnectorsRuntime } from '../../connectors/connectors.runtime.js';
import { reasonOf } from '../../os/json-log.js';
import type { NodeHome } from '../../control/node-home.js';
import type { DeadLetterRequest, RequestsAnswer } from '@libs/domain';
import { STATUS_TEXTS } from '@libs/domain/agent-protocol';
import { cutText } from '@libs/domain/storable-text';
import { GatewayError } from '../agent-error.js';
import type { AgentSession } from '../gateway/agent-session.js';
import { Backoff } from '../gateway/backoff.js';
import type { GatewayClient } from '../gateway/gateway-client.js';
import { Wakeup } from '../../os/wakeup.js';
import type { ConnectorsReconciler } from './connectors-reconciler.js';

/** How often a node without connectors looks whether it has some. */
const IDLE_MS = 2_000;
/** An empty answer that comes earlier was not a long poll. Then the next query waits this long. */
const SHORTEST_ROUND_MS = 1_000;
/** A gateway of an earlier release has no such route. */
const UNKNOWN_MS = 600_000;

/** Answers requests about the refused messages of connectors. Only a node with connectors asks for requests. */
export class RequestLoop {
  private readonly runtime = new ConnectorsRuntime();
  private readonly backoff = new Backoff();
  private readonly pause = new Wakeup();

  constructor(
    private readonly session: AgentSession,
    private readonly client: GatewayClient,
    private readonly connectors: Pick<ConnectorsReconciler, 'runtimeReport'>,
    private readonly home: NodeHome,
  ) {}

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        if (this.connectors.runtimeReport() === null) await this.pause.sleep(IDLE_MS, signal);
        else await this.round(signal);
      } catch (error) {
        const isUnknown = error instanceof GatewayError && error.status === 404;
        if (isUnknown) await this.pause.sleep(UNKNOWN_MS, signal);
        else await this.session.judge(error, this.backoff, signal);
      }
    }
  }

  private async round(signal: AbortSignal): Promise<void> {
    const askedAt = Date.now();
    const requests = await this.client.requests(this.session.identity.authorization, signal);
    for (const request of requests) {
      const { authorization, epoch } = this.session.identity;
      await this.client.answer({ epoch, id: request.id, ...(await this.resultOf(request)) }, authorization, signal);
    }
    this.backoff.reset();
    const isEarly = requests.length === 0 && Date.now() - askedAt < SHORTEST_ROUND_MS;
    if (isEarly) await this.pause.sleep(SHORTEST_ROUND_MS, signal);
  }

  private async resultOf({ body }: RequestsAnswer['requests'][number]) {
    try {
      const answer = await this.answerOf(body);
      return { answer: JSON.stringify(answer), error: null };
    } catch (error) {
      return { answer: null, error: cutText(reasonOf(error), STATUS_TEXTS.reason) };
    }
  }

  private async answerOf(body: DeadLetterRequest) {
    const answer = await this.runtime.deadLetters(this.home, body);
    return answer ?? { stopped: true };
  }
}
