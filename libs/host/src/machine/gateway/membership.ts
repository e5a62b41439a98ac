import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readFileIfAny, writePrivateFile } from '../../os/private-file.js';
import { reasonOf, type JsonLog } from '../../os/json-log.js';
import type { JoinAnswer, JoinedMachine } from '@libs/domain/machine-protocol';
import { AGENT_VERSION } from '../../node/agent-version.js';
import { Backoff } from '../../node/gateway/backoff.js';
import { GatewayError } from '../../node/agent-error.js';
import { Wakeup } from '../../os/wakeup.js';
import { forgetToken } from '../machine-file.js';
import { MachineRefused } from '../machine-refused.js';
import type { MachineClient } from './machine-client.js';

const CREDENTIAL_FILE = 'credential.json';
/** Answers to a join that another attempt does not change. */
const FINAL = [400, 401, 403, 404, 409, 410, 422];

interface Credential {
  secret: string;
  /** Null until the gateway has answered the join. */
  machine: JoinAnswer | null;
}

/** The machine as the gateway has it, and the header of its calls. */
export interface Membership {
  machine: JoinAnswer;
  authorization: string;
}

/** What a join needs. */
export interface JoinOffer {
  /** Directory of the machine. */
  dir: string;
  token: string;
  facts: JoinedMachine;
}

/**
 * The membership of an earlier join, or of a new one. The machine's secret is durable before its hash is sent, so that the agent can
 * repeat the join with the same secret after a lost answer. Retries network errors without a limit. Null when aborted. Throws
 * MachineRefused when the gateway refuses the token.
 */
export async function joinOnce(
  offer: JoinOffer,
  client: MachineClient,
  log: JsonLog,
  signal: AbortSignal,
): Promise<Membership | null> {
  const credential = await ensureCredential(offer.dir);
  const machine = credential.machine ?? (await joinUntilAnswered(offer, credential, client, log, signal));
  return machine === null
    ? null
    : { machine, authorization: `Bearer machine ${machine.machine_id}.${credential.secret}` };
}

/** Returns a function for each accepted call. The first call removes the token from the disk. */
export function onAccepted(dir: string): () => Promise<void> {
  let isForgotten = false;
  return async () => {
    if (isForgotten) return;
    await forgetToken(dir);
    isForgotten = true;
  };
}

async function joinUntilAnswered(
  offer: JoinOffer,
  { secret }: Credential,
  client: MachineClient,
  log: JsonLog,
  signal: AbortSignal,
): Promise<JoinAnswer | null> {
  const { token, facts: machine, dir } = offer;
  if (token === '')
    throw new MachineRefused('machine.json has no join token. Create a token and join the machine again.');
  const credential_hash = createHash('sha256').update(secret).digest('hex');
  const backoff = new Backoff();
  while (!signal.aborted) {
    try {
      const answer = await client.join({ token, credential_hash, agent_version: AGENT_VERSION, machine }, signal);
      await saveCredential(dir, { secret, machine: answer });
      log.info('joined', { machine: answer.machine_id, region: answer.region, zone: answer.zone });
      return answer;
    } catch (error) {
      if (signal.aborted) return null;
      requireRetryable(error);
      const waitMs = backoff.next(error instanceof GatewayError ? error.retryAfterMs : null);
      log.warn('the join failed', { reason: reasonOf(error), retry_ms: Math.round(waitMs) });
      await new Wakeup().sleep(waitMs, signal);
    }
  }
  return null;
}

function requireRetryable(error: unknown): void {
  if (!(error instanceof GatewayError) || !FINAL.includes(error.status)) return;
  const answer = `${error.status}${error.code === null ? '' : ` ${error.code}`}`;
  throw new MachineRefused(
    `The gateway refused the join (${answer}): the token is unknown, expired or already used by another machine. Create another token.`,
  );
}

async function ensureCredential(dir: string): Promise<Credential> {
  const content = await readFileIfAny(join(dir, CREDENTIAL_FILE));
  if (content !== null) return JSON.parse(content) as Credential;
  const fresh = { secret: randomBytes(32).toString('base64url'), machine: null };
  await saveCredential(dir, fresh);
  return fresh;
}

function saveCredential(dir: string, credential: Credential): Promise<void> {
  return writePrivateFile(join(dir, CREDENTIAL_FILE), JSON.stringify(credential));
}
