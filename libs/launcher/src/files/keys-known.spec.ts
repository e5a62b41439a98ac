import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../config.js';
import { requireKeysKnown } from './keys-known.js';

describe('requireKeysKnown', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'landlord-keys-'));
  const config = readConfig({ LANDLORD_DATA_DIR: dataDir });
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  it('refuses a key file that changed after the start of Landlord', () => {
    expect(() => requireKeysKnown(config)).not.toThrow();
    write('launcher.lock', 1_000);
    write('secret-keys', 900);
    expect(() => requireKeysKnown(config)).not.toThrow();

    write('secret-keys', 1_100);

    expect(() => requireKeysKnown(config)).toThrow('has changed since the start of Landlord');
    expect(() => requireKeysKnown({ ...config, secretKeys: 'k1:x' })).not.toThrow();
  });

  function write(name: string, seconds: number): void {
    writeFileSync(join(dataDir, name), 'x');
    utimesSync(join(dataDir, name), seconds, seconds);
  }
});
