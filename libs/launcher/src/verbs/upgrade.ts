import { RELEASE_WITH_COMMIT } from '@libs/domain/starts';
import { commandPath } from '../files/command-file.js';
import { runLandlord, type Running } from '../start/run-landlord.js';
import { Upgrade } from '../start/upgrade.js';

/**
 * `landlord upgrade`: `start` that continues the Landlord that runs with the data directory. The running launcher stops its apps
 * and ends. Agents, brokers and the embedded database continue, so clients of brokers stay connected. A refused upgrade leaves
 * the running launcher as it is. An upgrade that fails later leaves agents, brokers and database running.
 */
export const upgrade = (): Promise<void> => runLandlord(begin);

async function begin(running: Running): Promise<void> {
  const { landlord, config, signals } = running;
  const upgrade = Upgrade.begin(config);
  try {
    const isContinuing = await upgrade.takeOver(signals.stop);
    await landlord.start(signals.stop).catch(async (error: unknown) => {
      if (isContinuing && !signals.stop.aborted) await leaveToEarlier(running);
      throw error;
    });
  } finally {
    upgrade.end();
  }
}

async function leaveToEarlier({ landlord, config, terminal, signals }: Running): Promise<void> {
  await landlord.leave(signals.hurry);
  terminal.complain(
    `Landlord ${RELEASE_WITH_COMMIT} has not started. Agents and brokers run on. Start the release before: ${commandPath(config.dataDir)} start`,
  );
}
