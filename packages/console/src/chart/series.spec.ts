import type { Supervisor } from '@landlord/sdk';
import { MEASURES, written, type Measure } from './measures.js';
import { linesOf, summaryOf } from './series.js';

const at = (seconds: number) => new Date(seconds * 1000).toISOString();
const measure = (name: string): Measure => MEASURES.find((one) => one.name === name)!;
const cpu = (seconds: number, cpu_percent?: number) => ({
  at: at(seconds),
  metrics: cpu_percent === undefined ? {} : { cpu_percent },
});
const sent = (seconds: number, messages_in: number) => ({ at: at(seconds), metrics: { messages_in } });

const node = (...points: Supervisor.MetricPointView[]) => ({ from: at(0), to: at(300), step: 60, points });

describe('The lines of a chart', () => {
  it('have common times, and a gap where a node has reported nothing', () => {
    const lines = linesOf([node(cpu(60, 1), cpu(120)), node(cpu(120, 5), cpu(180, 6))], measure('CPU'));

    expect(lines).toEqual({
      window: [0, 300],
      times: [60, 120, 180],
      values: [
        [1, null, null],
        [null, 5, 6],
      ],
    });
  });

  it('show a counter as its change in a second, with a gap where the counter began again', () => {
    const lines = linesOf(
      [node(sent(60, 0), sent(120, 600), sent(180, 30), sent(240, 90))],
      measure('Messages from clients'),
    );

    expect(lines.values).toEqual([[null, 10, null, 1]]);
  });

  it('leave out the change within the step that has not ended, which would look like a fall', () => {
    const steady = [sent(60, 0), sent(120, 1752), sent(180, 3504), sent(240, 5256)];
    const running = { ...node(...steady, sent(300, 5510)), to: at(309) };

    const { times, values } = linesOf([running], measure('Messages from clients'));

    expect({ times, values }).toEqual({ times: [60, 120, 180, 240], values: [[null, 29.2, 29.2, 29.2]] });
    expect(summaryOf(values[0]!)).toMatchObject({ min: 29.2, last: 29.2 });
    const ended = linesOf([{ ...running, to: at(360) }], measure('Messages from clients'));
    expect(ended.values[0]?.at(-1)).toBeCloseTo(254 / 60);
  });

  it('keep the average of the step that has not ended, because no time divides it', () => {
    const { times, values } = linesOf([{ ...node(cpu(240, 5), cpu(300, 6)), to: at(309) }], measure('CPU'));

    expect({ times, values }).toEqual({ times: [240, 300], values: [[5, 6]] });
  });

  it('have a summary of what was reported', () => {
    expect(summaryOf([null, 3, 1, null, 2, null])).toEqual({ min: 1, max: 3, last: 2 });
    expect(summaryOf([null, null])).toBeNull();
  });
});

describe('A value in words', () => {
  it.each([
    [12.345, '%', '12.3 %'],
    [0, 'bytes', '0 B'],
    [1023, 'bytes', '1,023 B'],
    [1024, 'bytes', '1 KiB'],
    [5.5 * 1024 ** 3, 'bytes', '5.5 GiB'],
    [0.25, 'number a second', '0.25/s'],
    [2048, 'bytes a second', '2 KiB/s'],
    [1234567, 'number', '1,234,567'],
  ] as const)('is short: %d %s', (value, unit, words) => {
    expect(written(value, unit)).toBe(words);
  });
});
