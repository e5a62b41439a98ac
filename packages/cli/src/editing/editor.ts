import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandError, EXIT } from '../exit.js';
import { ENVIRONMENT } from '../settings/config.js';

/** A file that a person edits. Only the person can read the file, and the file is deleted at the end. */
export class Draft {
  private readonly folder = mkdtempSync(join(tmpdir(), 'landlord-'));
  private readonly file: string;

  /** @param name the last part of the path, which tells the editor the language */
  constructor(name: string, text: string) {
    this.file = join(this.folder, name);
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
    const child = spawn('sh', ['-c', `${editor} "$1"`, 'sh', this.file], { stdio: 'inherit' });
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    if (code !== 0)
      throw new CommandError(`The editor ${editor} has ended with code ${code}. Nothing was saved.`, EXIT.other);
  }

  delete(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
