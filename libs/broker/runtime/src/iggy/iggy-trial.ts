import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { BrokerError } from '../broker-error.js';
import { nodeFlag, type NodeHome } from '../node-home.js';
import { killProcesses } from '../process-scan.js';
import { IGGY_FILES } from './iggy-files.js';
import { startServer, type RenderedFiles, type ServerPlace, type ServerProgram } from './iggy-process.js';
import { reportedConfig } from './iggy-server.js';
import { errorSince } from './iggy-words.js';

/** A good configuration is ready in less than a second. On a busy machine it takes longer. */
const DEADLINE_MS = 15_000;
const LOOK_MS = 20;

/**
 * Starts a configuration on an empty directory and ends it when its listeners are open. The server has no other check, and its exit
 * code proves nothing. Rejects with BrokerError with the server's reason.
 */
export async function tryConfig(home: NodeHome, program: ServerProgram, files: RenderedFiles): Promise<void> {
  const dir = IGGY_FILES.trial(home);
  await endTrial(home);
  const place: ServerPlace = {
    name: trialName(home),
    ...{ dir, data: join(dir, 'data'), config: join(dir, 'iggy.toml'), environment: join(dir, 'iggy.env') },
    output: join(dir, 'output.log'),
  };
  const real = JSON.stringify(IGGY_FILES.data(home));
  try {
    const config = files.config.replaceAll(real, JSON.stringify(place.data));
    const { exited } = await startServer(program, place, { ...files, config });
    let hasEnded = false;
    void exited.then(() => (hasEnded = true));
    const deadline = Date.now() + DEADLINE_MS;
    while ((await reportedConfig(place.data)) === null) {
      if (hasEnded) throw new BrokerError(`iggy-server refuses the configuration: ${await reasonOf(place)}`);
      if (Date.now() > deadline) throw new BrokerError('iggy-server does not start with the configuration in time');
      await new Promise((wake) => setTimeout(wake, LOOK_MS));
    }
  } finally {
    await endTrial(home);
  }
}

async function reasonOf({ data, output }: ServerPlace): Promise<string> {
  return (await errorSince({ data, output, sinceMs: 0 })) ?? 'the server gives no reason';
}

async function endTrial(home: NodeHome): Promise<void> {
  await killProcesses({ name: trialName(home) });
  await rm(IGGY_FILES.trial(home), { recursive: true, force: true });
}

const trialName = (home: NodeHome): string => `${nodeFlag(home)}/trial`;
