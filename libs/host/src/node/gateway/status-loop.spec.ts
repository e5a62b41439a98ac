import { createServer, type Server } from 'node:http';
import type { ConnectorReport, StatusRequest } from '@libs/domain';
import { STATUS_TEXTS } from '@libs/domain/agent-protocol';
import { isStorableText } from '@libs/domain/storable-text';
import { JsonLog } from '../../os/json-log.js';
import { AgentSession } from './agent-session.js';
import { until } from '../../../test/node/agent.fixture.js';
import { GatewayClient } from './gateway-client.js';
import type { Registrar } from './registrar.js';
import { ServerClock } from './server-clock.js';
import { StatusLoop, type StatusSources } from './status-loop.js';

/** All texts of a value. The gateway's schema limits each. */
const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null
    ? [...Object.keys(value), ...Object.values(value).flatMap(textsIn)]
    : [];
};

describe('The status loop', () => {
  let server: Server;
  let url = '';
  let statuses: StatusRequest[];
  let refusals: number;
  let leaving: AbortController;
  /** The number of accepted statuses at each time when the token was deleted. */
  let forgotten: number[];

  beforeEach(async () => {
    [statuses, refusals, leaving, forgotten] = [[], 0, new AbortController(), []];
    server = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk) => (text += String(chunk)));
      request.on('end', () => {
        refusals -= 1;
        if (refusals >= 0) return response.writeHead(429, { 'retry-after': '0' }).end('{"code":"rate_limited"}');
        statuses.push(JSON.parse(text) as StatusRequest);
        return response.writeHead(200).end('{"interval_ms":200,"epoch":1}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  });
  afterEach(async () => {
    leaving.abort();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const run = async (error: string): Promise<Promise<void>> => {
    const identity = async () => ({ authorization: 'Bearer 1.x', epoch: 1 });
    const forgetToken = async (): Promise<void> => void forgotten.push(statuses.length);
    const registrar = { identity, forgetToken } as unknown as Registrar;
    const session = new AgentSession(registrar, new JsonLog({}), () => undefined);
    await session.open(leaving.signal);
    const client = await GatewayClient.to(url, new ServerClock());
    const loop = new StatusLoop(session, client, sources(error), 'boot');
    return loop.run(leaving.signal).finally(() => client.close());
  };

  it('continues after rate limit answers of the gateway, and deletes the one-time token after an accepted status', async () => {
    refusals = 2;
    void run('');
    await until('two heartbeats', () => statuses.length >= 2);

    expect(statuses.map(({ seq }) => seq)).toEqual([3, 4]);
    expect(forgotten).toEqual([1]);
  });

  it('sends the error of a user in a text that the gateway accepts', async () => {
    const error = `transforms.filter_fields has an invalid regular expression: (\ud800\0${'\u{1f600}'.repeat(5_000)}`;
    void run(error);
    const [status] = await until('a heartbeat', () => (statuses.length > 0 ? statuses : null));

    expect(textsIn(status).filter((text) => !isStorableText(text))).toEqual([]);
    const { connectors, runtimes, orders, refused } = status as Required<StatusRequest>;
    const { id, error: longest, reason } = STATUS_TEXTS;
    expect(connectors[0]?.error).toContain('an invalid regular expression');
    const reported = [
      connectors[0]?.error,
      runtimes[0]?.last_error,
      orders[0]?.error,
      refused.reason,
      runtimes[0]?.version,
    ];
    const lengths = reported.map((text) => text?.length ?? Infinity);
    // A character of two code units is dropped as a whole when it does not fit.
    for (const [place, limit] of [longest, longest, reason, reason, id].entries())
      expect([limit - 1, limit]).toContain(lengths[place]);
  });
});

const sources = (error: string): StatusSources => {
  const connector: ConnectorReport = { instance_id: 1, status: 'failed', config_id: 1, error, messages: 0 };
  const observed = { timeline: 0, generation: 0, hash: '' };
  const runtimeReport = () => ({
    ...{ runtime: 'broker' as const, status: 'failed' as const, version: error, started_at: null, pid: null },
    ...{ restarts: 0, last_error: error },
  });
  return {
    broker: {
      observed,
      gate: { mode: 'inline', generation: 0 },
      runtimeReport,
      refusedLogins: [],
      stats: async () => ({ gauges: {}, dataDirectory: null }),
    },
    connectors: { observed, runtimeReport: () => null, reports: () => [connector], stats: async () => ({}) },
    orders: { reports: [{ id: 1, status: 'failed', error, parts: {} }] },
    refused: () => ({ ...observed, reason: error }),
  } as unknown as StatusSources;
};
