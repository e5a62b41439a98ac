import { realpathSync, statSync, utimesSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { isAlive, processesUsing } from '@libs/host/os';
import type { Terminal } from '../start/terminal.js';
import { ownProgram } from './command-file.js';

const TEND_MS = 3_600_000;
/** The names that scripts/release/server/programs.mjs gives to copies, and to drafts of copies with the pid of their process. */
const COPY = /^[0-9a-f]{16}$/;
const DRAFT = /^[0-9a-f]{16}\.(\d+)$/;

/**
 * The copies of releases in `<data dir>/programs`, from which launchers, agents and brokers run. Removes a copy that no process
 * uses, except the own one and the youngest other one: the release before, for a roll-back, or one that is about to start.
 */
export class ProgramCopies {
  private tendAt = 0;

  constructor(
    private readonly dataDir: string,
    private readonly terminal: Pick<Terminal, 'complain'>,
    private readonly program: string = ownProgram(),
  ) {}

  /** Removes old copies, once in an hour. Returns at once. */
  tend(): void {
    if (Date.now() < this.tendAt) return;
    this.tendAt = Date.now() + TEND_MS;
    this.removeOld().catch((error: unknown) => this.terminal.complain(`Old programs stay: ${String(error)}`));
  }

  async removeOld(): Promise<void> {
    const parent = join(realpathSync(this.dataDir), 'programs');
    const names = await readdir(parent).catch(() => []);
    const running = names.find((name) => this.program.startsWith(join(parent, name) + sep));
    if (running !== undefined) utimesSync(join(parent, running), new Date(), new Date());
    const others = names.filter((name) => COPY.test(name) && name !== running).sort(byAge(parent));
    for (const name of others.slice(1)) await removeUnused(join(parent, name));
    const drafts = names.filter((name) => !isAlive(Number(DRAFT.exec(name)?.[1] ?? process.pid)));
    for (const name of drafts) await rm(join(parent, name), { recursive: true, force: true });
  }
}

/** The youngest first. Each start of a copy sets its time. */
const byAge = (parent: string) => (one: string, other: string) =>
  statSync(join(parent, other)).mtimeMs - statSync(join(parent, one)).mtimeMs;

/** Under the name of a draft, because a start takes every complete copy for one that it can use. */
async function removeUnused(folder: string): Promise<void> {
  if ((await processesUsing(folder)).length > 0) return;
  const draft = `${folder}.${process.pid}`;
  await rename(folder, draft);
  await rm(draft, { recursive: true, force: true });
}
