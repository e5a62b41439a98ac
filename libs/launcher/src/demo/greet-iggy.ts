import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { LauncherError } from '../launcher-error.js';
import { endpointOf, type BrokerLogin } from './broker-login.js';
import type { Progress } from './progress.js';

const NAME = 'landlord-demo';
const MESSAGE = 'Hello from Landlord';
const PATIENCE_MS = 15_000;
const TOPIC = { name: NAME, partitions_count: 1, compression_algorithm: 'none', message_expiry: 0, max_topic_size: 0 };
/** Number of the only partition, as a little-endian number of 4 bytes. */
const FIRST_PARTITION = { kind: 'partition_id', value: Buffer.alloc(4).toString('base64') };
const ALL_FROM_THE_START = 'consumer_id=1&partition_id=0&kind=offset&value=0&count=10&auto_commit=false';

/**
 * Signs in over HTTP, creates a stream, sends a message and reads it. Then the command line of Apache Iggy reads the message over
 * TCP, if this machine has it.
 * @throws LauncherError when the broker fails, and the reason of `signal` when it is aborted
 */
export async function greetIggy(login: BrokerLogin, progress: Progress, signal: AbortSignal): Promise<void> {
  const { username, password } = login;
  const broker = new IggyCalls(`http://${endpointOf(login, 'http')}`, signal);
  await broker.signIn(username, password);
  progress.fact('connected', broker.url);
  await broker.call('POST', '/streams', { name: NAME });
  await broker.call('POST', `/streams/${NAME}/topics`, TOPIC);
  progress.fact('created', `stream ${NAME} with topic ${NAME}`);
  const began = performance.now();
  const messages = [{ id: 0, payload: Buffer.from(MESSAGE).toString('base64') }];
  const path = `/streams/${NAME}/topics/${NAME}/messages`;
  await broker.call('POST', path, { partitioning: FIRST_PARTITION, messages });
  progress.fact('sent', `"${MESSAGE}"`);
  const polled = await broker.call<{ messages: { payload: string }[] }>('GET', `${path}?${ALL_FROM_THE_START}`);
  const texts = polled.messages.map(({ payload }) => Buffer.from(payload, 'base64').toString());
  if (!texts.includes(MESSAGE)) throw new LauncherError(`The broker at ${broker.url} did not return the message.`);
  progress.fact('received', `"${MESSAGE}" after ${Math.ceil(performance.now() - began)} ms`);
  await readByCommand(login, progress, signal);
}

/** The HTTP interface of a broker, for one client. */
class IggyCalls {
  private token: string | null = null;

  constructor(
    readonly url: string,
    private readonly signal: AbortSignal,
  ) {}

  async signIn(username: string, password: string): Promise<void> {
    const answer = await this.call<{ access_token: { token: string } }>('POST', '/users/login', { username, password });
    this.token = answer.access_token.token;
  }

  async call<Body>(method: string, path: string, body?: object): Promise<Body> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(this.token !== null && { authorization: `Bearer ${this.token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.any([this.signal, AbortSignal.timeout(PATIENCE_MS)]),
    }).catch((error: Error) => {
      this.signal.throwIfAborted();
      throw new LauncherError(`The broker at ${this.url} does not answer: ${error.message}`);
    });
    const text = await response.text();
    if (!response.ok) throw new LauncherError(`The broker at ${this.url} refused ${method} ${path}: ${text}`);
    return (text === '' ? null : JSON.parse(text)) as Body;
  }
}

async function readByCommand(login: BrokerLogin, progress: Progress, signal: AbortSignal): Promise<void> {
  const { iggyCommand: command } = login;
  if (command === null) return;
  const access = ['--tcp-server-address', endpointOf(login, 'tcp'), '-u', login.username, '-p', login.password];
  const poll = ['message', 'poll', '--offset', '0', '-m', '1', NAME, NAME, '0'];
  const { stdout } = await promisify(execFile)(command, [...access, ...poll], { signal, timeout: PATIENCE_MS }).catch(
    (error: Error) => {
      signal.throwIfAborted();
      throw new LauncherError(`${command} failed: ${error.message.replaceAll(login.password, '***')}`);
    },
  );
  if (!stdout.includes(MESSAGE)) throw new LauncherError(`${command} did not read the message.`);
  progress.fact('command', `iggy ${poll.join(' ')} reads the same message over TCP`);
}
