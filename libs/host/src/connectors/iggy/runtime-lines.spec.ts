import { apiPortIn, isRefusal, loadedIn, lostIn, namedIn, PanicReader, parseLine } from './runtime-lines.js';

/** Lines of iggy-connectors 0.4.0. */
const AT = '\u001b[2m2026-11-24T03:42:55.911284Z\u001b[0m \u001b[32m INFO\u001b[0m ';
const FAILED =
  '2026-11-24T03:43:59.974145Z ERROR connector: connector_target="iggy_connector_http_sink" HTTP sink ID: 3 — ' +
  'partial individual delivery: 2/10 delivered, 3 HTTP failures, 0 serialization errors';

describe('the output of iggy-connectors', () => {
  it('is read with level, without colours, and with the connector of a line', () => {
    expect(parseLine(FAILED)).toEqual({
      level: 'error',
      connector: 3,
      text: expect.stringMatching(/^iggy_connector_http_sink: HTTP sink ID: 3/),
    });
    expect(parseLine(`${AT}iggy_connectors: Found 3 source and 2 sink configurations.`)).toEqual({
      ...{ level: 'info', connector: null },
      text: 'iggy_connectors: Found 3 source and 2 sink configurations.',
    });
    expect(parseLine('    200,')).toBeNull();
  });

  it('tells its port, ids of connectors, and messages that are given up', () => {
    expect(apiPortIn('iggy_connectors::api: Started iggy-connectors HTTP API on: 127.0.0.1:40689')).toBe(40_689);
    expect(apiPortIn(FAILED)).toBeNull();
    expect(
      namedIn('iggy_connectors::sink: Sink container with name: The log (log_2), initialized successfully with ID: 4.'),
    ).toEqual({ key: 'log_2', id: 4 });
    expect([lostIn(FAILED), lostIn('sent 10 messages')]).toEqual([8, 0]);
  });

  it('tells which connector is loaded, and whether its end is the fault of that connector', () => {
    const line =
      'iggy_connectors::sink: Initializing sink container with name: Log (2) (log_2), config version: 1, plugin: x';

    expect([loadedIn(line), loadedIn(FAILED)]).toEqual(['log_2', null]);
    const ends = [
      'Error: InvalidConfiguration("no")',
      'panicked: no',
      'Error: IggyError(Disconnected)',
      'it ended with 1',
    ];
    expect(ends.map(isRefusal)).toEqual([true, true, false, false]);
  });

  it('tells panics, with the plugin whose code it is', () => {
    const reader = new PanicReader();
    const lines = [
      "thread 'tokio-rt-worker' (22353) panicked at core/connectors/sources/random_source/src/lib.rs:97:83:",
      'called `Result::unwrap()` on an `Err` value: EmptyRange',
      'stack backtrace:',
      "thread 'main' panicked at /root/.cargo/registry/src/tokio/src/lib.rs:1:1:",
      'out of luck',
    ];

    expect(lines.map((line) => reader.read(line)).filter((panic) => panic !== null)).toEqual([
      { plugin: 'source:random', message: expect.stringContaining('EmptyRange (core/connectors') },
      { plugin: null, message: expect.stringContaining('out of luck') },
    ]);
  });
});
