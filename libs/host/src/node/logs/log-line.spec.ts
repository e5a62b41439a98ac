import { LogParser } from './log-line.js';
import { LogRedaction } from './log-redaction.js';

const parseLogLine = (line: string) => new LogParser().parse(line);

describe('a line of a log', () => {
  it('is parsed in the format of Landlord, with its fields after its message', () => {
    const line =
      '{"level":"warn","time":"2026-11-21T10:00:00.250Z","node":5,"process":"agent","retry_ms":12,"msg":"failed"}';

    expect(parseLogLine(line)).toEqual({
      level: 'warn',
      at: Date.parse('2026-11-21T10:00:00.250Z'),
      message: 'failed retry_ms=12',
    });
  });

  it('is parsed in the format of iggy-server', () => {
    const at = Date.parse('2026-11-22T12:14:15.750Z');

    expect(parseLogLine('2026-11-22T12:14:15.750087Z  WARN shard-0 server::http: slow')).toEqual({
      ...{ level: 'warn', at, message: 'shard-0 server::http: slow' },
    });
    expect(parseLogLine('2026-11-22T12:14:15.750087Z ERROR main x: y').level).toBe('error');
    expect(parseLogLine('2026-11-22T12:14:15Z DEBUG main x: y').level).toBe('debug');
    expect(parseLogLine('2026-11-22T12:14:15Z says nothing')).toMatchObject({ level: 'info', at: null });
  });

  it('is parsed in the format of nats-server, without colours', () => {
    const line = '[42] 2026/11/21 10:00:00.123456 [\u001b[31mERR\u001b[0m] cannot listen';

    expect(parseLogLine(line)).toEqual({
      level: 'error',
      at: new Date(2026, 10, 21, 10, 0, 0, 123).getTime(),
      message: 'cannot listen',
    });
  });

  it('is an error in a panic, with the message of the panic, and until its end', () => {
    const parser = new LogParser();
    const levels = [
      "thread 'shard-0' (3947) panicked at core/server/src/bootstrap.rs:133:9:",
      ...['the message', 'of two lines', 'note: run with `RUST_BACKTRACE=1`', 'other words'],
      ...["thread 'main' panicked at x.rs:1:2:", 'its message', '--- iggy-server starts'],
      ...["thread 'main' panicked at x.rs:1:2:", '2026-11-22T12:14:15Z  INFO main x: y', 'other words'],
      'Error: ConfigurationError(CannotLoadConfiguration)',
    ].map((line) => parser.parse(line).level);

    const panic = ['error', 'error'];
    expect(levels).toEqual([...panic, 'error', 'info', 'info', ...panic, 'info', 'error', 'info', 'info', 'error']);
  });

  it.each([
    ['anything', 'Segmentation fault', 'Segmentation fault'],
    ['broken JSON', '{"level":', '{"level":'],
    ['control characters', 'a\u0000b\u0007c', 'a b c'],
    ['more than anybody reads', 'x'.repeat(9_000), 'x'.repeat(4_000)],
  ])('is kept unchanged: %s', (_, line, message) => {
    expect(parseLogLine(line)).toEqual({ level: 'info', at: null, message });
  });
});

describe('a known secret', () => {
  it('is masked in every spelling, including old secrets', () => {
    const redaction = new LogRedaction();
    redaction.know('a "quoted" one', 'p@ss/word');
    redaction.know('newer');

    expect(redaction.redact('nats://x:p%40ss%2Fword@h {"p":"a \\"quoted\\" one"} newer p@ss/word')).toBe(
      'nats://x:********@h {"p":"********"} ******** ********',
    );
  });

  it('that is too short masks nothing', () => {
    const redaction = new LogRedaction();
    redaction.know('', 'in');

    expect(redaction.redact('all is in order')).toBe('all is in order');
  });
});
