import { Get, Post, SetMetadata } from '@nestjs/common';
import { ReadsAgain } from './reads-again.decorator.js';

const MARK = 'a mark';
let runs = 0;

function failOnce(code: string): string {
  runs += 1;
  if (runs === 1) throw Object.assign(new Error('cut'), { code });
  return `run ${runs}`;
}

class Records {
  readonly code: string = '08006';

  @Get()
  @ReadsAgain
  @SetMetadata(MARK, 'kept')
  async read(..._args: unknown[]): Promise<string> {
    return failOnce(this.code);
  }

  @Get()
  @ReadsAgain
  list(): string[] {
    return ['a'];
  }

  @Post()
  @ReadsAgain
  async write(): Promise<string> {
    return failOnce(this.code);
  }
}

describe('A read whose connection to the database was cut', () => {
  beforeEach(() => void (runs = 0));

  it('runs once more', async () => {
    expect(await new Records().read()).toBe('run 2');
  });

  it('keeps its name, and what other decorators have said about it', () => {
    const read = Object.getOwnPropertyDescriptor(Records.prototype, 'read')?.value as () => unknown;
    expect([read.name, Reflect.getMetadata(MARK, read)]).toEqual(['read', 'kept']);
  });

  it('answers without a promise if it needs none', () => {
    expect(new Records().list()).toEqual(['a']);
  });

  it.each([
    ['that is a write', (records: Records) => records.write()],
    ['whose answer has begun', (records: Records) => records.read({ headersSent: true })],
    ['that failed for another reason', (records: Records) => Object.assign(records, { code: '22P02' }).read()],
  ])('does not run again %s', async (_, run) => {
    await expect(run(new Records())).rejects.toThrow('cut');
    expect(runs).toBe(1);
  });
});
