import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConsumerState } from './consumer-state.js';

/** The only stream whose messages nats-server deletes when all sessions have acknowledged them. */
const STREAM = '$MQTT_msgs';
/** nats-server keeps the streams of MQTT clients in the global account (nats-config.ts). */
const ACCOUNT = '$G';
const CONSUMERS = join('jetstream', ACCOUNT, 'streams', STREAM, 'obs');
const STATE_FILE = 'o.dat';
const NONCE_BYTES = 16;
const TAG_BYTES = 16;

/**
 * Call before a start of nats-server without peers, while it does not run.
 *
 * At its start, nats-server 2.9 deletes all messages below the lowest acknowledged position of the sessions. It looks at the
 * sessions in a random order, and forgets the lowest position when a session has the position 0. A session has this position
 * until it acknowledges its first message, and then the server can delete messages that it has not delivered. When all sessions
 * have the position 0, the server deletes nothing at its start. The positions of explicitly acknowledged messages do not depend
 * on this value: the server also stores the last delivered message and the messages that wait for an acknowledgement.
 *
 * @param key the encryption key of the data, null for plain data
 */
export async function keepUnacknowledged(dataDirectory: string, key: string | null): Promise<void> {
  const sessions = await storedSessions(dataDirectory, key);
  // nats-server also reads a missing file as the position 0.
  if (sessions.every(({ state }) => state !== null && state.ackFloor > 0)) return;
  for (const { file, state } of sessions) if (state && state.ackFloor > 0) await file.write(state.withoutAckFloor());
}

/** The stored state of each session's subscription, in any order. Null for a state that cannot be read. */
export async function storedStates(dataDirectory: string, key: string | null): Promise<(ConsumerState | null)[]> {
  return (await storedSessions(dataDirectory, key)).map(({ state }) => state);
}

async function storedSessions(dataDirectory: string, key: string | null) {
  const directory = join(dataDirectory, CONSUMERS);
  const names = await readdir(directory).catch(() => []);
  const sessions: { file: StateFile; state: ConsumerState | null }[] = [];
  // One after another: there can be more sessions than files that a process may open.
  for (const name of names) {
    const file = new StateFile(directory, name, key);
    sessions.push({ file, state: await file.read() });
  }
  return sessions;
}

/** The file with the state of one session's subscription. */
class StateFile {
  private readonly path: string;

  constructor(
    private readonly directory: string,
    private readonly name: string,
    private readonly key: string | null,
  ) {
    this.path = join(directory, name, STATE_FILE);
  }

  /** Null when the file is missing, or has a format or a key that this code does not know. nats-server judges such files. */
  async read(): Promise<ConsumerState | null> {
    try {
      const content = await readFile(this.path);
      const seed = await this.seed();
      return ConsumerState.parse(seed ? open(seed, content) : content);
    } catch {
      return null;
    }
  }

  /** Replaces the file atomically. */
  async write(state: ConsumerState): Promise<void> {
    const seed = await this.seed();
    const temporary = `${this.path}.new`;
    await writeFile(temporary, seed ? seal(seed, state.content) : state.content, { mode: 0o640, flush: true });
    await rename(temporary, this.path);
  }

  /** The key of this file. It is stored beside the file, encrypted by a key that is derived from the key of the data. */
  private async seed(): Promise<Buffer | null> {
    if (this.key === null) return null;
    const context = `${ACCOUNT}${STREAM}.${this.name}`;
    const derived = createHmac('sha256', this.key).update(context).digest();
    return open(derived, await readFile(join(this.directory, this.name, 'meta.key')));
  }
}

/** A nonce, the encrypted content, and a tag. */
function open(key: Buffer, sealed: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
}

/** As nats-server encrypts the file: the nonce is also the beginning of the output. */
function seal(key: Buffer, content: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  return Buffer.concat([nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()]);
}
