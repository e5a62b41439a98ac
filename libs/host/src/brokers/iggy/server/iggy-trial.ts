import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { BrokerError } from '../../../control/broker-error.js';
import type { Address } from '../../../gate/gate-upstream.js';
import { removeMemoryFolder } from '../../encryption/memory-folder.js';
import { nodeFlag, type NodeHome } from '../../../control/node-home.js';
import { endProcesses } from '../../../os/end-processes.js';
import type { Account } from '../gate/frame-filter.js';
import { IggyAdmin } from './iggy-admin.js';
import { IGGY_FILES } from '../iggy-files.js';
import { startServer, type RenderedFiles, type ServerPlace, type ServerProgram } from './iggy-process.js';
import { addressIn, reportedConfig } from './iggy-server.js';
import { errorSince } from './iggy-messages.js';

/** A good configuration is ready in less than a second. On a busy machine it takes longer. */
const DEADLINE_MS = 15_000;
const LOOK_MS = 20;

const END_MS = 5_000;

/** A server beside that of the node, for a check. */
export interface TrialServer {
  admin: IggyAdmin;
  /** Ends the server and deletes its files, except its data directory when that was given. */
  end(): Promise<void>;
}

export interface TrialPlan {
  program: ServerProgram;
  /** As rendered for the node: the data directory of the trial takes the place of the node's. */
  files: RenderedFiles;
  root: Account;
  /** Null: an empty directory. */
  data: string | null;
}

/**
 * Starts a configuration on an empty directory and ends it when its listeners are open. The server has no other check, and its exit
 * code proves nothing. Rejects with BrokerError with the server's reason.
 */
export async function tryConfig(home: NodeHome, plan: Omit<TrialPlan, 'data'>): Promise<void> {
  const server = await startTrial(home, { ...plan, data: null }, 'iggy-server refuses the configuration');
  await server.end();
}

/** Starts a server beside that of the node. Rejects with BrokerError with the server's reason after `what`. */
export async function startTrial(home: NodeHome, plan: TrialPlan, what: string): Promise<TrialServer> {
  const dir = IGGY_FILES.trial(home);
  await endTrial(home);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const data = plan.data ?? join(dir, 'data');
  const place: ServerPlace = {
    name: trialName(home),
    ...{ dir, data, config: join(dir, 'iggy.toml'), environment: join(dir, 'iggy.env') },
    ...{ output: join(dir, 'output.log'), memory: IGGY_FILES.trialMemory(home) },
    replica: null,
  };
  const [trialPath, real] = [data, IGGY_FILES.data(home)].map((path) => JSON.stringify(path)) as [string, string];
  try {
    const files = { ...plan.files, config: plan.files.config.replaceAll(real, trialPath) };
    const { exited } = await startServer(plan.program, place, files);
    const http = await listening(place, exited, what);
    return { admin: new IggyAdmin(http, plan.root), end: () => endTrial(home) };
  } catch (error) {
    await endTrial(home);
    throw error;
  }
}

async function listening(place: ServerPlace, exited: Promise<unknown>, what: string): Promise<Address> {
  let hasEnded = false;
  void exited.then(() => (hasEnded = true));
  const deadline = Date.now() + DEADLINE_MS;
  for (;;) {
    const http = addressIn(await reportedConfig(place.data), 'http');
    if (http !== null) return http;
    if (hasEnded) throw new BrokerError(`${what}: ${await reasonOf(place)}`);
    if (Date.now() > deadline) throw new BrokerError(`${what}: the server is not ready in time`);
    await new Promise((wake) => setTimeout(wake, LOOK_MS));
  }
}

async function reasonOf({ data, output }: ServerPlace): Promise<string> {
  return (await errorSince({ data, output, sinceMs: 0 })) ?? 'the server gives no reason';
}

async function endTrial(home: NodeHome): Promise<void> {
  await endProcesses({ name: trialName(home) }, { graceMs: END_MS });
  await rm(IGGY_FILES.trial(home), { recursive: true, force: true });
  await removeMemoryFolder(IGGY_FILES.trialMemory(home));
}

const trialName = (home: NodeHome): string => `${nodeFlag(home)}/trial`;
