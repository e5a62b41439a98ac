import type { NodeConnectors } from '@libs/domain';
import { aConnector } from '../../../test/brokers/connectors.fixture.js';
import { IggyConfigProvider } from './iggy-config-provider.js';
import { renderIggyConnectors, type IggyConnectorsPlan } from './iggy-connectors-config.js';

const API_KEY = 'key of the provider';
const providers: IggyConfigProvider[] = [];

afterEach(async () => {
  await Promise.all(providers.splice(0).map((provider) => provider.close()));
});

const SINK = aConnector('sink', {
  values: { plugin_config: { url: 'https://example.com/', headers: { 'x-key': 'secret' } } },
});
const SOURCE = aConnector('source', {
  values: {
    streams: [{ stream: 'demo', topics: ['one'], schema: 'json', linger_time: '5ms', batch_length: 10 }],
    transforms: { add_fields: { enabled: true, fields: [] } },
  },
});
const CONNECTORS: NodeConnectors = { want: 'running', restart: 0, instances: [SINK, SOURCE] };

/** A client in the role of the connectors runtime. */
async function aRuntime(connectors: NodeConnectors = CONNECTORS) {
  const provider = new IggyConfigProvider(API_KEY);
  providers.push(provider);
  provider.setConnectors(connectors);
  const base = await provider.listen();
  const get = async (path: string, init: RequestInit = { headers: { 'api-key': API_KEY } }) => {
    const answer = await fetch(`${base}${path}`, init);
    return { status: answer.status, body: (await answer.json()) as any };
  };
  return { provider, get };
}

describe('the configuration provider for the connectors runtime', () => {
  it('returns all active configurations by type and key', async () => {
    const { get } = await aRuntime();

    const { status, body } = await get('/configs/active');

    expect(status).toBe(200);
    expect([Object.keys(body.sinks), Object.keys(body.sources)]).toEqual([['sink_2'], ['source_1']]);
    expect(body.sinks.sink_2).toEqual({
      ...{ type: 'sink', key: 'sink_2', name: 'The sink', enabled: true, version: 1 },
      path: 'libiggy_connector_http_sink',
      plugin_config_format: 'json',
      plugin_config: SINK.config.values.plugin_config,
      streams: [{ stream: 'demo', topics: ['numbers'], schema: 'json', poll_interval: '5ms' }],
      transforms: {},
    });
    expect(body.sources.source_1.streams).toEqual([
      { stream: 'demo', topic: 'one', schema: 'json', batch_length: 10, linger_time: '5ms' },
    ]);
  });

  it.each(['sinks/sink_2', 'sources/source_1'])('returns the configurations of one connector: %s', async (one) => {
    const { get } = await aRuntime();

    const { body: config } = await get(`/${one}`);
    const kind = one.split('/')[0];

    expect((await get(`/${kind}`)).body).toEqual([config]);
    expect((await get(`/${one}/configs`)).body).toEqual([config]);
    expect((await get(`/${one}/configs/1`)).body).toEqual(config);
    expect((await get(`/${one}/configs/active`)).body).toEqual(config);
    expect((await get(`/${one}/configs/plugin?format=json`)).body).toEqual(config.plugin_config);
    expect((await get(`/${one}/transforms`)).body).toEqual(config.transforms);
    expect((await get(`/configs/active/versions`)).body[kind ?? '']).toEqual({
      [config.key]: { version: 1, created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) },
    });
  });

  it.each(['/sinks/other', '/sinks/sink_2/configs/2', '/sources/sink_2', '/sinks/constructor', '/', '/sinks/%E0%A4'])(
    'returns 404 for an unknown path: %s',
    async (path) => {
      const { get } = await aRuntime();
      expect((await get(path)).status).toBe(404);
    },
  );

  it('disables all configurations while the connectors are stopped', async () => {
    const { provider, get } = await aRuntime();
    provider.setConnectors({ ...CONNECTORS, want: 'stopped' });

    const { body } = await get('/configs/active');
    expect([body.sinks.sink_2.enabled, body.sources.source_1.enabled]).toEqual([false, false]);
  });

  it('requires the key, and allows only reads', async () => {
    const { get } = await aRuntime();

    expect((await get('/configs/active', {})).status).toBe(401);
    expect((await get('/configs/active', { headers: { 'api-key': 'another' } })).status).toBe(401);
    const put = { method: 'PUT', headers: { 'api-key': API_KEY }, body: '{"version":2}' };
    expect((await get('/sinks/sink_2/configs/active', put)).status).toBe(405);
  });
});

describe('the configuration of the connectors runtime', () => {
  const PLACE = { dir: '/nodes/5', installation: 'test', nodeId: 5 };
  const PLAN: IggyConnectorsPlan = {
    ...{ brokerAddress: '127.0.0.1:8090', apiKey: 'own key' },
    ...{ providerUrl: 'http://127.0.0.1:7000', providerKey: API_KEY },
  };

  it('names the provider and the file of the token, and no key that the runtime lacks', () => {
    const { config, environment } = renderIggyConnectors(PLACE, PLAN);

    expect(config).toContain('[connectors]\nbase_url = "http://127.0.0.1:7000"\nconfig_type = "http"');
    expect(config).toContain(`[connectors.request_headers]\napi-key = "${API_KEY}"`);
    expect(config).toContain('[state]\npath = "/nodes/5/connectors/plugins"');
    expect(config).toContain('token = "file:/nodes/5/connectors-token"');
    expect(config).not.toMatch(/own key|username|logging/);
    expect(environment).toBe('IGGY_CONNECTORS_HTTP_API_KEY="own key"\n');
  });
});
