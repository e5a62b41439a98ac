import { Progress } from './progress.js';

describe('the progress of the demo', () => {
  const open = (isTerminal: boolean): { progress: Progress; shown: () => string } => {
    let written = '';
    const terminal = {
      say: (line: string) => void (written += `${line}\n`),
      complain: (line: string) => void (written += `${line}\n`),
    };
    const live = isTerminal ? (text: string): void => void (written += text) : null;
    return { progress: new Progress(terminal, live), shown: () => written };
  };

  it('overwrites the live line with the end of a step', () => {
    const { progress, shown } = open(true);

    progress.underWay('creating_subnet', 100, 'the subnet is being made');
    progress.step('creating_subnet', 280);

    expect(shown()).toBe(
      '\r\u001b[K   creating_subnet                    0.10 s   the subnet is being made' +
        '\r\u001b[K   creating_subnet                    0.28 s\n',
    );
  });

  it('prints a complaint on a new line instead of the live line', () => {
    const { progress, shown } = open(true);

    progress.underWay('creating_subnet', 100, null);
    progress.complain('no');

    expect(shown().endsWith('…\r\u001b[Kno\n')).toBe(true);
  });

  it('prints no running steps without a terminal', () => {
    const { progress, shown } = open(false);

    progress.underWay('creating_subnet', 100, 'the subnet is being made');
    progress.step('creating_subnet', 280, '2 attempts');

    expect(shown()).toBe('   creating_subnet                    0.28 s   2 attempts\n');
  });

  it('adds up the times of the parts', async () => {
    const { progress, shown } = open(false);

    await progress.timed('one', async () => undefined);
    await progress.timed('two', async () => undefined);
    progress.table();

    const times = /Time\n +one +(\d+\.\d\d) s\n +two +(\d+\.\d\d) s\n +total +(\d+\.\d\d) s\n/.exec(shown());
    const [one, two, total] = (times ?? []).slice(1).map(Number) as [number, number, number];
    // Each of the three numbers is rounded.
    expect(Math.abs(total - one - two)).toBeLessThan(0.02);
  });
});
