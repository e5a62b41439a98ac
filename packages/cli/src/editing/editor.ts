import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandError, EXIT } from '../exit.js';
import { ENVIRONMENT } from '../settings/config.js';

/** A signal that has no listener ends the process without the listeners of `exit`. */
const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** A file that a person edits. Only the person can read the file. The file is deleted at the end, also by a signal. */
export class Draft {
  private readonly folder = mkdtempSync(join(tmpdir(), 'landlord-'));
  private readonly file: string;
  private isOpen = false;
  private readonly onExit = (): void => this.delete();
  private readonly onSignal = (signal: NodeJS.Signals): void => {
    // Ctrl-C belongs to the editor, which gets the signal from the terminal, too.
    if (signal !== 'SIGINT' || !this.isOpen) process.exit(EXIT.interrupted);
  };

  /** @param name the last part of the path, which tells the editor the language */
  constructor(name: string, text: string) {
    this.file = join(this.folder, name);
    process.on('exit', this.onExit);
    for (const signal of SIGNALS) process.on(signal, this.onSignal);
    this.text = text;
  }

  get text(): string {
    return readFileSync(this.file, 'utf8');
  }

  set text(text: string) {
    writeFileSync(this.file, text, { mode: 0o600 });
  }

  /** Opens the editor of the person, and waits for its end. @throws CommandError when the editor fails */
  async open(): Promise<void> {
    const { editor } = ENVIRONMENT;
    // Editors are named with options, such as "code --wait": the shell splits the words.
    this.isOpen = true;
    const child = spawn('sh', ['-c', `${editor} "$1"`, 'sh', this.file], { stdio: 'inherit' });
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject).once('close', resolve);
    }).finally(() => (this.isOpen = false));
    if (code !== 0)
      throw new CommandError(`The editor ${editor} has ended with code ${code}. Nothing was saved.`, EXIT.other);
  }

  delete(): void {
    rmSync(this.folder, { recursive: true, force: true });
    process.off('exit', this.onExit);
    for (const signal of SIGNALS) process.off(signal, this.onSignal);
  }
}
