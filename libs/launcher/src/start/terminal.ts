/** Messages of the launcher to the person who started it. One line each, only when something happened. */
export interface Terminal {
  say(line: string): void;
  /** Reports a problem. The launcher handles it or exits. */
  complain(line: string): void;
}

/** The real terminal. Ignores a closed output: `landlord start | head` must not end the launcher. */
export function openTerminal(): Terminal {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  return {
    say: (line) => void process.stdout.write(`${line}\n`),
    complain: (line) => void process.stderr.write(`${line}\n`),
  };
}

/** Indents each line, for foreign text within a message. */
export function indented(text: string): string {
  return text.replace(/^/gm, '    ');
}
