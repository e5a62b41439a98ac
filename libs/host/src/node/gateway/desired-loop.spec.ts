import { jest } from '@jest/globals';
import { JsonLog } from '../../os/json-log.js';
import { until } from '../../../test/node/agent.fixture.js';
import type { AgentSession } from './agent-session.js';
import type { Backoff } from './backoff.js';
import { DesiredLoop } from './desired-loop.js';
import type { DocumentStore } from './document-store.js';
import type { GatewayClient } from './gateway-client.js';
import { ServerClock } from './server-clock.js';

describe('The loop of desired documents', () => {
  afterEach(() => jest.restoreAllMocks());

  it('starts again with short delays after the gateway answered that nothing changed', async () => {
    const leaving = new AbortController();
    jest.spyOn(Math, 'random').mockReturnValue(1);
    const answers = ['fails', 'fails', 'fails', 'unchanged', 'fails'];
    const delays: number[] = [];
    const client = {
      desired: async () => {
        const answer = answers.shift();
        if (answer === undefined) leaving.abort();
        if (answer === 'fails') throw new Error('the gateway is away');
        return null;
      },
    } as unknown as GatewayClient;
    const session = {
      identity: { authorization: 'Bearer 1.x' },
      judge: async (_error: unknown, backoff: Backoff) => void delays.push(backoff.next()),
    } as unknown as AgentSession;
    const store = { document: null } as unknown as DocumentStore;
    const loop = new DesiredLoop(session, client, store, new ServerClock(), new JsonLog({}), () => undefined);

    void loop.run(leaving.signal);
    await until('all answers are used', () => leaving.signal.aborted);

    expect(delays).toEqual([1_000, 2_000, 4_000, 1_000]);
  });
});
