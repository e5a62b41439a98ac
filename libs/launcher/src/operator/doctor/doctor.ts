import { HostError } from '@libs/host/os';
import { DatabaseDiagnosis, fail, OperatorSession, type Finding } from '@libs/operator';
import { givenEnvironment, readConfig, type LauncherConfig } from '../../config.js';
import { LauncherError } from '../../launcher-error.js';
import { printJson, say, type Output } from '../print.js';
import { runningDatabaseUrl, sessionOptions, explainRefusals } from '../with-session.js';
import { checkPrograms } from './check-broker-programs.js';
import { checkConfiguration } from './check-configuration.js';
import { checkDataDirectory } from './check-data-directory.js';
import { checkKeyFile } from './check-key-file.js';
import { checkPorts } from './check-ports.js';
import { checkQueue } from './check-queue.js';
import { checkVersions } from './check-versions.js';

/**
 * `landlord doctor`: checks everything that an installation depends on, and changes nothing. Prints the findings. Throws
 * LauncherError when a check fails.
 */
export async function doctor(output: Output): Promise<void> {
  reportFindings(await examine(), output);
}

/** Prints the findings. @throws LauncherError when a check failed */
export function reportFindings(findings: readonly Finding[], output: Output): void {
  if (output.json) printJson(findings);
  else for (const finding of findings) tell(finding);
  const failed = findings.filter(({ level }) => level === 'fail').length;
  if (failed > 0) throw new LauncherError(`${failed} of ${findings.length} checks failed.`);
}

async function examine(): Promise<Finding[]> {
  const configuration = await checkConfiguration(givenEnvironment());
  const config = readOrNull();
  // Without a readable configuration no other check is possible.
  if (config === null) return configuration;
  return [
    ...configuration,
    ...checkVersions(config.databaseUrl === null),
    ...checkDataDirectory(config),
    checkKeyFile(config),
    ...(await checkPorts(config)),
    ...(await checkPrograms(config)),
    ...(await checkDatabase(config)),
  ];
}

async function checkDatabase(config: LauncherConfig): Promise<Finding[]> {
  let session: OperatorSession;
  try {
    session = await explainRefusals(() => OperatorSession.connect(sessionOptions(config, runningDatabaseUrl(config))));
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    const todo = 'Fix this problem first. The other checks of the database need a connection.';
    return [fail('database', error.message, todo), ...(await checkQueue(config.queueUrl, null))];
  }
  try {
    const findings = await new DatabaseDiagnosis(session).findings(config.billingClosesAfterHours);
    return [...findings, ...(await checkQueue(config.queueUrl, session))];
  } finally {
    await session.close();
  }
}

function readOrNull(): LauncherConfig | null {
  try {
    return readConfig();
  } catch {
    return null;
  }
}

function tell({ check, level, what, todo }: Finding): void {
  say(`${level.padEnd(4)}  ${check.padEnd(19)}  ${what}`);
  if (todo !== null) say(`      ${''.padEnd(19)}  -> ${todo}`);
}
