import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { CommandError, EXIT } from '../exit.js';

/** Asks a person. @throws CommandError when the person ends the input or presses Ctrl-C */
export function ask(question: string, { isSecret = false } = {}): Promise<string> {
  let isMuted = false;
  // What a person types into a secret prompt is not shown.
  const output = new Writable({
    write: (chunk: Buffer, _encoding, callback) => {
      if (!isMuted) process.stderr.write(chunk);
      callback();
    },
  });
  const prompt = createInterface({ input: process.stdin, output, terminal: true });
  return new Promise((resolve, reject) => {
    const end = (): void => reject(new CommandError('Nothing was typed.', EXIT.interrupted));
    prompt.once('SIGINT', end);
    prompt.once('close', end);
    prompt.question(question, (answer) => {
      if (isSecret) process.stderr.write('\n');
      resolve(answer.trim());
      prompt.close();
    });
    isMuted = isSecret;
  }).finally(() => prompt.close()) as Promise<string>;
}
