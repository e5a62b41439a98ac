import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runCommand } from './run-command.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const TOOLS = 'libs/testing/src/postgres';
const HOOK = 'LANDLORD_TEST_SCHEMA';
/** The test tools that use the hook. They change nothing in the release itself. */
const HOOKED = ['create-test-database.ts', 'own-database.ts', 'migrate-test-schema.ts'];

/** This release cannot be tested; the message contains the reason. */
export class Untestable extends Error {
  name = 'Untestable';
}

/** The dependencies of the release cannot be installed, for example because the registry is not reachable. */
export class NotInstallable extends Untestable {
  name = 'NotInstallable';
}

/** Creates a built worktree of `commit` that can run its tests. Throws Untestable. */
export async function makeOldCheckout(commit, checkout) {
  await must('git', ['worktree', 'add', '--quiet', '--detach', checkout, commit], ROOT, 'git cannot check it out');
  await bringDependencies(checkout);
  if (!knowsTheHook(checkout)) lendTheHook(checkout);
  await must(process.execPath, ['scripts/build.mjs'], checkout, 'it does not build');
}

async function bringDependencies(checkout) {
  const lockOf = (folder) => readFileSync(join(folder, 'package-lock.json'), 'utf8');
  if (lockOf(checkout) === lockOf(ROOT)) symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'), 'dir');
  else if ((await runCommand('npm', ['ci', '--no-audit', '--no-fund'], { cwd: checkout })) !== 0)
    throw new NotInstallable('its dependencies cannot be installed');
  const packages = join(ROOT, '.landlord/packages');
  if (!existsSync(packages)) return;
  mkdirSync(join(checkout, '.landlord'), { recursive: true });
  symlinkSync(packages, join(checkout, '.landlord/packages'), 'dir');
}

function knowsTheHook(checkout) {
  const folder = join(checkout, TOOLS);
  return (
    existsSync(folder) && readdirSync(folder).some((name) => readFileSync(join(folder, name), 'utf8').includes(HOOK))
  );
}

/** Copies the tools to a release from before the hook, if this release has the same tools. */
function lendTheHook(checkout) {
  const replaced = HOOKED.slice(0, 2);
  if (!replaced.every((name) => existsSync(join(checkout, TOOLS, name))))
    throw new Untestable(`it does not know ${HOOK}`);
  console.log(`It does not know ${HOOK} yet: it is lent the test tools that do, and nothing else.`);
  for (const name of HOOKED) cpSync(join(ROOT, TOOLS, name), join(checkout, TOOLS, name));
}

async function must(command, args, cwd, reason) {
  if ((await runCommand(command, args, { cwd })) !== 0) throw new Untestable(reason);
}
