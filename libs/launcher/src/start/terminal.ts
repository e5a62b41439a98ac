/** What the launcher says to the person who started it. One line each, quiet unless something happened. */
export interface Terminal {
  say(line: string): void;
  /** Something went wrong; the launcher deals with it or ends. */
  complain(line: string): void;
}

/** The real terminal. It outlives its reader: `landlord start | head` must not end the launcher. */
export function openTerminal(): Terminal {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  return {
    say: (line) => void process.stdout.write(`${line}\n`),
    complain: (line) => void process.stderr.write(`${line}\n`),
  };
}

/** The lines with blanks before them, for text of others inside our own. */
export function indented(text: string): string {
  return text.replace(/^/gm, '    ');
}
