import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { QueryFailedError } from 'typeorm';
import { PinoLogger } from './pino-logger.js';

describe('The log', () => {
  it('does not contain the values of a statement that TypeORM sent', () => {
    const folder = mkdtempSync(join(tmpdir(), 'log-'));
    const file = join(folder, 'log');
    const cause = Object.assign(new TypeError('duplicate key'), { code: '23505' });

    new PinoLogger({ level: 'info', app: 'test', file }).error(
      { err: new QueryFailedError('insert into roles values ($1)', ['secret'], cause) },
      'request failed',
    );

    const text = readFileSync(file, 'utf8');
    rmSync(folder, { recursive: true });
    expect(text).toContain('duplicate key');
    expect(text).toContain('23505');
    expect(text).not.toContain('secret');
  });
});
