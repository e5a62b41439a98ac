import { describeWithIggy, IGGY_RELEASE, IGGY_SERVER, startIggy, type IggyStart } from '@libs/testing';
import WebSocket from 'ws';
import type { BrokerSetting, SettingKind } from '../broker-setting.js';
import { bytesText, durationText } from '../quantities.js';
import { validateValues } from '../validate-values.js';
import { measured } from '../value-refusal.js';
import { BROKEN_RULES, ENDLESS_STARTS, REFUSED_VALUES, type RefusedValue } from '../../test/iggy-0.8.fixture.js';
import { IGGY_0_8_DEFAULTS } from './iggy-0.8-defaults.js';
import { IGGY_0_8_LEFT_OUT, IGGY_0_8_SETTINGS } from './iggy-0.8-settings.js';

const binary = IGGY_SERVER ?? '';
const release = IGGY_RELEASE;
/** A start takes less than a second. */
const ENDLESS_MS = 3_000;

/** The defaults that a deployment gets. */
const OURS = Object.fromEntries(
  Object.entries(IGGY_0_8_SETTINGS)
    .filter(([, { brokerDefault }]) => brokerDefault !== undefined)
    .map(([key, setting]) => [key, setting.default]),
);
const start = (values: Record<string, unknown>, options?: Parameters<typeof startIggy>[2]): Promise<IggyStart> =>
  startIggy(binary, { ...OURS, ...values }, options);
const isLeftOut = (key: string): boolean => Object.keys(IGGY_0_8_LEFT_OUT).some((prefix) => key.startsWith(prefix));
const isAddress = (key: string): boolean => key.endsWith('.address');
const issues = (values: Record<string, unknown>) => validateValues('iggy', release, values);
const named = (values: readonly RefusedValue[]) =>
  values.map((one) => [one.key, one.refused, one.accepted, one.also ?? {}] as const);

describeWithIggy('The table of iggy 0.8', () => {
  let report: Record<string, unknown>;
  beforeAll(async () => {
    ({ report } = await startIggy(binary, {}));
  });

  it('has every key that a server reports, or a reason why it is left out', () => {
    const keys = Object.keys(report);

    expect(keys.filter((key) => !isLeftOut(key) && !Object.hasOwn(IGGY_0_8_SETTINGS, key))).toEqual([]);
    expect(keys.filter((key) => isLeftOut(key) && Object.hasOwn(IGGY_0_8_SETTINGS, key))).toEqual([]);
    for (const prefix of Object.keys(IGGY_0_8_LEFT_OUT)) expect(keys.join()).toContain(prefix);
  });

  it('has only keys that a server reports. It reports the sizes of WebSocket when they are set', async () => {
    const optional = Object.entries(IGGY_0_8_SETTINGS).filter(([, setting]) => setting.default === null);
    const set = Object.fromEntries(optional.map(([key]) => [key, '2 MiB']));
    const full = await start({ ...set, 'websocket.max_write_buffer_size': '3 MiB' });

    expect(Object.keys(IGGY_0_8_SETTINGS).filter((key) => !Object.hasOwn(full.report, key))).toEqual([]);
    const missing = Object.keys(IGGY_0_8_SETTINGS).filter((key) => !Object.hasOwn(IGGY_0_8_DEFAULTS, key));
    expect(missing).toEqual(optional.map(([key]) => key));
  });

  it('has the defaults of the server, and those of Landlord where they differ on purpose', () => {
    const differing = Object.entries(IGGY_0_8_SETTINGS).filter(
      ([key, setting]) =>
        !isAddress(key) &&
        setting.default !== null &&
        JSON.stringify(measured(setting, report[key])) !== JSON.stringify(measured(setting, setting.default)),
    );

    expect(Object.fromEntries(differing.map(([key, setting]) => [key, setting.default]))).toEqual({
      'http.cors.enabled': false,
      'http.jwt.trusted_issuers': [],
      'system.logging.max_file_size': '50 MB',
      'system.logging.max_total_size': '500 MB',
      'system.partition.enforce_fsync': true,
      'system.partition.messages_required_to_save': 1,
      'system.sharding.cpu_allocation': 'all',
      'system.state.enforce_fsync': true,
    });
    expect(OURS).toEqual(Object.fromEntries(differing.map(([key, setting]) => [key, setting.default])));
    for (const [key, setting] of differing) expect(setting.brokerDefault).toEqual(report[key]);
  });

  it('is written from the report of a server', () => {
    const ports = Object.fromEntries(
      Object.keys(report)
        .filter(isAddress)
        .map((key) => [key, '127.0.0.1:0']),
    );

    expect({ ...report, ...ports }).toEqual(IGGY_0_8_DEFAULTS);
  });

  it('is accepted as a whole: all defaults of the table', async () => {
    const values = Object.entries(IGGY_0_8_SETTINGS).filter(([, setting]) => setting.default !== null);
    const { started } = await start(Object.fromEntries(values.map(([key, setting]) => [key, setting.default])));

    expect(started).toBe(true);
  });
});

describeWithIggy('A value of iggy 0.8', () => {
  it.each(named(REFUSED_VALUES))('%s = %j ends the server, and is refused before. %j is accepted', async (...one) => {
    const [key, refused, accepted, also] = one;
    const { started, exit } = await start({ ...also, [key]: refused });

    expect(started).toBe(false);
    expect(exit).not.toBeNull();
    expect(issues({ [key]: refused }).map(({ pointer }) => pointer)).toContain(`/${key}`);
    if (accepted === undefined) return;
    expect(issues({ ...also, [key]: accepted })).toEqual([]);
    expect((await start({ ...also, [key]: accepted })).started).toBe(true);
  });

  it.each(named(ENDLESS_STARTS))('%s = %j never gets ready, and is refused before. %j is accepted', async (...one) => {
    const [key, refused, accepted, also] = one;
    const { started, exit } = await start({ ...also, [key]: refused }, { deadlineMs: ENDLESS_MS });

    expect({ started, exit }).toEqual({ started: false, exit: null });
    expect(issues({ [key]: refused }).map(({ pointer }) => pointer)).toContain(`/${key}`);
    if (accepted === undefined) return;
    expect(issues({ ...also, [key]: accepted })).toEqual([]);
    expect((await start({ ...also, [key]: accepted })).started).toBe(true);
  });

  it('in bits is refused: the server reads a size with a small b as an eighth', async () => {
    const key = 'http.max_request_size';
    const { report } = await start({ [key]: '2mb' });

    expect(report[key]).toBe('250 KB');
    expect(issues({ [key]: '2mb' })).toMatchObject([{ code: 'wrong_type' }]);
    expect((await start({ [key]: '2MB' })).report[key]).toBe('2 MB');
    expect(issues({ [key]: '2MB' })).toEqual([]);
  });

  it('of an unknown key is refused: the server ignores it without a message', async () => {
    const key = 'quic.stream_receive_window';
    const { started, report } = await start({ [key]: '1 MiB' });

    expect(started).toBe(true);
    expect(report).not.toHaveProperty([key]);
    expect(issues({ [key]: '1 MiB' })).toMatchObject([{ code: 'unknown_key' }]);
  });
});

describeWithIggy('The range of each key of iggy 0.8', () => {
  const NO_STAR = { 'http.cors.allowed_origins': ['https://a.example'] };
  const editable = Object.entries(IGGY_0_8_SETTINGS).filter(([, setting]) => setting.editable);
  const bounds = (of: (setting: BrokerSetting) => unknown): Record<string, unknown> => ({
    ...Object.fromEntries(
      editable.map(([key, setting]) => [key, of(setting)]).filter(([, value]) => value !== undefined),
    ),
    ...NO_STAR,
  });
  const amount = (kind: SettingKind, value: number | undefined): unknown => {
    if (value === undefined) return undefined;
    if (kind === 'duration') return durationText(value);
    return kind === 'bytesize' ? bytesText(value) : value;
  };

  it.each([
    ['the smallest values', ({ kind, min }: BrokerSetting) => amount(kind, min)],
    ['the largest values', ({ kind, max }: BrokerSetting) => amount(kind, max)],
    ['zero, where it is accepted', ({ isZeroTaken }: BrokerSetting) => (isZeroTaken ? '0' : undefined)],
    ['the first choices', ({ choices }: BrokerSetting) => choices?.at(0)],
    ['the last choices', ({ choices }: BrokerSetting) => choices?.at(-1)],
    ['the first words', ({ words }: BrokerSetting) => words?.at(0)],
    ['the last words', ({ words }: BrokerSetting) => words?.at(-1)],
    [
      'the opposite of each flag',
      ({ kind, default: value }: BrokerSetting) => (kind === 'boolean' ? !value : undefined),
    ],
  ])('is accepted by the server: %s', async (_, of) => {
    // This limit must be above another key, so it keeps its default.
    const values = { ...bounds(of), 'websocket.max_write_buffer_size': null };
    const entries = Object.entries(values).filter(([, value]) => value !== null);

    expect(entries.length).toBeGreaterThan(1);
    expect(issues(values)).toEqual([]);
    expect(await start(Object.fromEntries(entries))).toMatchObject({ started: true });
  });
});

describeWithIggy('A rule between keys of iggy 0.8', () => {
  const atConnect = 'write_buffer_within_limit';

  it.each(BROKEN_RULES.filter(([name]) => name !== atConnect))('%s is checked by the server', async (...one) => {
    const [name, broken, valid] = one;

    expect((await start(broken)).started).toBe(false);
    expect((await start(valid)).started).toBe(true);
    expect(issues(broken).some(({ reason }) => reason.endsWith(`(${name}).`))).toBe(true);
  });

  it.each(BROKEN_RULES.filter(([name]) => name === atConnect))('%s fails at a connection', async (...one) => {
    const [, broken, valid] = one;

    expect([await connects(broken), await connects(valid)]).toEqual([false, true]);
  });

  /** Whether a client can open a WebSocket. */
  async function connects(values: Record<string, unknown>): Promise<boolean | null> {
    const answers: boolean[] = [];
    await start(values, {
      during: async (report) => {
        const client = new WebSocket(`ws://${String(report['websocket.address'])}`);
        answers.push(
          await new Promise((resolve) => {
            client.once('open', () => resolve(true));
            client.once('error', () => resolve(false));
          }),
        );
        client.terminate();
      },
    });
    return answers[0] ?? null;
  }
});
