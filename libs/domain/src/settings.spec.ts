import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { ConfigInvalid, flagSetting, listSetting, parseSettings, portSetting } from './settings.js';

const schema = z.object({ PORT: portSetting, FLAG: flagSetting, LIST: listSetting.default([]), SECRET: z.string() });

describe('Settings', () => {
  const directory = mkdtempSync(join(tmpdir(), 'settings-'));
  afterAll(() => rmSync(directory, { recursive: true }));

  it('report all problems at once', () => {
    const parse = () => parseSettings(schema, { PORT: '99999', FLAG: 'maybe' });

    expect(parse).toThrow(ConfigInvalid);
    expect(parse).toThrow(/PORT[\s\S]*FLAG[\s\S]*SECRET|SECRET[\s\S]*PORT/);
  });

  it('can be read from a file, and treat empty values as absent', () => {
    const file = join(directory, 'secret');
    writeFileSync(file, 'from the file\n');

    const settings = parseSettings(schema, {
      PORT: '80',
      FLAG: 'true',
      LIST: ' a, b ,',
      SECRET: '',
      SECRET_FILE: file,
    });

    expect(settings).toEqual({ PORT: 80, FLAG: true, LIST: ['a', 'b'], SECRET: 'from the file' });
  });
});
