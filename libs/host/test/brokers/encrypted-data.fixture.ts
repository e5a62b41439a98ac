import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrokerUnderTest } from './embedded.fixture.js';

export const MARK = 'the-quick-brown-mark';
export const KEY: string = randomBytes(32).toString('base64');
export const OTHER_KEY: string = randomBytes(32).toString('base64');

/** All files below a directory, relative, with their contents. */
export async function filesIn(directory: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const read = paths.sort().map(async (path) => [path.slice(directory.length + 1), await readFile(path)] as const);
  return new Map(await Promise.all(read));
}

/** The files that contain the text, as it is or as base64 at any position. */
export async function filesWith(directory: string, text: string): Promise<string[]> {
  const needles = [Buffer.from(text), ...[0, 1, 2].map((shift) => Buffer.from(base64Inside(text, shift)))];
  const files = [...(await filesIn(directory))];
  return files.filter(([, content]) => needles.some((needle) => content.includes(needle))).map(([path]) => path);
}

/** The characters of base64 that depend on the text only, when it begins this many bytes after a group of three. */
function base64Inside(text: string, shift: number): string {
  const encoded = Buffer.concat([Buffer.alloc(shift), Buffer.from(text)]).toString('base64');
  return encoded.slice(shift === 0 ? 0 : 4, -4);
}

/** Stores the payload as retained, in the queue of an offline session, and as a last will. */
export async function storeMessages(broker: BrokerUnderTest, payload: string | Buffer): Promise<void> {
  const session = await broker.client({ clientId: 'offline', clean: false });
  await session.subscribeAsync('orders/#', { qos: 1 });
  await session.endAsync();
  const will = { topic: 'wills/1', payload: Buffer.from(payload), qos: 1 as const, retain: false };
  const client = await broker.client({ clientId: 'writer', will });
  await client.publishAsync('orders/1', payload, { qos: 1 });
  await client.publishAsync('state', payload, { qos: 1, retain: true });
  await client.endAsync();
}
