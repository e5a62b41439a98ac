import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const STORIES = join(import.meta.dirname, '..');
/** Imported from the SDK, or from the test library, whose deployments and clouds call the SDK. */
const BY_THE_SDK = /\bTestDeployment\b|\.landlord\b|'@landlord\/sdk'/;

describe('The stories', () => {
  it('call the API by the SDK in at least one of three files', () => {
    const files = readdirSync(STORIES, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.(spec|proof|story)\.ts$/.test(name),
    );
    const bySdk = files.filter((name) => BY_THE_SDK.test(readFileSync(join(STORIES, name), 'utf8')));

    expect(files.length).toBeGreaterThan(100);
    expect(bySdk.length).toBeGreaterThanOrEqual(files.length / 3);
  });
});
