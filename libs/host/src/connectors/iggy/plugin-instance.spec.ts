import { aConnector } from '../../../test/brokers/connectors.fixture.js';
import { PluginInstance } from './plugin-instance.js';
import type { ConnectorStat } from './runtime-api.js';

const PANIC = { plugin: 'source:random', message: 'panicked: EmptyRange' };
const stat = (messages: number, more: Partial<ConnectorStat> = {}): ConnectorStat => ({
  ...{ key: 'source_1', connector_type: 'source', status: 'running', messages_sent: messages, errors: 0 },
  ...more,
});

function anInstance(): PluginInstance {
  const instance = new PluginInstance(aConnector('source'), { messages: 100, failed: 2 });
  instance.offer();
  instance.processBegins();
  return instance;
}

describe('one connector of iggy-connectors', () => {
  it('counts on over processes of the runtime, whose counts begin again', () => {
    const instance = anInstance();
    instance.observe(stat(30, { errors: 1 }), 0);
    instance.processBegins();
    instance.observe(stat(5), 500);

    expect(instance.counts).toEqual({ messages: 135, failed: 3 });
  });

  it('counts what the plugin gave up as failed, and not as moved', () => {
    const instance = anInstance();
    instance.note('partial individual delivery: 4/10 delivered', 6);
    instance.observe(stat(10), 0);

    expect(instance.counts).toEqual({ messages: 104, failed: 8 });
    expect(instance.report).toMatchObject({ status: 'running', last_error: expect.stringContaining('4/10') });
  });

  it('fails after a panic of its plugin when its counts stand, and not when they move', () => {
    const [broken, other] = [anInstance(), anInstance()];
    for (const one of [broken, other]) {
      one.observe(stat(10), 0);
      one.suspect(PANIC, 0);
    }
    broken.observe(stat(10), 2_000);
    other.observe(stat(11), 2_000);

    expect(broken.report).toMatchObject({ status: 'failed', error: PANIC.message, last_error: PANIC.message });
    expect(other.report).toMatchObject({ status: 'running', error: null });
  });

  it('is not reported as running between a panic and the decision', () => {
    const instance = anInstance();
    instance.suspect(PANIC, 0);
    instance.observe(stat(0), 500);
    expect(instance.report.status).toBe('starting');

    instance.observe(stat(1), 1_000);
    expect(instance.report.status).toBe('running');
  });

  it('is starting with another configuration until the runtime has that one', () => {
    const instance = anInstance();
    instance.observe(stat(1), 0);
    const next = aConnector('source', { values: { plugin_config: { payload_size: 5 } } });
    instance.take(next);
    instance.observe(stat(2), 500);
    expect(instance.report.status).toBe('starting');
    expect(instance.isRestartDue(500)).toBe(true);

    // The configuration changed again after the offer.
    instance.offer();
    instance.take(aConnector('source'));
    instance.restarted(1_000);
    instance.observe(stat(3), 1_500);
    expect(instance.report.status).toBe('starting');

    instance.offer();
    instance.restarted(2_000);
    instance.observe(stat(4), 2_500);
    expect(instance.report.status).toBe('running');
    expect(instance.isRestartDue(2_500)).toBe(false);
  });

  it('is not suspected for a panic of another plugin, and is for code of no plugin', () => {
    const instance = anInstance();
    instance.suspect({ ...PANIC, plugin: 'sink:random' }, 0);
    instance.observe(stat(0), 60_000);
    expect(instance.report.status).toBe('running');

    instance.suspect({ ...PANIC, plugin: null }, 60_000);
    instance.observe(stat(0), 62_000);
    expect(instance.report.status).toBe('failed');
  });

  it('waits longer before each restart, until it has worked for a while', () => {
    const instance = anInstance();
    const waits: number[] = [];
    let now = 0;
    for (let round = 0; round < 9; round += 1) {
      instance.suspect(PANIC, now);
      instance.observe(stat(0), (now += 2_000));
      const failedAt = now;
      while (!instance.isRestartDue(now)) now += 500;
      waits.push(now - failedAt);
      instance.restarted(now);
    }

    expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000]);
    instance.observe(stat(9), now + 40_000);
    instance.suspect(PANIC, now + 40_000);
    instance.observe(stat(9), now + 42_000);
    expect(instance.isRestartDue(now + 44_000)).toBe(true);
  });
});
